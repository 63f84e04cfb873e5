import { and, desc, eq, gt, lte, ne, notInArray, sql } from 'drizzle-orm';
import { SESSION_MS } from '../../domain/admin/operator.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { ofRetention } from '../engine/retention.ts';
import type { Row } from '../engine/table.ts';
import { licenses, portalSessions } from './tables.ts';

/** Limit for one license; the oldest are removed. */
const SESSIONS_OF_LICENSE = 20;

export interface NewPortalSession extends Omit<Row<typeof portalSessions>, 'startedAt'> {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Reads the license of a session, by the hash of its token, if it began after a moment and the license's key is unchanged. */
export function readPortalSession(
  db: Database,
): (tokenHash: string, startedAfter: number) => Promise<number | undefined> {
  const found = lazily(() =>
    db
      .select({ licenseId: portalSessions.licenseId })
      .from(portalSessions)
      .innerJoin(
        licenses,
        and(eq(licenses.id, portalSessions.licenseId), eq(licenses.keyHash, portalSessions.keyHash)),
      )
      .where(
        and(
          eq(portalSessions.tokenHash, sql.placeholder('tokenHash')),
          gt(portalSessions.startedAt, sql.placeholder('startedAfter')),
        ),
      )
      .prepare(),
  );
  return async (tokenHash, startedAfter) => (await found.get({ tokenHash, startedAfter }))?.licenseId;
}

export function portalSessionJobs(db: Database) {
  return {
    /** Starts a session, if its key is the license's present one. */
    async startPortalSession({
      licenseId,
      keyHash,
      tokenHash,
      now,
    }: NewPortalSession): Promise<Refusal | undefined> {
      const isPresent = and(eq(licenses.id, licenseId), eq(licenses.keyHash, keyHash));
      if ((await db.select({ id: licenses.id }).from(licenses).where(isPresent).get()) === undefined)
        return refuse('INVALID_KEY', 'This key was rotated. Sign in with the new key.');
      await db.insert(portalSessions).values({ tokenHash, licenseId, keyHash, startedAt: now }).run();
      const others = and(eq(portalSessions.licenseId, licenseId), ne(portalSessions.tokenHash, tokenHash));
      const newest = db
        .select({ tokenHash: portalSessions.tokenHash })
        .from(portalSessions)
        .where(others)
        .orderBy(desc(portalSessions.startedAt))
        .limit(SESSIONS_OF_LICENSE - 1);
      await db
        .delete(portalSessions)
        .where(and(others, notInArray(portalSessions.tokenHash, newest)))
        .run();
      return undefined;
    },

    endPortalSession: usesReserve(async ({ tokenHash }: { tokenHash: string }): Promise<void> => {
      await db.delete(portalSessions).where(eq(portalSessions.tokenHash, tokenHash)).run();
    }),

    /** Deletes sessions that began before a moment. */
    forgetPortalSessions: ofRetention(
      ({ now }) => ({ startedBefore: now - SESSION_MS }),
      async ({ startedBefore }: { startedBefore: number }): Promise<void> => {
        await db.delete(portalSessions).where(lte(portalSessions.startedAt, startedBefore)).run();
      },
    ),
  };
}
