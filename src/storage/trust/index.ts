import type { Subject } from '../engine/subject.ts';
import * as tables from './tables.ts';
import { trustSiteJobs } from './trust-sites.ts';

export const trust = {
  tables,
  jobs: { trustSiteJobs },
} satisfies Subject;
