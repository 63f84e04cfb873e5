import type { Subject } from '../engine/subject.ts';
import { trustSiteJobs } from '../trust-sites.ts';
import * as tables from './tables.ts';

export const trust = {
  tables,
  jobs: { trustSiteJobs },
} satisfies Subject;
