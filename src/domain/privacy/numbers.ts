import { DIGITS_MAX, type DigitSequence, digitSequences, LIST_SEPARATORS } from './digits.ts';
import { hasSocialSecurityNumber, isPhoneNumber, isUnspacedPhoneNumber } from './phones.ts';

/** The rule that a run of digits in a text breaks, or undefined. */
export function digitRule(text: string): string | undefined {
  const sequences = digitSequences(text);
  const listed = /[,|]/.test(text) ? digitSequences(text, LIST_SEPARATORS) : sequences;
  if (listed.some(holdsCardNumber) || sequences.some(holdsCardNumber)) return 'value.card';
  if (sequences.some(({ digits }) => digits.length > DIGITS_MAX)) return 'value.long-number';
  if (hasSocialSecurityNumber(text)) return 'value.ssn';
  return sequences.some(isPhoneNumber) ? 'value.phone' : undefined;
}

/**
 * The rule that a JSON number breaks, or undefined. No measurement of the contract reaches ten digits (units
 * are chosen so: MiB, not bytes), except a time in seconds or milliseconds since 1970, which no phone or
 * card number is: both begin with 1 and have ten or thirteen digits.
 */
export function numberRule(value: number): string | undefined {
  const size = Math.abs(value);
  if (size < 1e9) return undefined;
  if (size > Number.MAX_SAFE_INTEGER) return 'value.long-number';
  const digits = String(Math.trunc(size));
  if (isCardNumber(digits)) return 'value.card';
  return isUnspacedPhoneNumber(digits) ? 'value.phone' : undefined;
}

/** A card number may stand among other groups, but never begins or ends inside one. */
function holdsCardNumber({ digits, groups }: DigitSequence): boolean {
  if (digits.length < CARD_DIGITS_MIN || digits.length > DIGITS_MAX) return false;
  let start = 0;
  for (const [first, length] of groups.entries()) {
    let end = start;
    for (let last = first; last < groups.length; last++) {
      end += groups[last] ?? 0;
      if (isCardNumber(digits.slice(start, end))) return true;
    }
    start += length;
  }
  return false;
}

/** The number ranges and lengths of the card networks (ISO/IEC 7812). */
const CARD_RANGES = new RegExp(
  `^(?:${[
    '4\\d{12}(?:\\d{3}){0,2}', // Visa
    '5[0-8]\\d{14}|2(?:22[1-9]|2[3-9]\\d|[3-6]\\d\\d|7[01]\\d|720)\\d{12}', // Mastercard, Maestro
    '3[47]\\d{13}', // American Express
    '3(?:0[0-59]|[689]\\d)\\d{11}', // Diners Club
    '(?:6011|64[4-9]\\d|65\\d\\d)\\d{12,15}', // Discover
    '35(?:2[89]|[3-8]\\d)\\d{12,15}', // JCB
    '62\\d{14,17}|6\\d{15}', // UnionPay, Maestro
    '220[0-4]\\d{12,15}', // Mir
    '8[12]\\d{14}', // RuPay
  ].join('|')})$`,
);

const isCardNumber = (digits: string): boolean =>
  digits.length >= CARD_DIGITS_MIN && CARD_RANGES.test(digits) && passesLuhn(digits);

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = digits.length - 1, doubled = false; i >= 0; i--, doubled = !doubled) {
    const digit = digits.charCodeAt(i) - 0x30;
    sum += doubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

const CARD_DIGITS_MIN = 13;
