import { past } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import { signalJobs } from './signals.ts';
import * as tables from './tables.ts';

export const signals = {
  tables,
  jobs: { signalJobs },
  ownMoments: past(tables.signalSnapshots.licenseId, tables.signalSnapshots.receivedAt),
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly signals: typeof signals;
  }
}
