import { past } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import { backupJobs } from './backups.ts';
import * as tables from './tables.ts';

export const installation = {
  tables,
  jobs: { backupJobs },
  filledByStart: [tables.generations, tables.installation],
  ownMoments: [...past(tables.backups.id, tables.backups.at, tables.backups.checkedAt)],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly installation: typeof installation;
  }
}
