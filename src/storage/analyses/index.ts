import type { Subject } from '../engine/subject.ts';
import * as tables from './tables.ts';
import { verdictJobs } from './verdicts.ts';

export const analyses = {
  tables,
  jobs: { verdictJobs },
} satisfies Subject;
