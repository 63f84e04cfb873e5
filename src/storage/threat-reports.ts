import { lt, sql } from 'drizzle-orm';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { AttackType } from '../domain/threat/attack-type.ts';
import type { CorroborationRule } from '../domain/threat/corroboration.ts';
import type { CorroboratedThreat } from '../domain/threat/feed.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { DailyUse, dailyUsageJobs } from './daily-usage.ts';
import type { Database } from './engine/database.ts';
import { threatReports } from './engine/schema.ts';
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

/** The customers by license, for this connection alone: threat_reports has no index by license. */
const NO_VOUCHERS = `
  create temp table if not exists vouchers (license_id integer primary key, customer integer not null) strict;
  delete from temp.vouchers;
`;
const ADD_VOUCHER = 'insert into temp.vouchers values (?, ?)';
/**
 * The reports are read once, in the order of their key, so that groups need no sorting; of the groups no more are kept
 * than are asked for. The attack type is that of the newest report: SQLite takes bare columns from the row of max().
 */
const CORROBORATED = `
  select fingerprint, attackType, customers from (
    select fingerprint, attack_type as attackType, count(distinct customer) as customers,
      max(last_reported_at) as reportedAt
    from threat_reports not indexed cross join temp.vouchers using (license_id)
    where last_reported_at > :since
    group by fingerprint having customers >= :minCorroboration
    order by customers desc, reportedAt desc, fingerprint limit :entriesMax
  ) order by fingerprint
`;

/**
 * Reads one by one, within a transaction, the threats that enough customers vouch for, in the order of their
 * fingerprints; of too many the most corroborated ones, then those reported last.
 */
export function corroboratedThreats(
  { $client }: Database,
  { minCorroboration, windowDays, entriesMax }: CorroborationRule,
  vouchers: Iterable<Voucher>,
  now: number,
): Iterable<CorroboratedThreat> {
  $client.exec(NO_VOUCHERS);
  const add = $client.prepare(ADD_VOUCHER);
  for (const { licenseId, customer } of vouchers) add.run(licenseId, customer);
  const since = now - windowDays * DAY_MS;
  const threats = $client.prepare(CORROBORATED).iterate({ since, minCorroboration, entriesMax });
  return threats as Iterable<unknown> as Iterable<CorroboratedThreat>;
}
