import { past } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import { assertionJobs } from './assertions.ts';
import { importanceJobs } from './importances.ts';
import { inventoryJobs } from './inventories.ts';
import { mirrorJobs } from './mirror-state.ts';
import * as tables from './tables.ts';

export const vulnerabilities = {
  tables,
  jobs: { assertionJobs, importanceJobs, inventoryJobs, mirrorJobs },
  ownMoments: [
    ...past(tables.siteInventories.licenseId, tables.siteInventories.receivedAt),
    ...past(
      tables.siteImportances.licenseId,
      tables.siteImportances.openSince,
      tables.siteImportances.openUntil,
      tables.siteImportances.updatedAt,
    ),
    ...past(undefined, tables.exploitationAssertions.assertedAt, tables.exploitationAssertions.since),
  ],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly vulnerabilities: typeof vulnerabilities;
  }
}
