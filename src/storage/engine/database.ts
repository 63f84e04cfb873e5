import type { SQLiteAsyncDatabase } from 'drizzle-orm/sqlite-core';
import { Fault } from '../../lib/fault.ts';
import type { Changed, Connection } from './connection.ts';
import type { Dialect } from './dialect.ts';

/** Drizzle's queries, with immediate or later results. */
export type Queries = SQLiteAsyncDatabase<'sync' | 'async', Changed>;

/**
 * A database for readers and writers. Queries are built for SQLite, which answers at once, in this thread, without a promise;
 * another engine gets the same text and answers later. So every result is awaited.
 */
export interface Database extends Queries {
  readonly sqlDialect: Dialect;
  readonly connection: Connection;
}

/** The database cannot be used; the message is for the operator. */
export class DatabaseUnusable extends Fault {}

/** The database did not answer in time, or cannot be reached; a retry may succeed soon. */
export class DatabaseAway extends Fault {}

/** Whether an error, or its cause, is that the database was unavailable. */
export const isAway = (error: unknown): boolean =>
  error instanceof DatabaseAway || (error instanceof Error && isAway(error.cause));

/** Writes the log next to a database into the database and truncates it. */
export const truncateLog = async ({ connection }: Database): Promise<void> => connection.truncateLog();

export const disconnect = async ({ connection }: Database): Promise<void> => connection.close();

/**
 * Runs several reads on one state of the database, so that their results are consistent. Other callers must not use the
 * connection until it ends.
 */
export async function readAtOnce<Value>(
  { connection }: Database,
  read: () => Promise<Value>,
): Promise<Value> {
  await connection.beginReading();
  try {
    const value = await read();
    await connection.commit();
    return value;
  } catch (error) {
    await connection.rollback();
    throw error;
  }
}

/**
 * Runs changes in a transaction.
 *
 * @throws when it cannot begin or commit, or the work throws; then nothing was changed
 */
export async function inTransaction<Value>(
  { connection }: Database,
  work: () => Promise<Value>,
): Promise<Value> {
  await connection.beginChanging();
  try {
    const value = await work();
    await connection.commit();
    return value;
  } catch (error) {
    await connection.rollback();
    throw error;
  }
}
