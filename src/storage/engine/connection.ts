import type { Awaitable } from '../../lib/awaitable.ts';

type Value = string | number | null;
/** By name, for `:name` in the text; or in order, for question marks. */
export type Values = readonly [Readonly<Record<string, Value>>] | readonly Value[];

/** The result of a statement. */
export interface Changed {
  /** Number of rows. */
  readonly changes: number | bigint;
}

/** A statement in plain SQL, for the hottest paths: Drizzle's mapping can cost more than the statement. */
export interface Statement<Row> {
  get(...values: Values): Awaitable<Row | undefined>;
  all(...values: Values): Awaitable<Row[]>;
  /** Reads one row at a time. */
  iterate(...values: Values): Iterable<Row> | AsyncIterable<Row>;
  run(...values: Values): Awaitable<Changed>;
}

/** Operations of a database in addition to Drizzle's queries. */
export interface Connection {
  prepare<Row>(text: string): Statement<Row>;
  /** Runs statements that return no rows. */
  execute(text: string): Awaitable<void>;
  /** Begins a read-only transaction on one state of the database. */
  beginReading(): Awaitable<void>;
  /** Begins a transaction that may change the database: there is one at a time. */
  beginChanging(): Awaitable<void>;
  commit(): Awaitable<void>;
  /** Rolls the transaction back, if there is one. */
  rollback(): Awaitable<void>;
  /**
   * Runs one statement that may fail without an effect on the rest of a transaction.
   *
   * @returns whether it succeeded
   */
  attempt(statement: () => PromiseLike<unknown>): Promise<boolean>;
  /** Tests whether a transaction can be committed; with `write`, one that reaches the disk though it changes nothing. */
  probe(write: boolean): Awaitable<void>;
  /** Writes the log next to the database, if there is one, into the database and truncates it. */
  truncateLog(): Awaitable<void>;
  close(): Awaitable<void>;
}
