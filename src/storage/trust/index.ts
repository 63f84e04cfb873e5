import { past } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import { domainReleased } from '../licenses/license-jobs.ts';
import * as tables from './tables.ts';
import { trustSiteJobs } from './trust-sites.ts';

export const trust = {
  tables,
  jobs: { trustSiteJobs },
  ownMoments: past(tables.trustSites.licenseId, tables.trustSites.updatedAt),
  reactions: [domainReleased.with((db) => trustSiteJobs(db).endTrust)],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly trust: typeof trust;
  }
}
