import { and, eq, gt, lte } from 'drizzle-orm';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { ofRetention } from '../engine/retention.ts';
import { STALE } from '../engine/stale.ts';
import type { Row } from '../engine/table.ts';
import { adminRequests } from './tables.ts';

/** A request of the admin API that its sender may repeat. */
export type RepeatableRequest = Omit<Row<typeof adminRequests>, 'outcome' | 'doneAt'>;

/** What was done for such a request: facts without a key, and nothing of a customer. */
export type RequestOutcome = Readonly<Record<string, unknown>>;

/** How long a request is not done again. */
export const REPEAT_MS_MAX = DAY_MS;

/** Reads what was done for a request that has the same key, and the body that it had. */
export const readAdminRequests =
  (db: Database) =>
  async (
    { tokenId, path, keyHash }: RepeatableRequest,
    now: number,
  ): Promise<{ bodyHash: string; outcome: RequestOutcome } | undefined> =>
    db
      .select({ bodyHash: adminRequests.bodyHash, outcome: adminRequests.outcome })
      .from(adminRequests)
      .where(
        and(
          eq(adminRequests.tokenId, tokenId),
          eq(adminRequests.path, path),
          eq(adminRequests.keyHash, keyHash),
          gt(adminRequests.doneAt, now - REPEAT_MS_MAX),
        ),
      )
      .get();

export function adminRequestJobs(db: Database) {
  return {
    /** Notes what is done for a request, unless that was done a moment before: then the change is stale. */
    async keepAdminRequest(
      done: RepeatableRequest & { outcome: RequestOutcome; doneAt: number },
    ): Promise<typeof STALE | undefined> {
      const { bodyHash, outcome, doneAt } = done;
      const { changes } = await db
        .insert(adminRequests)
        .values(done)
        .onConflictDoUpdate({
          target: [adminRequests.tokenId, adminRequests.path, adminRequests.keyHash],
          set: { bodyHash, outcome, doneAt },
          setWhere: lte(adminRequests.doneAt, doneAt - REPEAT_MS_MAX),
        })
        .run();
      return Number(changes) === 0 ? STALE : undefined;
    },

    /** Forgets requests that would be done again. */
    forgetAdminRequests: ofRetention(
      ({ now }) => ({ now }),
      async ({ now }: { now: number }): Promise<void> => {
        await db
          .delete(adminRequests)
          .where(lte(adminRequests.doneAt, now - REPEAT_MS_MAX))
          .run();
      },
    ),
  };
}
