import { SITE_FACTORS, type SiteFactorId, type SiteFacts, scoreLimit } from './score-factors.ts';

/** One factor of a site's security score. */
export interface SiteFactor {
  readonly id: SiteFactorId;
  /** Integer, 0 to `pointsMax`. The points of all factors add up to the score, unless {@link scoreLimit} is lower. */
  readonly points: number;
  /** Integer. Those of all factors add up to 100. */
  readonly pointsMax: number;
  /** What was found. */
  readonly finding: string;
  /** What would raise it; null when nothing can. */
  readonly remedy: string | null;
  /** Source of the practice that it measures. */
  readonly source: string;
}

export interface SiteScore {
  /** Integer, 0 to 100 (best). */
  readonly score: number;
  readonly factors: readonly SiteFactor[];
}

/**
 * Scores a site by its telemetry and the known vulnerabilities of its components. More open alerts, more or worse incidents, more or
 * more urgent vulnerabilities, a longer silence or an older plugin never raise the score.
 */
export function scoreSite(facts: SiteFacts): SiteScore {
  const factors = SITE_FACTORS.map(({ id, pointsMax, source, judge }): SiteFactor => {
    const { share, finding, remedy } = judge(facts);
    const points = Math.floor(pointsMax * share);
    return { id, points, pointsMax, finding, remedy: points < pointsMax ? remedy : null, source };
  });
  const points = factors.reduce((sum, { points }) => sum + points, 0);
  return { score: Math.min(points, scoreLimit(facts)), factors };
}
