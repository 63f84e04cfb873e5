import { type After, DAY_MS, SECOND_MS } from '../../../lib/clock.ts';
import { every } from '../../../lib/every.ts';
import { newOpaqueId } from '../../../lib/opaque-id.ts';
import type { ClockWork, WorkName } from '../clock-work.ts';
import type { Database } from '../database.ts';
import { prepare } from '../statement.ts';

/** A node that says nothing for so long has died, or was halted. */
const HELD_MS = 15 * SECOND_MS;
const RENEW_EVERY_MS = 5 * SECOND_MS;
/** No clock is ahead by more except by mistake, which must not block work. */
const AHEAD_MS_MAX = DAY_MS;

/** By the database's clock: those of the nodes differ. */
const NOW = 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';

type Taken = { readonly name: WorkName; readonly due: number; readonly holder: string };

/** Runs scheduled work once for all nodes of a database. */
export function sharedClockWork(db: Database, after: After): ClockWork {
  const holder = newOpaqueId();
  const take = prepare<{ holder: string }>(
    db,
    `
    insert into clock_work as known (name, due_at, holder, held_until) values (:name, :due, :holder, ${NOW} + ${HELD_MS})
      on conflict (name) do update
        set due_at = excluded.due_at, holder = excluded.holder, held_until = excluded.held_until, finished_at = null
        where case when known.finished_at is null then known.held_until < ${NOW} else known.due_at < excluded.due_at end
          or known.due_at > excluded.due_at + ${AHEAD_MS_MAX}
      returning holder
    `,
  );
  const stateOf = prepare<{ finished: number }>(
    db,
    'select (finished_at is not null)::int as finished from clock_work where name = ?',
  );
  const ours = 'name = :name and due_at = :due and holder = :holder and finished_at is null';
  const renew = prepare(db, `update clock_work set held_until = ${NOW} + ${HELD_MS} where ${ours}`);
  const finish = prepare(db, `update clock_work set finished_at = ${NOW} where ${ours}`);
  const leave = prepare(db, `update clock_work set held_until = 0 where ${ours}`);

  /** Renews this node's claim; if it cannot, another node may begin. */
  const hold = (taken: Taken) =>
    every(
      RENEW_EVERY_MS,
      after,
      async () => void (await renew.run(taken)),
      () => {},
    );

  return {
    async once(name, dueAtMs, work) {
      const taken = { name, due: dueAtMs, holder };
      if ((await take.get(taken)) === undefined)
        return (await stateOf.get(name))?.finished === 1 ? 'past' : 'held';
      const letGo = hold(taken);
      try {
        await work();
      } catch (error) {
        // A claim that cannot be released expires soon.
        await Promise.resolve(leave.run(taken)).catch(() => {});
        throw error;
      } finally {
        letGo();
      }
      await finish.run(taken);
      return 'done';
    },
  };
}
