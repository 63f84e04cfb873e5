import type { RiskFacts } from './facts.ts';

/** Stands in while no EPSS file was imported: about the middle of all CVEs under model v2026.06.15. */
export const EPSS_UNKNOWN = 0.01;

/** The likelihood that counts. */
export interface Likelihood {
  /** 0 to 1, within 30 days. */
  readonly probability: number;
  /** EPSS has no score for it, as for the first two days of a CVE: the middle of the imported file stands in. */
  readonly assumed: boolean;
}

export const likelihood = ({ epss, epssMedian }: RiskFacts): Likelihood =>
  epss === null
    ? { probability: epssMedian ?? EPSS_UNKNOWN, assumed: true }
    : { probability: epss.probability, assumed: false };

/** A probability of being exploited, as people read it: `a 12 % chance of being exploited within 30 days`. */
export function chance(probability: number): string {
  const percent = String(Number((probability * 100).toPrecision(2)));
  const article = /^(?:8|11|18)/.test(percent) ? 'an' : 'a';
  return `${article} ${percent} % chance of being exploited within 30 days`;
}
