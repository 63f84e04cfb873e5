import { adminRequestJobs } from '../admin-requests.ts';
import { adminTokenJobs } from '../admin-tokens.ts';
import { alertJobs, keepAlerts } from '../alerts.ts';
import { keepArrivals } from '../arrivals.ts';
import { assertionJobs } from '../assertions.ts';
import { assessmentJobs } from '../assessment-jobs.ts';
import { auditJobs } from '../audit.ts';
import { backupJobs } from '../backups.ts';
import { checkoutJobs } from '../checkouts.ts';
import { credentialJobs } from '../credential-jobs.ts';
import { credentialKeyJobs } from '../credential-keys.ts';
import { dailyUsageJobs } from '../daily-usage.ts';
import { dailyVolumeJobs } from '../daily-volumes.ts';
import { decoyTripJobs } from '../decoy-trips.ts';
import { disputeJobs } from '../disputes.ts';
import { domainControlJobs } from '../domain-controls.ts';
import { evidenceEntries } from '../evidence-entries.ts';
import { evidenceJobs } from '../evidence-jobs.ts';
import { feedRulingJobs } from '../feed-rulings.ts';
import { feedJobs } from '../feed-snapshots.ts';
import { feedTrustJobs } from '../feed-trusts.ts';
import { futureMomentJobs } from '../future-moments.ts';
import { importanceJobs } from '../importances.ts';
import { inventoryJobs } from '../inventories.ts';
import { licenseActivityJobs } from '../license-activity.ts';
import { keepLicenseChanges } from '../license-evidence.ts';
import { licenseJobs } from '../licenses.ts';
import { mirrorJobs } from '../mirror-state.ts';
import { operatorJobs } from '../operators.ts';
import { paymentEventJobs } from '../payment-events.ts';
import { portalSessionJobs } from '../portal-sessions.ts';
import { previousKeyJobs } from '../previous-keys.ts';
import { keepRollups } from '../rollups.ts';
import { scanJobs } from '../scan-jobs.ts';
import { scanScheduleJobs } from '../scan-schedules.ts';
import { secondFactorJobs } from '../second-factors.ts';
import { signInTryJobs } from '../sign-in-tries.ts';
import { signalJobs } from '../signals.ts';
import { signingKeyJobs } from '../signing-keys.ts';
import { subscriptionJobs } from '../subscriptions.ts';
import { telemetryJobs } from '../telemetry.ts';
import { threatReportJobs } from '../threat-reports.ts';
import { trialJobs } from '../trials.ts';
import { trustSiteJobs } from '../trust-sites.ts';
import { verdictJobs } from '../verdicts.ts';
import type { Database } from './database.ts';
import { usesReserve } from './reserve-jobs.ts';

/** Every change that can be written, with its statements prepared on one connection. */
export function prepareJobs(db: Database) {
  const evidence = evidenceEntries(db);
  const changes = keepLicenseChanges(db, evidence);
  const audit = auditJobs(db, changes);
  const usage = dailyUsageJobs(db);
  const credentials = credentialJobs(db, evidence, usage);
  const trustSites = trustSiteJobs(db, evidence, usage);
  const licenses = licenseJobs(db, { ...audit, ...changes }, credentials, trustSites);
  const volumes = dailyVolumeJobs(db);
  const threatReports = threatReportJobs(db, usage);
  const assessments = assessmentJobs(db, evidence);
  const scans = scanJobs(db, { ...usage, ...assessments, ...audit });
  const signals = signalJobs(db, usage, volumes);
  const paymentEvents = paymentEventJobs(db, audit);
  return {
    ...licenses,
    ...previousKeyJobs(db),
    ...licenseActivityJobs(db),
    ...domainControlJobs(db, evidence, audit),
    ...trustSites,
    ...scans,
    forgetAssessments: assessments.forgetAssessments,
    ...scanScheduleJobs(db, scans),
    ...evidenceJobs(db, evidence),
    ...credentials,
    ...credentialKeyJobs(db, audit, evidence),
    ...signingKeyJobs(db, audit),
    ...usage,
    ...volumes,
    ...threatReports,
    ...signals,
    ...decoyTripJobs(signals, threatReports),
    ...telemetryJobs(db, {
      ...licenses,
      ...volumes,
      ...keepArrivals(db),
      ...keepRollups(db),
      ...keepAlerts(db),
    }),
    ...alertJobs(db),
    ...verdictJobs(db, audit),
    ...feedJobs(db),
    ...feedRulingJobs(db),
    ...feedTrustJobs(db),
    ...mirrorJobs(db),
    ...assertionJobs(db),
    ...inventoryJobs(db, evidence),
    ...importanceJobs(db),
    ...trialJobs(db, licenses, paymentEvents, audit),
    ...disputeJobs(db, licenses, paymentEvents, audit),
    ...checkoutJobs(db, licenses, audit),
    ...subscriptionJobs(db, licenses, paymentEvents, audit),
    ...paymentEvents,
    ...audit,
    ...adminTokenJobs(db),
    ...adminRequestJobs(db),
    ...operatorJobs(db),
    ...secondFactorJobs(db),
    ...portalSessionJobs(db),
    ...signInTryJobs(db),
    ...backupJobs(db),
    ...futureMomentJobs(db),
    giveBackPages: usesReserve(db.sqlDialect.giveBackPages(db.connection)),
  };
}

export type Jobs = ReturnType<typeof prepareJobs>;
export type JobName = keyof Jobs;
export type JobInput<Name extends JobName> = Parameters<Jobs[Name]>[0];
export type JobOutput<Name extends JobName> = Awaited<ReturnType<Jobs[Name]>>;

/** One change that is to be written: its name tells what it is given. */
export type Job = {
  readonly [Name in JobName]: { readonly name: Name; readonly input: JobInput<Name> };
}[JobName];
