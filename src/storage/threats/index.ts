import { past } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import * as tables from './tables.ts';

export const threats = {
  tables,
  filledByStart: [tables.feedSnapshots],
  ownMoments: [
    ...past(
      tables.threatReports.licenseId,
      tables.threatReports.firstReportedAt,
      tables.threatReports.lastReportedAt,
    ),
  ],
} satisfies Subject;
