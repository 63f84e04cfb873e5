import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** A column of whole numbers, the same type on both engines. */
type NumberColumn = SQLiteColumn & { readonly _: { readonly data: number } };

/** A column of moments that the service itself writes when something happens, or for what it does next, and may correct. */
export interface OwnMoment {
  readonly column: SQLiteColumn;
  /** What identifies a row of its table; undefined where no number does. */
  readonly id: NumberColumn | undefined;
  /** How far ahead of the clock it may be, in milliseconds as SQL; not at all if left out. */
  readonly ahead?: string;
  /** Milliseconds of one unit. */
  readonly unitMs?: number;
}

/** Columns of moments that have passed. */
export const past = (id: NumberColumn | undefined, ...columns: readonly SQLiteColumn[]): OwnMoment[] =>
  columns.map((column) => ({ column, id }));

/** A column of moments that may be ahead of the clock, by at most so many milliseconds. */
export const ahead = (id: NumberColumn, column: SQLiteColumn, most: number | string): OwnMoment => ({
  ...{ column, id },
  ahead: String(most),
});
