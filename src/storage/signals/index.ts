import type { Subject } from '../engine/subject.ts';
import { signalJobs } from './signals.ts';
import * as tables from './tables.ts';

export const signals = {
  tables,
  jobs: { signalJobs },
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly signals: typeof signals;
  }
}
