import { eq } from 'drizzle-orm';
import type { AfterFailure } from '../../domain/notification/after-failure.ts';
import type { Database } from '../engine/database.ts';
import { perDatabase } from '../engine/per-database.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { prepare } from '../engine/statement.ts';
import { ATTEMPTS_KEPT, type Attempt } from './delivery-attempts.ts';
import { deliveryLogs } from './tables.ts';
import { targetJobs } from './target-jobs.ts';

/** The outcome of sending to a leased target. Moments are milliseconds since the Unix epoch. */
export interface Sent {
  readonly targetId: number;
  /** The node that has leased it. */
  readonly holder: string;
  /** Ids of events that arrived. */
  readonly delivered: readonly number[];
  /** Ids of events that failed, and the consequences; null = none failed. */
  readonly failed: (AfterFailure & { readonly events: readonly number[] }) | null;
  /** Newest first, up to the limit. */
  readonly attempts: readonly Attempt[];
  /** Whether more is due immediately. */
  readonly isMoreDue: boolean;
  /** Whether its lease ends. */
  readonly isOver: boolean;
  readonly now: number;
}

export const deliveryJobs = perDatabase((db: Database) => {
  const { isAmongGiven, given } = db.sqlDialect;
  const { pauseTarget } = targetJobs(db);
  const arrived = prepare(db, `delete from deliveries where target_id = ? and event_id ${isAmongGiven}`);
  const postpone = prepare(
    db,
    `update deliveries set attempts = ?, due_at = ? where target_id = ? and event_id ${isAmongGiven}`,
  );
  const settle = prepare<{ targetId: number }>(
    db,
    `
    update target_states set waiting = waiting - :arrived,
        next_due_at = case when :isMoreDue = 1 then cast(:now as bigint)
          else (select min(due_at) from deliveries where target_id = :targetId) end,
        succeeded_at = coalesce(cast(:succeededAt as bigint), succeeded_at),
        failed_at = coalesce(cast(:failedAt as bigint), failed_at),
        failure = case when cast(:failedAt as bigint) is not null then cast(:failure as text)
          when cast(:succeededAt as bigint) is not null then null else failure end,
        rests_until = case when cast(:restsUntil as bigint) is null then rests_until else cast(:restsUntil as bigint) end,
        leased_until = case when lease_holder = :holder and :isOver = 1 then 0 else leased_until end,
        lease_holder = case when lease_holder = :holder and :isOver = 1 then null else lease_holder end
      where target_id = :targetId returning target_id as targetId
    `,
  );
  const keepAttempts = async (targetId: number, attempts: readonly Attempt[]): Promise<void> => {
    if (attempts.length === 0) return;
    const ofTarget = eq(deliveryLogs.targetId, targetId);
    const before = await db
      .select({ attempts: deliveryLogs.attempts })
      .from(deliveryLogs)
      .where(ofTarget)
      .get();
    const kept = [...attempts, ...(before?.attempts ?? [])].slice(0, ATTEMPTS_KEPT);
    await db
      .insert(deliveryLogs)
      .values({ targetId, attempts: kept })
      .onConflictDoUpdate({ target: deliveryLogs.targetId, set: { attempts: kept } })
      .run();
  };

  return {
    /** Stores the outcome of sending to a target. */
    completeDeliveries: usesReserve(async (sent: Sent): Promise<void> => {
      const { targetId, holder, delivered, failed, attempts, isMoreDue, isOver, now } = sent;
      const gone =
        delivered.length === 0 ? 0 : Number((await arrived.run(targetId, given(delivered))).changes);
      if (failed) await postpone.run(failed.attempts, failed.dueAt, targetId, given(failed.events));
      const settled = await settle.get({
        targetId,
        holder,
        now,
        arrived: gone,
        isMoreDue: Number(isMoreDue),
        isOver: Number(isOver),
        succeededAt: delivered.length > 0 ? now : null,
        failedAt: failed ? now : null,
        failure: failed ? (attempts[0]?.reason ?? null) : null,
        restsUntil: failed?.restsUntil ?? null,
      });
      // It was removed meanwhile.
      if (settled === undefined) return;
      await keepAttempts(targetId, attempts);
      if (failed?.pause) await pauseTarget({ id: targetId, reason: failed.pause, now });
    }),
  };
});
