import { isDigit, isLetter, isLetterOrDigit } from './characters.ts';

/** Digits as a person writes them, with at most three separators between two of them. */
export interface DigitSequence {
  /** At most 20: longer ones are refused in any case. */
  readonly digits: string;
  /** How many digits stand in each group. */
  readonly groups: readonly number[];
  /** The sign between groups; undefined when they differ. */
  readonly separator: string | undefined;
  readonly plus: boolean;
  /** Its beginning stands in parentheses. */
  readonly parenthesised: boolean;
  /** No letter touches it. */
  readonly standsAlone: boolean;
}

/** Longer numbers are no card and no telephone number. */
export const DIGITS_MAX = 19;

const codesOf = (signs: string): readonly number[] => [...signs].map((sign) => sign.charCodeAt(0));

/** What people put between the digits of a number. */
export const SEPARATORS = codesOf(' -.()/_');
/** What stands between the numbers of a list, or the groups of an exported card number. */
export const LIST_SEPARATORS = [...SEPARATORS, ...codesOf(',|')];

/** The sequences of eight digits and more in a text. */
export function digitSequences(text: string, separators = SEPARATORS): DigitSequence[] {
  const sequences: DigitSequence[] = [];
  for (let i = 0; i < text.length; i++) {
    if (!isDigit(text.charCodeAt(i))) continue;
    const start = i;
    let digits = '';
    const groups: number[] = [];
    let end = i;
    const between = new Set<string>();
    for (;;) {
      const groupStart = i;
      while (isDigit(text.charCodeAt(i))) i++;
      groups.push(i - groupStart);
      if (digits.length <= DIGITS_MAX) digits += text.slice(groupStart, i).slice(0, DIGITS_MAX + 1);
      end = i;
      while (i - end < SEPARATORS_MAX && separators.includes(text.charCodeAt(i))) i++;
      if (!isDigit(text.charCodeAt(i))) break;
      between.add(text.slice(end, i));
    }
    i = end;
    if (digits.length < DIGITS_MIN) continue;
    const opened = text.charCodeAt(start - 1) === OPEN_PARENTHESIS ? start - 1 : start;
    const plus = text.charCodeAt(opened - 1) === PLUS && !isLetterOrDigit(text.charCodeAt(opened - 2));
    const standsAlone = !isLetter(text.charCodeAt(start - 1)) && !isLetter(text.charCodeAt(end));
    const parenthesised = [...between].some((each) => each.includes(')'));
    const separator = between.size === 1 ? [...between].join('') : undefined;
    sequences.push({ digits, groups, separator, plus, parenthesised, standsAlone });
  }
  return sequences;
}

const DIGITS_MIN = 8;
const SEPARATORS_MAX = 3;
const OPEN_PARENTHESIS = 0x28;
const PLUS = 0x2b;
