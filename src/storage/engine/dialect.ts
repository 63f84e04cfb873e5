import type { SQL, SQLWrapper } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { SiteEvent } from '../../domain/event/events.ts';
import type { Connection } from './connection.ts';

/** What each engine says in words of its own. All other statements are in words that both know. */
export interface Dialect {
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

  /** How the feed is counted, on one connection and in one transaction. */
  readonly corroboration: {
    /** Makes a place for the customers by license, for this connection alone: threat_reports has no index by license. */
    readonly noVouchers: string;
    /** Adds some of them: its parameter is a list of pairs of a license and a customer, in JSON. */
    readonly addVouchers: string;
    /**
     * The threats that enough vouch for, each with the attack type of its newest report, or of the installation by whose word alone it is
     * known. Of too many, only those that are kept are sorted by their fingerprints.
     */
    readonly threats: string;
  };

  /**
   * Gives free room of the database back to the disk, a bounded part at a time.
   *
   * @returns how many pages; when that is 0, no more are given back
   */
  giveBackPages(connection: Connection): (wanted: { readonly all: boolean }) => Promise<number>;

  /** Adds events, but for those that their site has sent before. */
  addEvents(connection: Connection): AddEvents;
}

/**
 * Adds the events of any number of requests, one after another.
 *
 * @returns of each request the ids of its events, each larger than those before it; undefined for one that is there already
 */
export type AddEvents = (requests: readonly NewEvents[]) => Promise<(number | undefined)[][]>;

export interface NewEvents {
  readonly licenseId: number;
  readonly siteId: number;
  readonly receivedAt: number;
  readonly events: readonly SiteEvent[];
}
