import { NO_VERDICTS, type VerdictTally } from '../domain/verdict-tally.ts';
import type { Database } from './database.ts';

/** Reads how a tenant's analyses came out. No analysis is stored yet. */
export const readVerdictTally =
  (_db: Database) =>
  (_licenseId: number): VerdictTally =>
    NO_VERDICTS;
