import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

/**
 * The latest time that this service itself has stored, in milliseconds since the Unix epoch; 0 in a new database. Reads the
 * times that retention corrects when the clock ran ahead, and those of licenses.
 */
export async function readNewestMoment(db: Database): Promise<number> {
  const newest = prepare<{ newest: number }>(
    db,
    `select ${db.sqlDialect.larger}(
        coalesce((select max(last_seen_at) from sites), 0),
        coalesce((select max(created_at) from licenses), 0)
      ) as newest`,
  );
  return (await newest.get())?.newest ?? 0;
}
