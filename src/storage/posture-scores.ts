import type { Database } from './database.ts';

/** A score that one of the posture signals left of a site. */
export interface PostureScore {
  readonly signal: string;
  /** Integer, 0 to 100. */
  readonly score: number;
  readonly updatedAt: number;
}

/** Reads the posture scores of a site. No signal stores any yet. */
export const readPostureScores =
  (_db: Database) =>
  (_licenseId: number, _siteId: number): readonly PostureScore[] => [];
