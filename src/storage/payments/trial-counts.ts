import { DAY_MS, utcDayNumber } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

/** Trials of all customers. */
export interface TrialCounts {
  /** Licenses in trial that has not ended. */
  readonly running: number;
  /** Reservations waiting for a card. */
  readonly waiting: number;
  /** Trials begun on this UTC day. */
  readonly begunToday: number;
}

/** @returns a function that counts trials at a moment */
export function readTrialCounts(db: Database): (now: number) => Promise<TrialCounts> {
  const counts = prepare<TrialCounts>(
    db,
    `
    select (select count(*) from licenses where kind = 'trial' and expires_at > :now and revoked_at is null
        and pending_until is null) as running,
      (select count(*) from trials where confirmed_at is null and reserved_until > :now) as waiting,
      (select count(*) from trials where confirmed_at >= :day) as begunToday
    `,
  );
  return async (now) =>
    (await counts.get({ now, day: utcDayNumber(now) * DAY_MS })) ?? { running: 0, waiting: 0, begunToday: 0 };
}
