import { GRACE_DAYS_MAX } from '../../domain/license/license-key.ts';
import { TRIAL_RESERVED_MS } from '../../domain/license/trial.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { ahead, past } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import { dailyUsageJobs } from './daily-usage.ts';
import { dailyVolumeJobs } from './daily-volumes.ts';
import { licenseActivityJobs } from './license-activity.ts';
import { licenseCheckJobs } from './license-checks.ts';
import { licenseJobs } from './license-jobs.ts';
import { portalSessionJobs } from './portal-sessions.ts';
import { previousKeyJobs } from './previous-keys.ts';
import { refusedDomainJobs } from './refused-domains.ts';
import * as tables from './tables.ts';

export const licenses = {
  tables,
  jobs: {
    dailyUsageJobs,
    dailyVolumeJobs,
    licenseActivityJobs,
    licenseCheckJobs,
    licenseJobs,
    portalSessionJobs,
    previousKeyJobs,
    refusedDomainJobs,
  },
  ownMoments: [
    ...past(tables.licenses.id, tables.licenses.createdAt, tables.licenses.revokedAt),
    ahead(tables.licenses.id, tables.licenses.pendingUntil, TRIAL_RESERVED_MS),
    ahead(tables.previousKeys.licenseId, tables.previousKeys.worksUntil, GRACE_DAYS_MAX * DAY_MS),
    ...past(tables.licenseDomains.licenseId, tables.licenseDomains.boundAt),
    ...past(tables.blockedDomains.licenseId, tables.blockedDomains.blockedAt),
    ...past(
      tables.licenseActivity.licenseId,
      tables.licenseActivity.notedAt,
      tables.licenseActivity.verifiedAt,
    ),
    ...past(tables.refusedDomains.licenseId, tables.refusedDomains.firstAt, tables.refusedDomains.lastAt),
    ...past(tables.portalSessions.licenseId, tables.portalSessions.startedAt),
  ],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly licenses: typeof licenses;
  }
}
