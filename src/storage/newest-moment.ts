import type { Database } from './engine/database.ts';

/**
 * The latest moment that this service itself has written down, in milliseconds since the Unix epoch; 0 in a new database.
 * Moments that retention puts right when the clock ran ahead, and those of licenses.
 */
export function readNewestMoment({ $client }: Database): number {
  const row = $client
    .prepare(
      `select max(
        coalesce((select max(last_seen_at) from sites), 0),
        coalesce((select max(created_at) from licenses), 0)
      ) as newest`,
    )
    .get() as { newest: number };
  return row.newest;
}
