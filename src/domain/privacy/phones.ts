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
  if (!standsAlone) return NORTH_AMERICAN_GROUPS.has(groups.join(' ')) && isNorthAmerican(digits);
  if (plus) return digits.length <= PHONE_DIGITS_MAX && !digits.startsWith('0');
  if (digits.startsWith('00')) return /^00[1-9]\d{7,14}$/.test(digits);
  if ((groups[0] ?? 0) > 1 && /^0[1-9]\d{7,14}$/.test(digits)) return true;
  if (groups.length === 1) return false;
  if (parenthesised) return digits.length <= PHONE_DIGITS_MAX;
  if (separator === ' ' && NATIONAL_GROUPS.has(groups.join(' '))) return true;
  return isNorthAmerican(digits) && NORTH_AMERICAN_GROUPS.has(groups.join(' '));
}

/**
 * Digits without a sign: only lengths that a number has, no date such as 202601161200 and no time in seconds
 * or milliseconds.
 */
export const isUnspacedPhoneNumber = (digits: string): boolean =>
  isNorthAmerican(digits) ||
  (/^(?:[2-9]\d{10,14}|1\d{10,11}|[6-9]\d{9})$/.test(digits) && !COMPACT_DATE.test(digits));

const isNorthAmerican = (digits: string): boolean => /^1?[2-9]\d\d[2-9]\d{6}$/.test(digits);

/** A number of three, two and four digits that the Social Security Administration could have issued. */
export const isSocialSecurityNumber = ({ digits, groups, separator }: DigitSequence): boolean =>
  groups.join(' ') === '3 2 4' &&
  (separator === '-' || separator === ' ' || separator === '_') &&
  /^(?!000|666|9)\d{3}(?!00)\d\d(?!0000)\d{4}$/.test(digits);

const COMPACT_DATE =
  /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?$/;
const NORTH_AMERICAN_GROUPS: ReadonlySet<string> = new Set([
  '3 3 4',
  '3 7',
  '1 3 3 4',
  '1 3 7',
  '1 10',
  '6 4',
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
