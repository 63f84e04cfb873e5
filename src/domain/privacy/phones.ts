import type { DigitSequence } from './digits.ts';

/**
 * International with `+` or a trunk prefix, North American, national in the groups of E.123 or with a
 * parenthesised area code; spaced or not. Letters may touch only what no count and no date looks like.
 */
export function isPhoneNumber({
  digits,
  groups,
  separator,
  plus,
  parenthesised,
  standsAlone,
}: DigitSequence): boolean {
  if (groups.length === 1 && isUnspacedPhoneNumber(digits)) return true;
  if (holdsNorthAmerican(digits, groups)) return true;
  if (!standsAlone) return false;
  if (plus) return digits.length <= PHONE_DIGITS_MAX && !digits.startsWith('0');
  if (digits.startsWith('00')) return /^00[1-9]\d{7,14}$/.test(digits);
  if ((groups[0] ?? 0) > 1 && /^0[1-9]\d{7,14}$/.test(digits)) return true;
  if (groups.length === 1) return false;
  if (parenthesised) return digits.length <= PHONE_DIGITS_MAX;
  return separator === ' ' && NATIONAL_GROUPS.has(groups.join(' '));
}

/** Its groups may stand among others: `7 212-555-1062`. */
function holdsNorthAmerican(digits: string, groups: readonly number[]): boolean {
  let start = 0;
  for (const [first, length] of groups.entries()) {
    let shape = '';
    let end = start;
    for (let last = first; last < groups.length && end - start < NORTH_AMERICAN_DIGITS_MAX; last++) {
      shape += `${groups[last]} `;
      end += groups[last] ?? 0;
      if (NORTH_AMERICAN_GROUPS.has(shape.trimEnd()) && isNorthAmerican(digits.slice(start, end)))
        return true;
    }
    start += length;
  }
  return false;
}

/**
 * Digits without a sign: only lengths that a number has, no date such as 202601161200 and no time in seconds
 * or milliseconds.
 */
export const isUnspacedPhoneNumber = (digits: string): boolean =>
  isNorthAmerican(digits) ||
  (/^(?:[2-9]\d{10,14}|1\d{10,11}|[6-9]\d{9})$/.test(digits) && !COMPACT_DATE.test(digits));

const isNorthAmerican = (digits: string): boolean => /^1?[2-9]\d\d[2-9]\d{6}$/.test(digits);

/** A social security number in groups, of those that the Social Security Administration could have issued. */
export const hasSocialSecurityNumber = (text: string): boolean => SOCIAL_SECURITY.test(text);

const SOCIAL_SECURITY = /(?<!\d)(?!000|666|9)\d{3}([-_ ])(?!00)\d\d\1(?!0000)\d{4}(?!\d)/;
const COMPACT_DATE =
  /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?$/;
const NORTH_AMERICAN_GROUPS: ReadonlySet<string> = new Set([
  '3 3 4',
  '3 7',
  '1 3 3 4',
  '1 3 7',
  '1 10',
  '6 4',
  '10',
  '11',
  '1 1 1 1 1 1 1 1 1 1',
]);
/** Of China, India, Spain, France without its 0, Denmark, Switzerland without its 0, Poland. */
const NATIONAL_GROUPS: ReadonlySet<string> = new Set([
  '3 4 4',
  '5 5',
  '3 2 2 2',
  '1 2 2 2 2',
  '2 2 2 2',
  '2 3 2 2',
  '3 3 3',
]);
const PHONE_DIGITS_MAX = 15;
const NORTH_AMERICAN_DIGITS_MAX = 11;
