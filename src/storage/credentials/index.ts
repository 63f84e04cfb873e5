import type { Subject } from '../engine/subject.ts';
import { credentialJobs } from './credential-jobs.ts';
import { credentialKeyJobs } from './credential-keys.ts';
import * as tables from './tables.ts';

export const credentials = {
  tables,
  jobs: { credentialJobs, credentialKeyJobs },
  filledByStart: [tables.credentialKeys],
} satisfies Subject;
