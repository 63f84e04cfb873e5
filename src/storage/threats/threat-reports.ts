import { inArray, lt, sql } from 'drizzle-orm';
import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import type { AttackType } from '../../domain/threat/attack-type.ts';
import type { CorroborationRule } from '../../domain/threat/corroboration.ts';
import type { CorroboratedThreat } from '../../domain/threat/feed.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Statement } from '../engine/connection.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { perDatabase } from '../engine/per-database.ts';
import { ofRetention } from '../engine/retention.ts';
import { execute, prepare } from '../engine/statement.ts';
import { type DailyUse, dailyUsageJobs } from '../licenses/daily-usage.ts';
import { CORROBORATION_SQL } from './corroboration-sql.ts';
import { threatReports } from './tables.ts';
import type { Voucher } from './vouchers.ts';

export interface ThreatReport {
  readonly fingerprint: string;
  readonly attackType: AttackType;
  readonly licenseId: number;
  readonly now: number;
  /** On routes with a daily volume. */
  readonly use?: DailyUse;
}

export const threatReportJobs = perDatabase((db: Database) => {
  const { spendDailyUse } = dailyUsageJobs(db);
  const larger = sql.raw(db.sqlDialect.larger);
  const report = lazily(() =>
    db
      .insert(threatReports)
      .values({
        fingerprint: sql.placeholder('fingerprint'),
        licenseId: sql.placeholder('licenseId'),
        attackType: sql.placeholder('attackType'),
        firstReportedAt: sql.placeholder('now'),
        lastReportedAt: sql.placeholder('now'),
      })
      .onConflictDoUpdate({
        target: [threatReports.fingerprint, threatReports.licenseId],
        set: {
          lastReportedAt: sql`${larger}(${threatReports.lastReportedAt}, excluded.last_reported_at)`,
          attackType: sql`excluded.attack_type`,
        },
      })
      .prepare(),
  );

  return {
    /** A license counts once for a fingerprint, however often it reports. */
    async recordThreatReport({ use, ...reported }: ThreatReport): Promise<Refusal | undefined> {
      const refusal = use && (await spendDailyUse(use));
      if (isRefusal(refusal)) return refusal;
      await report.run({ ...reported });
      return undefined;
    },

    forgetThreatReports: ofRetention(
      ({ now, feedWindowDays }) => ({ reportedBefore: now - feedWindowDays * DAY_MS }),
      async ({ reportedBefore }: { reportedBefore: number }): Promise<void> => {
        await db.delete(threatReports).where(lt(threatReports.lastReportedAt, reportedBefore)).run();
      },
    ),
  };
});

/** Reports of one threat by customers of this installation. Moments are milliseconds since the Unix epoch; null without any. */
export interface ThreatSummary {
  /** Undefined without reports. */
  readonly attackType?: AttackType;
  readonly customers: number;
  readonly firstReportedAt: number | null;
  readonly lastReportedAt: number | null;
}

/** Reads how many customers reported each of some threats, and when, but not which. */
export async function readThreatSummaries(
  db: Database,
  fingerprints: readonly string[],
): Promise<(fingerprint: string) => ThreatSummary> {
  const { fingerprint, attackType, firstReportedAt, lastReportedAt } = threatReports;
  const found = await db
    .select({
      fingerprint,
      attackType: sql<AttackType>`max(${attackType})`,
      customers: sql<number>`count(*)`.mapWith(Number),
      firstReportedAt: sql<number>`min(${firstReportedAt})`.mapWith(Number),
      lastReportedAt: sql<number>`max(${lastReportedAt})`.mapWith(Number),
    })
    .from(threatReports)
    .where(inArray(fingerprint, [...fingerprints]))
    .groupBy(fingerprint)
    .all();
  const byFingerprint = new Map<string, ThreatSummary>(found.map((each) => [each.fingerprint, each]));
  return (each) => byFingerprint.get(each) ?? { customers: 0, firstReportedAt: null, lastReportedAt: null };
}

const VOUCHERS_AT_ONCE = 10_000;

/**
 * Yields, within a transaction, the threats with enough reporters, ordered by fingerprint; beyond the limit, those reported by
 * customers first, then the most corroborated ones, then the latest. A trusted installation counts as as many customers as its
 * weight, for its last feed, until that expires. Threats with a ruling of the operator are excluded, and do not count towards
 * the limit.
 */
export async function corroboratedThreats(
  db: Database,
  { minCorroboration, windowDays, entriesMax }: CorroborationRule,
  vouchers: Iterable<Voucher>,
  now: number,
): Promise<ReturnType<Statement<CorroboratedThreat>['iterate']>> {
  const { noVouchers, addVouchers, threats } = CORROBORATION_SQL[db.sqlDialect.engine];
  await execute(db, noVouchers);
  const add = prepare(db, addVouchers);
  const pairs = Array.from(vouchers, ({ licenseId, customer }) => [licenseId, customer]);
  while (pairs.length > 0) await add.run(JSON.stringify(pairs.splice(-VOUCHERS_AT_ONCE)));
  const since = now - windowDays * DAY_MS;
  return prepare<CorroboratedThreat>(db, threats).iterate({ since, now, minCorroboration, entriesMax });
}
