import { sql } from 'drizzle-orm';
import { TRIES_COUNT_MS, type TryKind, waitMsAfter } from '../../domain/admin/sign-in-tries.ts';
import { MINUTE_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { prepare } from '../engine/statement.ts';

/** Limit of places of each kind; the one with the oldest failure is removed. */
const PLACES_MAX: Readonly<Record<TryKind, number>> = { known: 10_000, unknown: 1_000, codes: 1_000 };
/** Maximum difference of nodes' clocks. A later time comes from a clock that ran ahead, and would block forever. */
const AHEAD_MS_MAX = MINUTE_MS;

/** The place of an attempt: derived from a name, which may be a password by mistake, and an address. */
export interface TriedPlace {
  readonly place: string;
}

export interface NewTry extends TriedPlace {
  readonly kind: TryKind;
  /** Whether it is counted without a delay. */
  readonly isExempt: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Failed attempts to sign in, counted for all nodes. */
export function signInTryJobs(db: Database) {
  const find = prepare<{ tries: number; lastAt: number }>(
    db,
    'select tries, last_at as "lastAt" from sign_in_tries where place = ?',
  );
  const forget = prepare(db, 'delete from sign_in_tries where last_at < ? or last_at > ?');
  const note = prepare(
    db,
    `insert into sign_in_tries (place, kind, tries, last_at) values (?, ?, 1, ?)
      on conflict (place) do update set tries = sign_in_tries.tries + 1, last_at = excluded.last_at`,
  );
  const makeRoom = (kind: TryKind) =>
    db.run(sql`delete from sign_in_tries where place in (
      select place from sign_in_tries where kind = ${kind}
        order by last_at desc, place ${db.sqlDialect.beyond(PLACES_MAX[kind])}
    )`);
  const lower = prepare(db, 'update sign_in_tries set tries = tries - 1 where place = ?');
  const clear = prepare(db, 'delete from sign_in_tries where place = ?');

  return {
    /**
     * Counts an attempt before its result is known, so that simultaneous attempts count too.
     *
     * @returns how long it has to wait; then it is not counted
     */
    countSignInTry: usesReserve(async ({ place, kind, isExempt, now }: NewTry): Promise<number> => {
      await forget.run(now - TRIES_COUNT_MS, now + AHEAD_MS_MAX);
      const failed = await find.get(place);
      const waitMs = failed && !isExempt ? waitMsAfter(failed, now) : 0;
      if (waitMs > 0) return waitMs;
      await note.run(place, kind, now);
      await makeRoom(kind);
      return 0;
    }),

    /** Uncounts an attempt without a result. */
    takeBackSignInTry: usesReserve(async ({ place }: TriedPlace): Promise<void> => {
      await lower.run(place);
    }),

    /** Deletes the failures of a place after a success. */
    forgetSignInTries: usesReserve(async ({ place }: TriedPlace): Promise<void> => {
      await clear.run(place);
    }),
  };
}
