import { alertJobs, keepAlerts } from './alerts.ts';
import { keepArrivals } from './arrivals.ts';
import { auditJobs } from './audit.ts';
import { dailyUsageJobs } from './daily-usage.ts';
import type { Database } from './database.ts';
import { decoyTripJobs } from './decoy-trips.ts';
import { feedJobs } from './feed-snapshots.ts';
import { licenseJobs } from './licenses.ts';
import { keepRollups } from './rollups.ts';
import { signalJobs } from './signals.ts';
import { telemetryJobs } from './telemetry.ts';
import { threatReportJobs } from './threat-reports.ts';

/** Every change that can be written, with its statements prepared on one connection. */
export function prepareJobs(db: Database) {
  const audit = auditJobs(db);
  const licenses = licenseJobs(db, audit);
  const usage = dailyUsageJobs(db);
  const threatReports = threatReportJobs(db, usage);
  const signals = signalJobs(db, usage);
  return {
    ...licenses,
    ...usage,
    ...threatReports,
    ...signals,
    ...decoyTripJobs(signals, threatReports),
    ...telemetryJobs(db, { ...licenses, ...keepArrivals(db), ...keepRollups(db), ...keepAlerts(db) }),
    ...alertJobs(db),
    ...feedJobs(db),
    ...audit,
  };
}

export type Jobs = ReturnType<typeof prepareJobs>;
export type JobName = keyof Jobs;
export type JobInput<Name extends JobName> = Parameters<Jobs[Name]>[0];
export type JobOutput<Name extends JobName> = ReturnType<Jobs[Name]>;
