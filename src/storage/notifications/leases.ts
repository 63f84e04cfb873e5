import { SECOND_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { prepare } from '../engine/statement.ts';

/** The length of a lease without a renewal by its node. */
export const LEASE_MS = 15 * SECOND_MS;

/** Targets to which something is due. */
const IS_DUE = `next_due_at <= :now and rests_until <= :now and leased_until <= ${'#clock'}
  and exists (select 1 from targets where id = target_id and paused_at is null)`;

/** By the clock of a shared database, because those of nodes differ. */
const leaseClock = ({ sqlDialect }: Database): string =>
  sqlDialect.isShared
    ? 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)'
    : 'cast(:now as bigint)';

/** Targets that a node has leased. */
interface HeldLeases {
  readonly holder: string;
  readonly targetIds: readonly number[];
}

export function leaseJobs(db: Database) {
  const clock = leaseClock(db);
  const lease = prepare<{ targetId: number }>(
    db,
    `
    update target_states set leased_until = ${clock} + ${LEASE_MS}, lease_holder = :holder
      where target_id in (
        select target_id from target_states where ${IS_DUE.replace('#clock', clock)}
          order by next_due_at, target_id limit :limit)
      returning target_id as targetId
    `,
  );
  const renew = prepare<{ targetId: number }>(
    db,
    `
    update target_states set leased_until = ${clock} + ${LEASE_MS}
      where lease_holder = :holder and target_id = :targetId returning target_id as targetId
    `,
  );
  const release = prepare(
    db,
    'update target_states set leased_until = 0, lease_holder = null where lease_holder = :holder',
  );
  const releaseAll = prepare(db, 'update target_states set leased_until = 0, lease_holder = null');

  return {
    /**
     * Leases targets to which something is due, those that have waited longest first.
     *
     * @returns their ids
     */
    leaseTargets: usesReserve(
      async (wanted: { holder: string; limit: number; now: number }): Promise<number[]> =>
        (await lease.all(wanted)).map(({ targetId }) => targetId),
    ),

    /**
     * Renews the leases of a node.
     *
     * @returns the ids of the targets that it still has
     */
    renewLeases: usesReserve(
      async ({ holder, targetIds, now }: HeldLeases & { now: number }): Promise<number[]> => {
        const renewed: number[] = [];
        for (const targetId of targetIds)
          if (await renew.get({ holder, targetId, now })) renewed.push(targetId);
        return renewed;
      },
    ),

    /** Ends the leases of a node that stops; of every node where none can run. */
    releaseLeases: usesReserve(async ({ holder }: { holder: string | null }): Promise<void> => {
      await (holder === null ? releaseAll.run() : release.run({ holder }));
    }),
  };
}

/** Reads whether something is due to any target without a lease. */
export function readIsDue(db: Database): (now: number) => Promise<boolean> {
  const due = prepare<{ due: number }>(
    db,
    `select 1 as due from target_states where ${IS_DUE.replace('#clock', leaseClock(db))} limit 1`,
  );
  return async (now) => (await due.get({ now })) !== undefined;
}
