import { CHECK_EVERY_MS } from '../../domain/domain-control/control.ts';
import { ahead, past } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import { domainReleased } from '../licenses/license-jobs.ts';
import { alertJobs } from './alerts.ts';
import { domainControlJobs } from './domain-controls.ts';
import { eventCountJobs } from './event-counts.ts';
import { fleetDayJobs } from './fleet-days.ts';
import * as tables from './tables.ts';
import { telemetryJobs } from './telemetry.ts';

export const sites = {
  tables,
  jobs: { alertJobs, domainControlJobs, eventCountJobs, fleetDayJobs, telemetryJobs },
  reactions: [domainReleased.with((db) => domainControlJobs(db).forgetControl)],
  ownMoments: [
    ...past(
      tables.domainControls.licenseId,
      tables.domainControls.verifiedAt,
      tables.domainControls.checkedAt,
      tables.domainControls.failedSince,
    ),
    ahead(tables.domainControls.licenseId, tables.domainControls.nextCheckAt, CHECK_EVERY_MS),
    ...past(tables.sites.id, tables.sites.firstSeenAt, tables.sites.lastSeenAt),
    ...past(
      tables.siteSummaries.licenseId,
      tables.siteSummaries.lastEventAt,
      tables.siteSummaries.evidenceAt,
    ),
    ...past(
      tables.alerts.licenseId,
      tables.alerts.criticalAt,
      tables.alerts.highAt,
      tables.alerts.resolvedAt,
      tables.alerts.acknowledgedAt,
    ),
  ],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly sites: typeof sites;
  }
}
