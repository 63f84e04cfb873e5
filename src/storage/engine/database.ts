import type { SQLiteAsyncDatabase } from 'drizzle-orm/sqlite-core';
import { Fault } from '../../lib/fault.ts';
import type { Changed, Connection } from './connection.ts';
import type { Dialect } from './dialect.ts';

/** Drizzle's queries, whose results are there at once or later. */
export type Queries = SQLiteAsyncDatabase<'sync' | 'async', Changed>;

/**
 * A database, as whoever reads and changes it knows it. Queries are built for SQLite, which is asked at once, in this thread, and
 * answers without a promise; another engine is given the same text and answers later. So whatever is asked is awaited.
 */
export interface Database extends Queries {
  readonly sqlDialect: Dialect;
  readonly connection: Connection;
}

/** The database cannot be used; the message is for the operator. */
export class DatabaseUnusable extends Fault {}

/** The database did not answer in time, or cannot be reached: the same may work a moment later. */
export class DatabaseAway extends Fault {}

/** Whether something failed because the database was away, also where that was wrapped. */
export const isAway = (error: unknown): boolean =>
  error instanceof DatabaseAway || (error instanceof Error && isAway(error.cause));

/** Brings everything from a log beside a database into it, and gives the log's room back. */
export const truncateLog = async ({ connection }: Database): Promise<void> => connection.truncateLog();

/** Closes a connection. */
export const disconnect = async ({ connection }: Database): Promise<void> => connection.close();

/**
 * Runs several reads on one state of the database, so that what they say fits together. Nobody else may use the connection
 * until they are over.
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
 * Runs changes as a whole or not at all.
 *
 * @throws when it cannot begin or commit, or the work throws; then none of it happened
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
