import { DatabaseSync } from 'node:sqlite';
import type { Database } from '../database.ts';

/** One connection. Only storage/engine/ uses its client. */
export interface SqliteDatabase extends Database {
  readonly $client: DatabaseSync;
}

/** The client of a database, for operations that only SQLite has. */
export function clientOf(db: Database): DatabaseSync {
  if ('$client' in db && db.$client instanceof DatabaseSync) return db.$client;
  throw new Error('this is of SQLite alone');
}
