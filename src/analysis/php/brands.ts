import { BRANDS } from './markers.ts';

const SHELL = 'shell';
const SHELLS = BRANDS.filter((brand) => brand.includes(SHELL));
const OTHERS = BRANDS.filter((brand) => !brand.includes(SHELL));

/** Whether a text, in lower case, has the name of a web shell or of those who make them. */
export const namesBrand = (lowerText: string): boolean =>
  OTHERS.some((brand) => lowerText.includes(brand)) ||
  // Most texts do not have the word that a third of the names share.
  (lowerText.includes(SHELL) && SHELLS.some((brand) => lowerText.includes(brand)));
