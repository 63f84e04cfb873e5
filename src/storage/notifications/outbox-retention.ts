import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { ofRetention } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';

/** How long events can be replayed. */
export const RETAINED_DAYS = 30;
/** Limit of retained events. */
const RETAINED_MAX = 1_000_000;
const RETENTION_CHUNK_EVENTS = 5_000;
/** A refused domain makes one event a day. */
const REFUSED_DAYS = 2;

export function outboxRetentionJobs(db: Database) {
  const lastOf = prepare<{ upTo: number | null }>(
    db,
    `
    select max(id) as upTo from (
      select id from outbox
        where at < :before or id <= (select max(id) from outbox) - ${RETAINED_MAX}
        order by id limit ${RETENTION_CHUNK_EVENTS}) as oldest
    `,
  );
  const waiting = prepare<{ targetId: number }>(
    db,
    'select target_id as targetId from target_states where waiting > 0',
  );
  const drop = prepare(db, 'delete from deliveries where target_id = :targetId and event_id <= :upTo');
  const countDropped = prepare(
    db,
    `
    update target_states set waiting = waiting - :dropped, dropped = dropped + :dropped,
        next_due_at = (select min(due_at) from deliveries where target_id = :targetId)
      where target_id = :targetId
    `,
  );
  const forget = prepare(db, 'delete from outbox where id <= :upTo');
  const forgetRefused = prepare(db, "delete from noted_states where kind = 'refused' and noted_at < :before");

  return {
    /**
     * Deletes the oldest events, a bounded number at a time. Events that still wait for a target are dropped, and counted.
     *
     * @returns how many; 0 = none left
     */
    forgetOutbox: ofRetention(
      ({ now }) => ({ now }),
      async ({ now }: { now: number }): Promise<number> => {
        await forgetRefused.run({ before: now - REFUSED_DAYS * DAY_MS });
        const upTo = (await lastOf.get({ before: now - RETAINED_DAYS * DAY_MS }))?.upTo ?? null;
        if (upTo === null) return 0;
        for (const { targetId } of await waiting.all()) {
          const dropped = Number((await drop.run({ targetId, upTo })).changes);
          if (dropped > 0) await countDropped.run({ targetId, dropped });
        }
        return Number((await forget.run({ upTo })).changes);
      },
    ),
  };
}
