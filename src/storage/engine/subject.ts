import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './database.ts';
import type { Reaction } from './jobs/reactions.ts';
import type { OwnMoment } from './own-moments.ts';
import type { JobFunction } from './reserve-jobs.ts';

/** Prepares changes of one database, by their names. */
export type JobMaker = (db: Database) => Readonly<Record<string, JobFunction>>;

/** The tables, changes and reactions of one subject. */
export interface Subject {
  readonly tables: Readonly<Record<string, SQLiteTable>>;
  /** By their defining file. */
  readonly jobs: Readonly<Record<string, JobMaker>>;
  /** Reactions to changes of earlier subjects, in the same transaction. */
  readonly reactions?: readonly Reaction[];
  /** Tables that the first start of a server may fill: their rows do not show that a store is in use. */
  readonly filledByStart?: readonly SQLiteTable[];
  /** Without the entries of logs and events. */
  readonly ownMoments?: readonly OwnMoment[];
}
