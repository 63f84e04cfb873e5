import type { Database } from './engine/database.ts';
import { type Jobs, jobsOf, type WithoutDoubles } from './engine/jobs/jobs.ts';
import { perDatabase } from './engine/per-database.ts';
import { ofRetention } from './engine/retention.ts';
import { futureMomentJobs } from './future-moments.ts';
import { SUBJECTS } from './subjects.ts';

const freePageJobs = ({ sqlDialect, connection }: Database) => ({
  giveBackPages: ofRetention(({ isFull }) => ({ all: isFull }), sqlDialect.giveBackPages(connection)),
});

/** Jobs for all subjects; after retention has deleted rows of each, they return free pages. */
const storage = { jobs: { freePageJobs, futureMomentJobs } };

declare module './engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly storage: typeof storage;
  }
}

const ALL = { ...SUBJECTS, storage };

/** All jobs. Prepared once on each connection: reactions register themselves with it. */
export const prepareJobs = perDatabase(
  (db): Jobs => jobsOf(ALL satisfies WithoutDoubles<typeof ALL>, db) as unknown as Jobs,
);
