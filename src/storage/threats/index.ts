import { past } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import { decoyTripJobs } from '../signals/decoy-trips.ts';
import { feedObjectJobs } from './feed-objects.ts';
import { feedRulingJobs } from './feed-rulings.ts';
import { feedJobs } from './feed-snapshots.ts';
import { feedTrustJobs } from './feed-trusts.ts';
import * as tables from './tables.ts';
import { threatReportJobs } from './threat-reports.ts';

export const threats = {
  tables,
  jobs: { decoyTripJobs, feedObjectJobs, feedRulingJobs, feedJobs, feedTrustJobs, threatReportJobs },
  filledByStart: [tables.feedSnapshots, tables.feedObjects],
  ownMoments: [
    ...past(
      tables.threatReports.licenseId,
      tables.threatReports.firstReportedAt,
      tables.threatReports.lastReportedAt,
    ),
    ...past(undefined, tables.feedObjects.createdAt, tables.feedObjects.modifiedAt),
    ...past(undefined, tables.feedRulings.ruledAt),
    ...past(tables.feedTrusts.id, tables.feedTrusts.addedAt, tables.feedTrusts.importedAt),
  ],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly threats: typeof threats;
  }
}
