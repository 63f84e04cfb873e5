import { INVISIBLE, trimInvisible, WHITE_SPACE } from '../../lib/trim-invisible.ts';

/** Whom a license was issued for, as its operator notes it: the operator's own data, for no log or metric. The portal shows a tenant the customer's name alone. */
export interface CustomerNotes {
  /** The operator's name for the owner of this license and of others. */
  readonly customer: string | null;
  /** A mailbox of the customer, as it was given. */
  readonly email: string | null;
  /** What another system calls the license by. */
  readonly externalId: string | null;
}

/** Of whatever else an operator notes of a license. */
export const NOTE_CHARACTERS_MAX = 500;
export const CUSTOMER_CHARACTERS_MAX = 200;
export const EXTERNAL_ID_CHARACTERS_MAX = 128;

/** Also what turns the direction of text around, so that it reads as something else. */
const CONTROL_OR_LINE_BREAK = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const UNSEEN = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';

/** The form of a note: a line that shows something, with white space around it. */
export const NOTE_PATTERN = `^[${WHITE_SPACE}]*[^${UNSEEN}]*[^${INVISIBLE}${UNSEEN}][^${UNSEEN}]*[${WHITE_SPACE}]*$`;

/**
 * A note without the blanks around it, in Unicode's composed form, by which it is found however it is typed.
 *
 * @returns undefined unless it shows something and has at most so many characters (code points), none of them a control character, a line break or half of a character
 */
export function customerNote(text: string, charactersMax: number): string | undefined {
  const note = text.trim().normalize();
  const { length } = [...note];
  const isWhole = note.isWellFormed() && !CONTROL_OR_LINE_BREAK.test(note);
  return trimInvisible(note) !== '' && length <= charactersMax && isWhole ? note : undefined;
}

/** What such a note must be, in words for an operator. */
export const customerNoteRule = (charactersMax: number): string =>
  `must be one line of 1 to ${charactersMax} characters without control characters`;
