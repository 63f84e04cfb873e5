import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './database.ts';
import type { Reaction } from './jobs/reactions.ts';
import type { OwnMoment } from './own-moments.ts';
import type { JobFunction } from './reserve-jobs.ts';

/** Prepares changes of one database, by their names. */
export type JobMaker = (db: Database) => Readonly<Record<string, JobFunction>>;

/** What the service keeps of one subject, and how that is changed. */
export interface Subject {
  readonly tables: Readonly<Record<string, SQLiteTable>>;
  /** By the file that defines them. */
  readonly jobs: Readonly<Record<string, JobMaker>>;
  /** What it does upon changes of earlier subjects, in their transaction. */
  readonly reactions?: readonly Reaction[];
  /** Tables that the first start of a server may fill: their rows do not show that a store is in use. */
  readonly filledByStart?: readonly SQLiteTable[];
  /** Entries of logs and events are not among them. */
  readonly ownMoments?: readonly OwnMoment[];
}
