import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

/** Reads how many bytes the database takes on disk. */
export function readDatabaseSize(db: Database): () => Promise<number> {
  const size = prepare<{ bytes: number }>(db, db.sqlDialect.sizeQuery);
  return async () => Number((await size.get())?.bytes ?? 0);
}
