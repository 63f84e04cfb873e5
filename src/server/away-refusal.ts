import { type Refusal, refuse } from '../domain/refusal.ts';
import { isAway } from '../storage/engine/database.ts';

const RETRY_SECONDS = 1;

/** The refusal for an error caused by an unreachable database; undefined for other errors. */
export const awayRefusal = (error: unknown): Refusal | undefined =>
  isAway(error)
    ? refuse('STORE_UNAVAILABLE', 'The database cannot be reached at the moment. Try again.', RETRY_SECONDS)
    : undefined;
