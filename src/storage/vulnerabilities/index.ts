import type { Subject } from '../engine/subject.ts';
import { assertionJobs } from './assertions.ts';
import { importanceJobs } from './importances.ts';
import { inventoryJobs } from './inventories.ts';
import { mirrorJobs } from './mirror-state.ts';
import * as tables from './tables.ts';

export const vulnerabilities = {
  tables,
  jobs: { assertionJobs, importanceJobs, inventoryJobs, mirrorJobs },
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly vulnerabilities: typeof vulnerabilities;
  }
}
