import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** A column of whole numbers, the same type on both engines. */
type NumberColumn = SQLiteColumn & { readonly _: { readonly data: number } };

/** A column of times that the service itself writes for events or for its next work, and may correct. */
export interface OwnMoment {
  readonly column: SQLiteColumn;
  /** Identifies a row of its table; undefined if no number does. */
  readonly id: NumberColumn | undefined;
  /** How far it may be ahead of the clock, in milliseconds as SQL; not at all if omitted. */
  readonly ahead?: string;
  /** Milliseconds of one unit. */
  readonly unitMs?: number;
}

/** Columns of past times. */
export const past = (id: NumberColumn | undefined, ...columns: readonly SQLiteColumn[]): OwnMoment[] =>
  columns.map((column) => ({ column, id }));

/** A column of times that may be ahead of the clock by at most `most` milliseconds. */
export const ahead = (id: NumberColumn, column: SQLiteColumn, most: number | string): OwnMoment => ({
  column,
  id,
  ahead: String(most),
});
