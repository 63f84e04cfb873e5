import { gt, lt, sql } from 'drizzle-orm';
import type { AttackType } from '../domain/attack-type.ts';
import type { CorroboratedThreat, CorroborationRule } from '../domain/feed.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { DailyUse, dailyUsageJobs } from './daily-usage.ts';
import type { Database } from './database.ts';
import { licenses, threatReports } from './schema.ts';

export interface ThreatReport {
  readonly fingerprint: string;
  readonly attackType: AttackType;
  readonly licenseId: number;
  readonly now: number;
  /** On routes with a daily volume. */
  readonly use?: DailyUse;
}

export function threatReportJobs(db: Database, { spendDailyUse }: ReturnType<typeof dailyUsageJobs>) {
  const report = db
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
        lastReportedAt: sql`max(${threatReports.lastReportedAt}, excluded.last_reported_at)`,
        attackType: sql`excluded.attack_type`,
      },
    })
    .prepare();

  return {
    /** A license counts once for a fingerprint, however often it reports. */
    recordThreatReport({ use, ...reported }: ThreatReport): Refusal | undefined {
      const refusal = use && spendDailyUse(use);
      if (isRefusal(refusal)) return refusal;
      report.run({ ...reported });
      return undefined;
    },

    forgetThreatReports({ reportedBefore }: { reportedBefore: number }): void {
      db.delete(threatReports).where(lt(threatReports.lastReportedAt, reportedBefore)).run();
    },
  };
}

/**
 * Every threat that enough licenses vouch for now. Only licenses that are live, paid and active at
 * this moment count (domain/license.ts has the states), so suspending one takes its word back.
 */
export function corroboratedThreats(
  db: Database,
  rule: CorroborationRule,
  now: number,
): CorroboratedThreat[] {
  return db
    .select({
      fingerprint: threatReports.fingerprint,
      attackType: sql<string>`min(${threatReports.attackType})`,
      licenses: sql<number>`count(*)`,
    })
    .from(threatReports)
    .innerJoin(licenses, sql`${licenses.id} = ${threatReports.licenseId}`)
    .where(
      sql`${gt(threatReports.lastReportedAt, now - rule.windowDays * DAY_MS)}
        and ${licenses.kind} = 'paid' and ${licenses.environment} = 'live' and ${licenses.revokedAt} is null
        and ${licenses.holds} = '[]' and ${licenses.pendingUntil} is null
        and (${licenses.paymentHoldFrom} is null or ${licenses.paymentHoldFrom} > ${now})
        and (${licenses.expiresAt} is null or ${licenses.expiresAt} > ${now})`,
    )
    .groupBy(threatReports.fingerprint)
    .having(sql`count(*) >= ${rule.minCorroboration}`)
    .orderBy(threatReports.fingerprint)
    .all();
}
