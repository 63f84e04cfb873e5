import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { ofRetention } from '../engine/retention.ts';
import type { Row } from '../engine/table.ts';
import { licenses, previousKeys } from './tables.ts';

/** The visible fields of a license's previous key. */
export type PreviousKey = Omit<Row<typeof previousKeys>, 'licenseId' | 'keyHash'>;

/** Reads a license's previous key, if it still works. */
export function readPreviousKeys(
  db: Database,
): (licenseId: number, now: number) => Promise<PreviousKey | undefined> {
  const { keyPrefix, keyLast4, worksUntil } = previousKeys;
  const one = lazily(() =>
    db
      .select({ keyPrefix, keyLast4, worksUntil })
      .from(previousKeys)
      .where(
        and(eq(previousKeys.licenseId, sql.placeholder('licenseId')), gt(worksUntil, sql.placeholder('now'))),
      )
      .prepare(),
  );
  return async (licenseId, now) => one.get({ licenseId, now });
}

/** Operations for jobs that change a license's key. */
export function keepPreviousKeys(db: Database) {
  const { keyHash, keyPrefix, keyLast4 } = licenses;
  return {
    presentKey: (licenseId: number) =>
      db.select({ keyHash, keyPrefix, keyLast4 }).from(licenses).where(eq(licenses.id, licenseId)).get(),
    keep: async (key: typeof previousKeys.$inferInsert): Promise<void> => {
      await db.insert(previousKeys).values(key).run();
    },
    end: async (licenseId: number): Promise<void> => {
      await db.delete(previousKeys).where(eq(previousKeys.licenseId, licenseId)).run();
    },
  };
}

export function previousKeyJobs(db: Database) {
  return {
    /** Deletes previous keys that have stopped. */
    forgetPreviousKeys: ofRetention(
      ({ now }) => ({ now }),
      async ({ now }: { now: number }): Promise<void> => {
        await db.delete(previousKeys).where(lte(previousKeys.worksUntil, now)).run();
      },
    ),
  };
}
