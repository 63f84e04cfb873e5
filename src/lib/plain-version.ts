import { trimInvisible } from './trim-invisible.ts';

const ORDINARY = /^[0-9]\S*$/;
const LEADING_V = /^(?:v|ver|version)[.:]? ?(?=[0-9])/i;
/** A suffix and its number that white space separates: `1.0 RC1`, `1.0 beta 2`, `1.0 (beta)`. */
const SUFFIX =
  /(?<=[0-9])\s{1,9}(\()?(dev|alpha|beta|a|b|rc|pre|preview|pl|patch|p)(?:[\s.-]?([0-9]{1,9}))?(?![a-z0-9])(\))?/gi;
/** Suffixes without meaning, such as `stable`. */
const RELEASED =
  /(?<=[0-9])\s{1,9}(?:\((?:stable|final|release|ga)\)|(?:stable|final|release|ga)(?![a-z0-9]|\scandidate))/gi;

/** A version without surrounding invisible characters and without a leading `v` or `version`. */
export const withoutV = (text: string): string =>
  ORDINARY.test(text) ? text : trimInvisible(text).replace(LEADING_V, '');

/** Like {@link withoutV}, with the suffix attached, as in `1.0-RC1`. */
export const plainVersion = (text: string): string =>
  ORDINARY.test(text) ? text : attachSuffixes(withoutV(text));

/** Attaches the suffixes of all versions in a text and removes meaningless ones. */
export const attachSuffixes = (text: string): string =>
  text
    .replace(RELEASED, '')
    .replace(SUFFIX, (found, open = '', word: string, count = '', close = '') =>
      open !== '' && close === '' ? found : `-${word}${count}${open === '' ? close : ''}`,
    );
