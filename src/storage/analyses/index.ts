import type { Subject } from '../engine/subject.ts';
import * as tables from './tables.ts';
import { verdictJobs } from './verdicts.ts';

export const analyses = {
  tables,
  jobs: { verdictJobs },
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly analyses: typeof analyses;
  }
}
