import type { SQL, SQLWrapper } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Connection } from './connection.ts';

/** The databases that the storage runs on. */
export type Engine = 'sqlite' | 'postgres';

/** SQL that differs between the engines. All other statements run on both. */
export interface Dialect {
  readonly engine: Engine;

  /** Whether processes on several hosts may use one database. */
  readonly isShared: boolean;

  /** The name of the function that returns the largest of several values. */
  readonly larger: string;

  /** Whether a condition is true in any row of a group. */
  anyOf(condition: SQLWrapper): SQL;

  /** The texts of a group as a list. */
  listOf(column: SQLiteColumn): SQL<string[]>;

  /** Whether a column has one of many values, which count as one parameter. */
  isAmong(column: SQLiteColumn, values: readonly number[]): SQL;

  /** The same in plain SQL, after a column; `given` creates its one parameter. */
  readonly isAmongGiven: string;
  given(values: readonly number[]): string;

  /** In plain SQL: rows of `columns` numbers each. The one parameter is JSON, a list of lists. */
  numbersGiven(columns: number): string;

  /** The ordered rows after the first `rows`. */
  beyond(rows: number): SQL;

  /** In plain SQL: the text of a property of a column with a JSON object. */
  textIn(column: string, name: string): string;

  /** In plain SQL: whether a column contains a text of characters that need no escaping. */
  contains(column: string, text: string): string;

  /** Whether the license ids of a column, such as `lic_1..lic_9`, include an id. */
  isRangeWith(column: SQLiteColumn, id: number): SQL;

  /** In plain SQL: whether a column contains a text, ignoring case; `sought` creates its parameters. */
  holdsSought(column: string): string;
  sought(text: string): Readonly<Record<string, string>>;

  /** Reads the size of the database on disk, as `bytes`. */
  readonly sizeQuery: string;

  /** Reads the id that a table will give to its next row, for the duration of the transaction. */
  nextId(table: string): string;

  /**
   * Returns free pages of the database to the disk, a bounded number at a time.
   *
   * @returns how many pages; 0 = no more
   */
  giveBackPages(connection: Connection): (wanted: { readonly all: boolean }) => Promise<number>;
}
