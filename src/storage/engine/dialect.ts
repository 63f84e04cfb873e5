import type { SQL, SQLWrapper } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Connection } from './connection.ts';

/** The databases that the storage runs on. */
export type Engine = 'sqlite' | 'postgres';

/** What each engine says in words of its own. All other statements are in words that both know. */
export interface Dialect {
  readonly engine: Engine;

  /** Whether processes on several hosts may use one database. */
  readonly isShared: boolean;

  /** The name of the function that picks the largest of several values. */
  readonly larger: string;

  /** Whether a condition holds in any row of a group. */
  anyOf(condition: SQLWrapper): SQL;

  /** The texts of a group as a list. */
  listOf(column: SQLiteColumn): SQL<string[]>;

  /** Whether a column has one of any number of values, which count as one parameter. */
  isAmong(column: SQLiteColumn, values: readonly number[]): SQL;

  /** The same in plain SQL, behind a column; its one parameter is made by `given`. */
  readonly isAmongGiven: string;
  given(values: readonly number[]): string;

  /** In plain SQL: rows of so many numbers each. The one parameter is JSON, a list of lists. */
  numbersGiven(columns: number): string;

  endsWith(column: SQLiteColumn, suffix: string): SQL;

  /** Of the rows in their order, those behind the first so many. */
  beyond(rows: number): SQL;

  /** In plain SQL: the text that a column with a JSON object holds under a name. */
  textIn(column: string, name: string): string;

  /** In plain SQL: whether a column holds a text, as it is, of characters that need no escaping. */
  contains(column: string, text: string): string;

  /** Whether a column names a range of licenses, such as `lic_1..lic_9`, that has an id in it. */
  isRangeWith(column: SQLiteColumn, id: number): SQL;

  /** In plain SQL: whether a column holds a text in any case; its parameters are made by `sought`. */
  holdsSought(column: string): string;
  sought(text: string): Readonly<Record<string, string>>;

  /** Reads the id that a table gives to its next row, for as long as the transaction lasts. */
  nextId(table: string): string;

  /**
   * Gives free room of the database back to the disk, a bounded part at a time.
   *
   * @returns how many pages; when that is 0, no more are given back
   */
  giveBackPages(connection: Connection): (wanted: { readonly all: boolean }) => Promise<number>;
}
