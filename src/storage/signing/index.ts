import type { Subject } from '../engine/subject.ts';
import { signingKeyJobs } from './signing-keys.ts';
import * as tables from './tables.ts';

export const signing = {
  tables,
  jobs: { signingKeyJobs },
  filledByStart: [tables.signingKeys],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly signing: typeof signing;
  }
}
