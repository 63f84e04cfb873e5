import { isDigit, isLetter, isLetterOrDigit } from './characters.ts';

/** Digits as a person writes them, with at most three of `space - . , ( ) / | _` between two of them. */
interface DigitSequence {
  /** At most 20 of them: more is refused whatever they are. */
  readonly digits: string;
  /** How many digits stand in each group. */
  readonly groups: readonly number[];
  /** What stands between two groups: one sign, or undefined when not all are the same. */
  readonly separator: string | undefined;
  readonly plus: boolean;
  readonly parenthesised: boolean;
  /** No letter touches it. */
  readonly standsAlone: boolean;
}

/** The rule that a run of digits in a text breaks, or undefined. */
export function digitRule(text: string): string | undefined {
  for (const sequence of digitSequences(text)) {
    if (holdsCardNumber(sequence)) return 'value.card';
    if (sequence.digits.length > DIGITS_MAX) return 'value.long-number';
    if (isSocialSecurityNumber(sequence)) return 'value.ssn';
    if (isPhoneNumber(sequence)) return 'value.phone';
  }
  return undefined;
}

/**
 * The rule that a JSON number breaks, or undefined. No measurement of the contract reaches ten digits (units
 * are chosen so: MiB, not bytes), except a time in seconds or milliseconds since 1970, which no phone or
 * card number is: both begin with 1 and are too long or too short for a North American number.
 */
export function numberRule(value: number): string | undefined {
  const size = Math.abs(value);
  if (size < 1e9) return undefined;
  if (size > Number.MAX_SAFE_INTEGER) return 'value.long-number';
  const digits = String(Math.trunc(size));
  if (isCardNumber(digits)) return 'value.card';
  return isUnspacedPhoneNumber(digits) ? 'value.phone' : undefined;
}

function digitSequences(text: string): DigitSequence[] {
  const sequences: DigitSequence[] = [];
  for (let i = 0; i < text.length; i++) {
    if (!isDigit(text.charCodeAt(i))) continue;
    const start = i;
    let digits = '';
    const groups: number[] = [];
    let end = i;
    const separators = new Set<string>();
    for (;;) {
      const groupStart = i;
      while (isDigit(text.charCodeAt(i))) i++;
      groups.push(i - groupStart);
      if (digits.length <= DIGITS_MAX) digits += text.slice(groupStart, i).slice(0, DIGITS_MAX + 1);
      end = i;
      while (i - end < SEPARATORS_MAX && isSeparator(text.charCodeAt(i))) i++;
      if (!isDigit(text.charCodeAt(i))) break;
      separators.add(text.slice(end, i));
    }
    i = end;
    if (digits.length < PHONE_DIGITS_MIN) continue;
    const opened = text.charCodeAt(start - 1) === OPEN_PARENTHESIS ? start - 1 : start;
    const plus = text.charCodeAt(opened - 1) === PLUS && !isLetterOrDigit(text.charCodeAt(opened - 2));
    const standsAlone = !isLetter(text.charCodeAt(start - 1)) && !isLetter(text.charCodeAt(end));
    const parenthesised = opened < start || [...separators].some((each) => each.includes('('));
    const separator = separators.size === 1 ? [...separators].join('') : undefined;
    sequences.push({ digits, groups, separator, plus, parenthesised, standsAlone });
  }
  return sequences;
}

const isSeparator = (code: number): boolean => SEPARATORS.includes(code);

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

/**
 * International with `+` or a trunk prefix, North American, national in the groups of E.123 or with a
 * parenthesised area code; spaced or not. Letters may touch only what no count and no date looks like.
 */
function isPhoneNumber({
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
const isUnspacedPhoneNumber = (digits: string): boolean =>
  isNorthAmerican(digits) ||
  (/^(?:[2-9]\d{10,14}|1\d{10,11}|[6-9]\d{9})$/.test(digits) && !COMPACT_DATE.test(digits));

const isNorthAmerican = (digits: string): boolean => /^1?[2-9]\d\d[2-9]\d{6}$/.test(digits);

/** A number of three, two and four digits that the Social Security Administration could have issued. */
const isSocialSecurityNumber = ({ digits, groups, separator }: DigitSequence): boolean =>
  groups.join(' ') === '3 2 4' &&
  (separator === '-' || separator === ' ' || separator === '_') &&
  /^(?!000|666|9)\d{3}(?!00)\d\d(?!0000)\d{4}$/.test(digits);

/** Whether a text holds an IBAN of a country's length that passes the check of ISO 7064 (mod 97-10). */
export function hasIban(text: string): boolean {
  for (let i = 0; i + IBAN_LENGTH_MIN <= text.length; i++) {
    if (!isLetter(text.charCodeAt(i)) || isLetterOrDigit(text.charCodeAt(i - 1))) continue;
    if (!isLetter(text.charCodeAt(i + 1)) || !isDigit(text.charCodeAt(i + 2))) continue;
    const length = IBAN_LENGTHS.get(text.slice(i, i + 2).toUpperCase());
    if (length !== undefined && isIbanAt(text, i, length)) return true;
  }
  return false;
}

function isIbanAt(text: string, start: number, length: number): boolean {
  const values: number[] = [];
  let at = start;
  for (; values.length < length; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) values.push(code - 0x30);
    else if (isLetter(code)) values.push((code | 0x20) - 0x57);
    else if (!isIbanSeparator(code) || isIbanSeparator(text.charCodeAt(at - 1))) return false;
  }
  if (isLetterOrDigit(text.charCodeAt(at))) return false;
  let remainder = 0;
  for (const value of [...values.slice(4), ...values.slice(0, 4)]) {
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

const isIbanSeparator = (code: number): boolean => code === 0x20 || code === 0x2d;

/** Country code and length, from the SWIFT IBAN registry. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 ' +
    'DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 ' +
    'IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 ' +
    'MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 ' +
    'SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
);

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
const PHONE_DIGITS_MIN = 8;
const PHONE_DIGITS_MAX = 15;
const CARD_DIGITS_MIN = 13;
const DIGITS_MAX = 19;
const SEPARATORS: readonly number[] = [...' -.,()/|_'].map((sign) => sign.charCodeAt(0));
const SEPARATORS_MAX = 3;
const IBAN_LENGTH_MIN = 15;
const OPEN_PARENTHESIS = 0x28;
const PLUS = 0x2b;
