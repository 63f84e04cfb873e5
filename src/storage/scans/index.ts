import { HOUR_MS } from '../../lib/clock.ts';
import { ahead, past } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import { assessmentJobs } from './assessment-jobs.ts';
import { scanJobs } from './scan-jobs.ts';
import { scanScheduleJobs } from './scan-schedules.ts';
import * as tables from './tables.ts';

export const scans = {
  tables,
  jobs: { assessmentJobs, scanJobs, scanScheduleJobs },
  ownMoments: [
    ...past(
      tables.scans.id,
      tables.scans.queuedAt,
      tables.scans.startedAt,
      tables.scans.finishedAt,
      tables.scans.canceledAt,
    ),
    ...past(tables.scanRequests.licenseId, tables.scanRequests.requestedAt),
    ahead(
      tables.scanSchedules.licenseId,
      tables.scanSchedules.nextAt,
      `${tables.scanSchedules.intervalHours.name} * ${HOUR_MS}`,
    ),
    ...past(tables.assessments.id, tables.assessments.assessedAt, tables.assessments.madeAt),
  ],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly scans: typeof scans;
  }
}
