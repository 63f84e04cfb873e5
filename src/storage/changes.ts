import type { Database } from './engine/database.ts';
import { batchesOf, changesOf, type LoadJobs } from './engine/writer.ts';

/**
 * Loads the code of jobs when a job first runs: few processes that open a database change it, and a server does so in one
 * thread only.
 */
export const loadJobs: LoadJobs = async (db) => (await import('./jobs.ts')).prepareJobs(db);

/** See {@link batchesOf}. */
export const prepareBatches = (db: Database) => batchesOf(db, loadJobs);

/** See {@link changesOf}. */
export const prepareChanges = (db: Database) => changesOf(db, loadJobs);
