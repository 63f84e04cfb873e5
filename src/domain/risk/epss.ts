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

/** A probability as people read it: two digits that count. */
export const percent = (probability: number): string => `${Number((probability * 100).toPrecision(2))} %`;
