import { trimInvisible } from './trim-invisible.ts';

const ORDINARY = /^[0-9]\S*$/;
const LEADING_V = /^(?:v|ver|version)\.? ?(?=[0-9])/i;
/** A suffix and its number that white space separates: `1.0 RC1`, `1.0 beta 2`. */
const SUFFIX =
  /(?<=[0-9])\s{1,9}(dev|alpha|beta|a|b|rc|pre|preview|pl|patch|p)(?:[\s.-]?([0-9]{1,9}))?(?![a-z0-9])/gi;

/** A version without invisible characters around it and without a leading `v` or `version`, for every reader of versions. */
export const withoutV = (text: string): string =>
  ORDINARY.test(text) ? text : trimInvisible(text).replace(LEADING_V, '');

/** The same with its suffixes attached, as in `1.0-RC1`. */
export const plainVersion = (text: string): string =>
  ORDINARY.test(text) ? text : attachSuffixes(withoutV(text));

/** A text with versions in it, the suffix of each attached. */
export const attachSuffixes = (text: string): string =>
  text.replace(SUFFIX, (_, word: string, count = '') => `-${word}${count}`);
