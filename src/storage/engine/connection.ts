import type { Awaitable } from '../../lib/awaitable.ts';

type Value = string | number | null;
/** By their names, which stand in the text behind colons; or in their order, for question marks. */
export type Values = readonly [Readonly<Record<string, Value>>] | readonly Value[];

/** What a statement did. */
export interface Changed {
  /** How many rows. */
  readonly changes: number | bigint;
}

/** A statement in plain SQL, for the hottest paths: Drizzle's mapping can cost more than the statement. */
export interface Statement<Row> {
  get(...values: Values): Awaitable<Row | undefined>;
  all(...values: Values): Awaitable<Row[]>;
  /** Reads row by row. */
  iterate(...values: Values): Iterable<Row> | AsyncIterable<Row>;
  run(...values: Values): Awaitable<Changed>;
}

/** What a database is asked beside Drizzle's queries. */
export interface Connection {
  prepare<Row>(text: string): Statement<Row>;
  /** Runs statements that give no rows. */
  execute(text: string): Awaitable<void>;
  /** Begins a transaction that sees one state of the database, and changes nothing. */
  beginReading(): Awaitable<void>;
  /** Begins a transaction that may change the database: there is one at a time. */
  beginChanging(): Awaitable<void>;
  commit(): Awaitable<void>;
  /** Undoes the transaction, if there still is one. */
  rollback(): Awaitable<void>;
  /**
   * Runs one statement that may be refused, which undoes nothing else of a transaction.
   *
   * @returns whether it was not
   */
  attempt(statement: () => PromiseLike<unknown>): Promise<boolean>;
  /** Tries whether a transaction can be committed; one that also writes, though nothing changes, is brought to disk. */
  probe(write: boolean): Awaitable<void>;
  /** Brings everything from a log beside the database into it, where there is one, and gives the log's room back. */
  truncateLog(): Awaitable<void>;
  close(): Awaitable<void>;
}
