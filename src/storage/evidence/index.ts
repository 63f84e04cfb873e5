import type { Subject } from '../engine/subject.ts';
import { evidenceJobs } from './evidence-jobs.ts';
import * as tables from './tables.ts';

export const evidence = {
  tables,
  jobs: { evidenceJobs },
} satisfies Subject;
