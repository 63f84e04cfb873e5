import { BRANDS } from './markers.ts';

const SHELL = 'shell';
const SHELLS = BRANDS.filter((brand) => brand.includes(SHELL));
const OTHERS = BRANDS.filter((brand) => !brand.includes(SHELL));

/** Whether a lower-case text contains the name of a web shell or hacking group. */
export const namesBrand = (lowerText: string): boolean =>
  OTHERS.some((brand) => lowerText.includes(brand)) ||
  // A third of the names contain the word "shell", most texts do not.
  (lowerText.includes(SHELL) && SHELLS.some((brand) => lowerText.includes(brand)));
