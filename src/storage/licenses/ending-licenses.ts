import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

const ENDING_DAYS = 30;

/** Counts the licenses that, without an earlier end of another kind, end within thirty days; only these are read. */
export function readEndingLicenses(db: Database): (now: number) => Promise<number> {
  const ending = prepare<{ count: number }>(
    db,
    `
    select count(*) as count from licenses
      where expires_at > :now and expires_at <= :endingAt and revoked_at is null and pending_until is null
    `,
  );
  return async (now) => Number((await ending.get({ now, endingAt: now + ENDING_DAYS * DAY_MS }))?.count ?? 0);
}
