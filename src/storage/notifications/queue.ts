import { WAITING_MAX } from '../../domain/notification/target.ts';
import type { Database } from '../engine/database.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepare } from '../engine/statement.ts';

/** Adds events to the queues of targets. */
export const prepareQueue = perDatabase((db: Database) => {
  const add = prepare(
    db,
    `
    insert into deliveries (target_id, event_id, attempts, due_at) values (:targetId, :eventId, 0, :dueAt)
      on conflict (target_id, event_id) do nothing
    `,
  );
  const count = prepare<{ waiting: number }>(
    db,
    `
    update target_states set waiting = waiting + 1,
        next_due_at = case when next_due_at < :dueAt then next_due_at else cast(:dueAt as bigint) end
      where target_id = :targetId returning waiting
    `,
  );
  const dropOldest = prepare(
    db,
    `
    delete from deliveries where target_id = :targetId and event_id in (
      select event_id from deliveries where target_id = :targetId order by event_id limit :surplus)
    `,
  );
  const countDropped = prepare(
    db,
    `
    update target_states set waiting = waiting - :surplus, dropped = dropped + :surplus where target_id = :targetId
    `,
  );

  return {
    /**
     * Queues an event for a target; at the limit, drops the oldest.
     *
     * @returns whether it was not queued already
     */
    async enqueue(targetId: number, eventId: number, dueAt: number): Promise<boolean> {
      if (Number((await add.run({ targetId, eventId, dueAt })).changes) === 0) return false;
      const { waiting = 0 } = (await count.get({ targetId, dueAt })) ?? {};
      const surplus = waiting - WAITING_MAX;
      if (surplus > 0) {
        await dropOldest.run({ targetId, surplus });
        await countDropped.run({ targetId, surplus });
      }
      return true;
    },
  };
});
