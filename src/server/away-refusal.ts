import { type Refusal, refuse } from '../domain/refusal.ts';
import { isAway } from '../storage/engine/database.ts';

const RETRY_SECONDS = 1;

/** What is answered when something failed because the database cannot be reached; undefined when it failed otherwise. */
export const awayRefusal = (error: unknown): Refusal | undefined =>
  isAway(error)
    ? refuse('STORE_UNAVAILABLE', 'The database cannot be reached at the moment. Try again.', RETRY_SECONDS)
    : undefined;
