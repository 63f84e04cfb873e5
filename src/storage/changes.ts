import type { Database } from './engine/database.ts';
import { batchesOf, changesOf, type LoadJobs } from './engine/writer.ts';

/** Loads what runs jobs when there is one: of all processes that open a database, few change it, and a server only in one thread. */
export const loadJobs: LoadJobs = async (db) => (await import('./jobs.ts')).prepareJobs(db);

/** See {@link batchesOf}. */
export const prepareBatches = (db: Database) => batchesOf(db, loadJobs);

/** See {@link changesOf}. */
export const prepareChanges = (db: Database) => changesOf(db, loadJobs);
