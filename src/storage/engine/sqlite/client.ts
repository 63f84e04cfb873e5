import { DatabaseSync } from 'node:sqlite';
import type { Database } from '../database.ts';

/** One connection. Only storage/engine/ looks inside. */
export interface SqliteDatabase extends Database {
  readonly $client: DatabaseSync;
}

/** A database as a part of SQLite's needs it, which another engine has no use for. */
export function clientOf(db: Database): DatabaseSync {
  if ('$client' in db && db.$client instanceof DatabaseSync) return db.$client;
  throw new Error('this is of SQLite alone');
}
