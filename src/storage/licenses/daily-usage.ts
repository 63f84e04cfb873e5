import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import { DAY_MS, secondsToUtcMidnight, utcDay } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { perDatabase } from '../engine/per-database.ts';
import { ofRetention } from '../engine/retention.ts';
import { dailyUsage } from './tables.ts';

/** One request against a license's daily volume on a route. */
export interface DailyUse {
  readonly licenseId: number;
  readonly route: string;
  /** Accepted requests per UTC day, 1 or more. */
  readonly dailyCap: number;
  readonly now: number;
}

/** Reads a license's usage on the UTC day of a moment, by route. */
export const readRoutesUsed = async (db: Database, licenseId: number, now: number) =>
  db
    .select({ route: dailyUsage.route, used: dailyUsage.accepted })
    .from(dailyUsage)
    .where(and(eq(dailyUsage.licenseId, licenseId), eq(dailyUsage.day, utcDay(now))))
    .orderBy(asc(dailyUsage.route))
    .all();

const ofRoute = and(
  eq(dailyUsage.licenseId, sql.placeholder('licenseId')),
  eq(dailyUsage.route, sql.placeholder('route')),
);

/** Reads the stored usage: yesterday's and today's. */
export function readDailyUsage(db: Database) {
  const any = lazily(() =>
    db.select({ accepted: dailyUsage.accepted }).from(dailyUsage).where(ofRoute).limit(1).prepare(),
  );
  return {
    /** Whether a license has recently used a route. */
    isUsed: async (licenseId: number, route: string): Promise<boolean> =>
      (await any.get({ licenseId, route })) !== undefined,
  };
}

/** Days of usage to retain. */
export const USAGE_DAYS_KEPT = 2;

export const dailyUsageJobs = perDatabase((db: Database) => {
  const used = lazily(() =>
    db
      .select({ accepted: dailyUsage.accepted })
      .from(dailyUsage)
      .where(and(ofRoute, eq(dailyUsage.day, sql.placeholder('day'))))
      .prepare(),
  );
  const count = lazily(() =>
    db
      .insert(dailyUsage)
      .values({
        licenseId: sql.placeholder('licenseId'),
        route: sql.placeholder('route'),
        day: sql.placeholder('day'),
        accepted: 1,
      })
      .onConflictDoUpdate({
        target: [dailyUsage.licenseId, dailyUsage.route, dailyUsage.day],
        set: { accepted: sql`${dailyUsage.accepted} + 1` },
      })
      .prepare(),
  );

  return {
    /** Counts one accepted request; runs in the transaction that stores its data. */
    async spendDailyUse({ licenseId, route, dailyCap, now }: DailyUse): Promise<Refusal | undefined> {
      const day = utcDay(now);
      if (((await used.get({ licenseId, route, day }))?.accepted ?? 0) >= dailyCap) {
        return refuse(
          'DAILY_CAP_EXCEEDED',
          'The daily limit (UTC) of this license on this route is exhausted.',
          secondsToUtcMidnight(now),
        );
      }
      await count.run({ licenseId, route, day });
      return undefined;
    },

    forgetDailyUse: ofRetention(
      ({ now }) => ({ before: now - USAGE_DAYS_KEPT * DAY_MS }),
      async ({ before }: { before: number }): Promise<void> => {
        await db
          .delete(dailyUsage)
          .where(lt(dailyUsage.day, utcDay(before)))
          .run();
      },
    ),
  };
});
