import type { Subject } from '../engine/subject.ts';
import { verdictJobs } from '../verdicts.ts';
import * as tables from './tables.ts';

export const analyses = {
  tables,
  jobs: { verdictJobs },
} satisfies Subject;
