import { lt, sql } from 'drizzle-orm';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { AttackType } from '../domain/threat/attack-type.ts';
import type { CorroborationRule } from '../domain/threat/corroboration.ts';
import type { CorroboratedThreat } from '../domain/threat/feed.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { DailyUse, dailyUsageJobs } from './daily-usage.ts';
import type { Database } from './engine/database.ts';
import { threatReports } from './engine/schema.ts';
import { execute, prepare } from './engine/statement.ts';
import type { Voucher } from './vouchers.ts';

export interface ThreatReport {
  readonly fingerprint: string;
  readonly attackType: AttackType;
  readonly licenseId: number;
  readonly now: number;
  /** On routes with a daily volume. */
  readonly use?: DailyUse;
}

export function threatReportJobs(db: Database, { spendDailyUse }: ReturnType<typeof dailyUsageJobs>) {
  const larger = sql.raw(db.sqlDialect.larger);
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
        lastReportedAt: sql`${larger}(${threatReports.lastReportedAt}, excluded.last_reported_at)`,
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
 * Reads one by one, within a transaction, the threats that enough customers vouch for, in the order of their
 * fingerprints; of too many the most corroborated ones, then those reported last. What the operator has ruled about is
 * none of them, and takes nobody's place.
 */
export function corroboratedThreats(
  db: Database,
  { minCorroboration, windowDays, entriesMax }: CorroborationRule,
  vouchers: Iterable<Voucher>,
  now: number,
): Iterable<CorroboratedThreat> {
  const { noVouchers, addVoucher, threats } = db.sqlDialect.corroboration;
  execute(db, noVouchers);
  const add = prepare(db, addVoucher);
  for (const { licenseId, customer } of vouchers) add.run(licenseId, customer);
  const since = now - windowDays * DAY_MS;
  return prepare<CorroboratedThreat>(db, threats).iterate({ since, minCorroboration, entriesMax });
}
