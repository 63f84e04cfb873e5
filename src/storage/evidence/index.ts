import type { Subject } from '../engine/subject.ts';
import { issuedInBatch } from '../licenses/license-jobs.ts';
import { audited } from '../operators/audit.ts';
import { evidenceJobs } from './evidence-jobs.ts';
import { keepLicenseChanges } from './license-changes.ts';
import * as tables from './tables.ts';

export const evidence = {
  tables,
  jobs: { evidenceJobs },
  reactions: [audited.with(keepLicenseChanges), issuedInBatch.with(keepLicenseChanges)],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly evidence: typeof evidence;
  }
}
