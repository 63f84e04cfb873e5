import { INVISIBLE, trimInvisible, WHITE_SPACE } from '../../lib/trim-invisible.ts';

/**
 * An operator's notes on the customer of a license: the operator's own data, for no log or metric. The portal shows a tenant
 * only the customer's name.
 */
export interface CustomerNotes {
  /** The operator's name for the owner of this license and of others. */
  readonly customer: string | null;
  /** A mailbox of the customer, as it was given. */
  readonly email: string | null;
  /** The id of the license in another system. */
  readonly externalId: string | null;
}

/** For the free note. */
export const NOTE_CHARACTERS_MAX = 500;
export const CUSTOMER_CHARACTERS_MAX = 200;
export const EXTERNAL_ID_CHARACTERS_MAX = 128;

/** Includes direction overrides, which make a text read as another one. */
const CONTROL_OR_LINE_BREAK = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const UNSEEN = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';

/** The form of a note: one line with a visible character, and white space around it. */
export const NOTE_PATTERN = `^[${WHITE_SPACE}]*[^${UNSEEN}]*[^${INVISIBLE}${UNSEEN}][^${UNSEEN}]*[${WHITE_SPACE}]*$`;

/**
 * A trimmed note in Unicode's composed form, so that every spelling finds it.
 *
 * @returns undefined unless it is visible and has at most `charactersMax` characters (code points), without control characters,
 *   line breaks and lone surrogates
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
