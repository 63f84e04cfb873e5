import { and, eq, gt, lte } from 'drizzle-orm';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { ofRetention } from '../engine/retention.ts';
import { STALE } from '../engine/stale.ts';
import type { Row } from '../engine/table.ts';
import { adminRequests } from './tables.ts';

/** A request of the admin API that its sender may repeat. */
export type RepeatableRequest = Omit<Row<typeof adminRequests>, 'outcome' | 'doneAt'>;

/** The outcome of such a request, without keys or data of customers. */
export type RequestOutcome = Readonly<Record<string, unknown>>;

/** How long a request is not repeated. */
export const REPEAT_MS_MAX = DAY_MS;

/** Reads the outcome of a request with the same key, and its body's hash. */
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
    /** Stores the outcome of a request, unless the request was just done: then the change is stale. */
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

    /** Deletes requests that may be repeated. */
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
