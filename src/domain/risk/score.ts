import type { CvssEvidence } from './cvss.ts';
import type { Deadline } from './deadline.ts';
import type { DecisionPoints, Stated } from './decision-points.ts';
import { chance, likelihood } from './epss.ts';
import type { Exploitation, Exposure, Importance, RiskFacts, YesNo } from './facts.ts';

export const RISK_FACTOR_IDS = ['exploitation', 'severity', 'automatable', 'exposure', 'importance'] as const;
export type RiskFactorId = (typeof RISK_FACTOR_IDS)[number];

/** One factor of a risk score. */
export interface RiskFactor {
  readonly id: RiskFactorId;
  /** Integer, 0 to `pointsMax`. */
  readonly points: number;
  /** Integer. Those of all factors add up to 100. */
  readonly pointsMax: number;
  /** The fact and its source. */
  readonly finding: string;
  /** Source of the practice that it measures. The numbers are our own. */
  readonly source: string;
  /** No source stated the fact: a rule gives the points. */
  readonly assumed: boolean;
}

/** Lowest and highest score of each deadline: an earlier deadline never scores below a later one. */
export const SCORE_BANDS: Readonly<Record<Deadline, readonly [low: number, high: number]>> = {
  upgrade: [0, 24],
  '60_days': [25, 49],
  '14_days': [50, 69],
  '3_days': [70, 89],
  '3_days_forensics': [90, 100],
};

/** The place in the deadline's band, by the points of all factors together; integers, 0 to 100. */
export function scoreRisk(deadline: Deadline, points: number): number {
  const [low, high] = SCORE_BANDS[deadline];
  return low + Math.floor(((high - low) * points) / 100);
}

const POINTS_MAX = { exploitation: 45, severity: 25, automatable: 10, exposure: 10, importance: 10 } as const;
const LIKELIHOOD_POINTS_MAX = 40;
const POC_POINTS_MIN = 25;
const EXPOSURE_POINTS: Readonly<Record<Exposure, number>> = { small: 0, controlled: 5, open: 10 };
const IMPORTANCE_POINTS: Readonly<Record<Importance, number>> = { low: 0, medium: 5, high: 10 };
/** In tenths, as the scores of CVSS are exact in tenths only. The middle of the scale. */
const SEVERITY_UNKNOWN_TENTHS = 50;

/** The five factors, always all and in this order. Their points added up are what `scoreRisk` takes. */
export function riskFactors(
  facts: RiskFacts,
  points: DecisionPoints,
  cvss: CvssEvidence | undefined,
): RiskFactor[] {
  return [
    exploitationFactor(facts, points.exploitation),
    severityFactor(cvss),
    {
      id: 'automatable',
      points: points.automatable.value === 'yes' ? POINTS_MAX.automatable : 0,
      pointsMax: POINTS_MAX.automatable,
      finding: statedBy(AUTOMATABLE_FINDINGS[points.automatable.value], points.automatable),
      source: 'CERT/CC SSVC, Automatable 2.0.0; CISA BOD 26-04',
      assumed: points.automatable.assumed,
    },
    {
      id: 'exposure',
      points: EXPOSURE_POINTS[points.exposure.value],
      pointsMax: POINTS_MAX.exposure,
      finding: statedBy(EXPOSURE_FINDINGS[points.exposure.value], points.exposure),
      source: 'CERT/CC SSVC, System Exposure 1.0.1; CISA BOD 26-04',
      assumed: points.exposure.assumed,
    },
    {
      id: 'importance',
      points: IMPORTANCE_POINTS[points.importance.value],
      pointsMax: POINTS_MAX.importance,
      finding: statedBy(`The importance of the site is ${points.importance.value}`, points.importance),
      source: 'CISA Coordinator 2.0.3 (mission and well-being impact)',
      assumed: points.importance.assumed,
    },
  ];
}

const AUTOMATABLE_FINDINGS: Readonly<Record<YesNo, string>> = {
  no: 'Attacks cannot be automated reliably',
  yes: 'Attacks can be automated',
};
const EXPOSURE_FINDINGS: Readonly<Record<Exposure, string>> = {
  small: 'Very few people can reach it',
  controlled: 'The public cannot reach it directly',
  open: 'The public can reach it',
};
/** Each state of exploitation as the beginning of a sentence. */
export const EXPLOITATION_FINDINGS: Readonly<Record<Exploitation, string>> = {
  none: 'No exploit is known',
  poc: 'A public exploit exists',
  active: 'It is being exploited',
};

const statedBy = (finding: string, { source, assumed }: Stated<unknown>): string =>
  assumed
    ? `Assumed, because there is no data: ${finding.toLowerCase()}.`
    : `${finding}, according to ${source}.`;

/** EPSS counts on a scale of powers of ten, from 0.001 on; evidence of exploits supersedes it. */
function exploitationFactor(facts: RiskFacts, exploitation: Stated<Exploitation>): RiskFactor {
  const { probability, assumed } = likelihood(facts);
  const scale = Math.min(1, Math.max(0, (Math.log10(probability) + 3) / 3));
  const likely = Math.round(LIKELIHOOD_POINTS_MAX * scale);
  const evident = { none: 0, poc: POC_POINTS_MIN, active: POINTS_MAX.exploitation }[exploitation.value];
  const known = statedBy(EXPLOITATION_FINDINGS[exploitation.value], exploitation);
  const expected = assumed
    ? `EPSS has no score for it: ${chance(probability)} is assumed.`
    : `It has ${chance(probability)}, according to EPSS.`;
  return {
    id: 'exploitation',
    points: Math.max(evident, likely),
    pointsMax: POINTS_MAX.exploitation,
    finding: exploitation.value === 'active' ? known : `${known} ${expected}`,
    source: 'FIRST EPSS FAQ (evidence of exploitation supersedes EPSS); CERT/CC SSVC, Exploitation 1.1.0',
    assumed: assumed && likely > evident,
  };
}

function severityFactor(cvss: CvssEvidence | undefined): RiskFactor {
  const tenths = cvss === undefined ? SEVERITY_UNKNOWN_TENTHS : Math.round(cvss.shown.score * 10);
  return {
    id: 'severity',
    points: Math.floor(tenths / 4),
    pointsMax: POINTS_MAX.severity,
    finding:
      cvss === undefined
        ? 'It has no CVSS vector of version 3 or 4. A base score of 5.0 is assumed.'
        : `Its CVSS ${cvss.shown.version} base score is ${cvss.shown.score.toFixed(1)} (${cvss.shown.severity}).`,
    source: 'FIRST CVSS 4.0, Qualitative Severity Rating Scale',
    assumed: cvss === undefined,
  };
}
