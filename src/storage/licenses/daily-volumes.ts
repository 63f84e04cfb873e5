import { and, eq, lt, sql } from 'drizzle-orm';
import type { DailyBudget } from '../../domain/license/daily-budget.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import { DAY_MS, secondsToUtcMidnight, utcDay } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { perDatabase } from '../engine/per-database.ts';
import { ofRetention } from '../engine/retention.ts';
import type { Row } from '../engine/table.ts';
import { USAGE_DAYS_KEPT } from './daily-usage.ts';
import { dailyVolumes } from './tables.ts';

/** The volume stored on a UTC day: telemetry events, and bytes of these and of stored signals. */
export type DailyVolume = Pick<Row<typeof dailyVolumes>, 'events' | 'bytes'>;

/** The volume of one request. */
export interface VolumeUse extends DailyVolume {
  readonly licenseId: number;
  readonly budget: DailyBudget;
  readonly now: number;
}

const ofDay = eq(dailyVolumes.day, sql.placeholder('day'));
const ofLicense = and(ofDay, eq(dailyVolumes.licenseId, sql.placeholder('licenseId')));
const volume = { events: dailyVolumes.events, bytes: dailyVolumes.bytes };
const NOTHING: DailyVolume = { events: 0, bytes: 0 };

const prepareOfLicense = (db: Database) => {
  const one = lazily(() => db.select(volume).from(dailyVolumes).where(ofLicense).prepare());
  return async (licenseId: number, now: number): Promise<DailyVolume> =>
    (await one.get({ licenseId, day: utcDay(now) })) ?? NOTHING;
};

export function readDailyVolumes(db: Database) {
  const stored = prepareOfLicense(db);
  const all = lazily(() =>
    db
      .select({
        events: sql<number>`coalesce(sum(${dailyVolumes.events}), 0)`,
        bytes: sql<number>`coalesce(sum(${dailyVolumes.bytes}), 0)`,
      })
      .from(dailyVolumes)
      .where(ofDay)
      .prepare(),
  );
  return {
    /** The volume of a license on the UTC day of a moment. */
    ofLicense: async (licenseId: number, now: number): Promise<DailyVolume> => stored(licenseId, now),

    /** The volume of all licenses on the UTC day of a moment. */
    ofAll: async (now: number): Promise<DailyVolume> => (await all.get({ day: utcDay(now) })) ?? NOTHING,
  };
}

export const dailyVolumeJobs = perDatabase((db: Database) => {
  const add = lazily(() =>
    db
      .insert(dailyVolumes)
      .values({
        day: sql.placeholder('day'),
        licenseId: sql.placeholder('licenseId'),
        events: sql.placeholder('events'),
        bytes: sql.placeholder('bytes'),
      })
      .onConflictDoUpdate({
        target: [dailyVolumes.day, dailyVolumes.licenseId],
        set: {
          events: sql`${dailyVolumes.events} + excluded.events`,
          bytes: sql`${dailyVolumes.bytes} + excluded.bytes`,
        },
      })
      .returning(volume)
      .prepare(),
  );

  return {
    /** Counts stored volume; runs in the job that stores it, which a refusal rolls back. */
    async spendDailyVolume({
      licenseId,
      events,
      bytes,
      budget,
      now,
    }: VolumeUse): Promise<Refusal | undefined> {
      const used = await add.get({ day: utcDay(now), licenseId, events, bytes });
      if (used.events > (budget.events ?? Infinity)) return usedUp('events', now);
      if (used.bytes > (budget.bytes ?? Infinity)) return usedUp('bytes', now);
      return undefined;
    },

    forgetDailyVolumes: ofRetention(
      ({ now }) => ({ before: now - USAGE_DAYS_KEPT * DAY_MS }),
      async ({ before }: { before: number }): Promise<void> => {
        await db
          .delete(dailyVolumes)
          .where(lt(dailyVolumes.day, utcDay(before)))
          .run();
      },
    ),
  };
});

const usedUp = (what: keyof DailyVolume, now: number): Refusal =>
  refuse(
    'DAILY_CAP_EXCEEDED',
    `The daily budget of this license (${what}) is too small for this request. GET /me returns what is left.`,
    secondsToUtcMidnight(now),
  );
