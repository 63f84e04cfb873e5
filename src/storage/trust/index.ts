import type { Subject } from '../engine/subject.ts';
import { domainReleased } from '../licenses/license-jobs.ts';
import * as tables from './tables.ts';
import { trustSiteJobs } from './trust-sites.ts';

export const trust = {
  tables,
  jobs: { trustSiteJobs },
  reactions: [domainReleased.with((db) => trustSiteJobs(db).endTrust)],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly trust: typeof trust;
  }
}
