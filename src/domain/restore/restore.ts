import { type RestoreFactorId, scoreRestoreRisk } from './factors.ts';
import { planRestore, type RestoreStep } from './plan.ts';
import { type RestoreVerdict, restoreVerdict } from './verdict.ts';
import type { RestoreCandidate } from './vocabulary.ts';

export interface RestoreAssessment {
  /** How safe it is to restore the backup: an integer, 0 to 100 (safest). */
  readonly restoreSafetyScore: number;
  readonly verdict: RestoreVerdict;
  /** What was deducted from 100, in the order of calculation: 100 less all points is the score. */
  readonly factors: readonly {
    readonly id: RestoreFactorId;
    /** Integer, 0 to 100. */
    readonly points: number;
  }[];
  /** What to do, in order. */
  readonly restorePlan: readonly RestoreStep[];
}

/**
 * Assesses a backup before it is restored. The worst evidence decides: no number of clean files makes up for
 * an infected one, and a check that was not made never counts as passed.
 */
export function assessRestore(candidate: RestoreCandidate): RestoreAssessment {
  const { points, factors } = scoreRestoreRisk(candidate);
  const restoreSafetyScore = 100 - points;
  return {
    restoreSafetyScore,
    verdict: restoreVerdict(restoreSafetyScore),
    factors: factors.map(({ id, points: deducted }) => ({ id, points: deducted })),
    restorePlan: planRestore(candidate),
  };
}
