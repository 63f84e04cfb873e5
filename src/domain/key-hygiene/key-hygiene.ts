import { scoreKeyHygiene } from './factors.ts';
import { type KeyHygieneRecommendation, recommendForKeys } from './recommendations.ts';
import type { KeyEntry } from './vocabulary.ts';
import type { KeyHygieneFactorId } from './weights.ts';

/** Bands of the risk score, from best to worst. */
export const HYGIENE_BANDS = ['low', 'moderate', 'high', 'critical'] as const;
export type HygieneBand = (typeof HYGIENE_BANDS)[number];

/** Lowest risk score of each band. */
export const HYGIENE_BAND_FROM: Readonly<Record<HygieneBand, number>> = {
  low: 0,
  moderate: 15,
  high: 40,
  critical: 70,
};

export interface KeyHygieneAssessment {
  /** Risk of the whole fleet: an integer, 0 (best) to 100. */
  readonly hygieneRiskScore: number;
  readonly band: HygieneBand;
  /** What the score is made of, in the order of calculation. The points add up to the score. */
  readonly factors: readonly {
    readonly id: KeyHygieneFactorId;
    /** Integer, 0 to 100. */
    readonly points: number;
    /** Number of keys that add to the factor. */
    readonly affectedKeys: number;
  }[];
  /** At most one for each factor, the largest gain first. */
  readonly recommendations: readonly KeyHygieneRecommendation[];
}

/**
 * Assesses a fleet of keys. A fleet is as weak as its weakest keys: good keys do not dilute bad ones, adding
 * a key never lowers the risk, and more keys with the same flaw raise it by doublings. No keys, no risk.
 */
export function assessKeyHygiene(keys: readonly KeyEntry[]): KeyHygieneAssessment {
  const { points: hygieneRiskScore, factors } = scoreKeyHygiene(keys);
  return {
    hygieneRiskScore,
    band: HYGIENE_BANDS.findLast((band) => hygieneRiskScore >= HYGIENE_BAND_FROM[band]) ?? 'low',
    factors: factors.map(({ id, points, affectedKeys }) => ({ id, points, affectedKeys })),
    recommendations: recommendForKeys(keys),
  };
}
