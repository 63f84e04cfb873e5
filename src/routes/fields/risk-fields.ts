import { Type as t } from '@sinclair/typebox';
import { CVSS_VERSIONS, type Cvss, type CvssSeverity } from '../../domain/risk/cvss.ts';
import { DECISIONS } from '../../domain/risk/decision.ts';
import { type Epss, EXPOSURES, IMPORTANCES, type KnownExploited } from '../../domain/risk/facts.ts';
import { assessRisk, type Risk } from '../../domain/risk/risk.ts';
import { RISK_FACTOR_IDS } from '../../domain/risk/score.ts';
import { closed, nullable, timestamp, typed } from '../../http/contract/answers.ts';
import { count, oneOf, score } from '../../http/fields.ts';
import { iso, isoOrNull } from '../../lib/clock.ts';

export const ImportanceName = oneOf(IMPORTANCES, 'importance of the site; default `medium`', 'Importance');
export const ExposureName = oneOf(
  EXPOSURES,
  'exposure: hardly reachable, reachable by a known group, or public',
);
export const DecisionName = oneOf(
  DECISIONS,
  'decision of CISA’s coordinator table, in ascending order of urgency; use `remediate_within_days` for planning',
  'RiskDecision',
);

const part = (description: string) => t.Number({ minimum: 0, maximum: 1, description });

export const EpssFields = nullable(
  typed('Epss', {
    probability: part('probability of exploitation within 30 days'),
    percentile: part('percentile rank among all CVEs; not a probability'),
    model_version: t.String({
      description: 'version of the EPSS model; scores can change between versions without new facts',
    }),
    score_date: timestamp('date of the EPSS file'),
  }),
  'exploit prediction (EPSS) by FIRST; null if there is no score',
);
export const KnownExploitedFields = nullable(
  typed('KnownExploited', {
    catalogue: t.String({ description: 'publisher of the catalogue: `cisa` or `enisa`' }),
    since: nullable(timestamp('time of listing')),
    ransomware: t.Boolean({ description: 'whether it is known to be used by ransomware' }),
  }),
  'oldest entry in a catalogue of exploited vulnerabilities; null if not listed',
);

const SEVERITY_WORDS: readonly CvssSeverity[] = ['unknown', 'none', 'low', 'medium', 'high', 'critical'];
export const VulnerabilitySeverity = oneOf(
  SEVERITY_WORDS,
  'severity by CVSS base score; `unknown` if there is no vector',
  'VulnerabilitySeverity',
);
export const CvssFields = nullable(
  typed('Cvss', {
    version: oneOf(CVSS_VERSIONS, 'CVSS version; scores of versions 3 and 4 are not comparable'),
    vector: t.String({ description: 'CVSS vector as published' }),
    score: t.Number({ minimum: 0, maximum: 10, description: 'CVSS base score, without threat metrics' }),
  }),
  'CVSS score; of several vectors, the most severe of the newest version. Null if there is no valid vector',
);

const riskFields = {
  score: score('risk score, 100 is most urgent. The deadline sets the band, the factors the position in it'),
  decision: DecisionName,
  remediate_within_days: nullable(
    t.Integer({
      minimum: 0,
      description: 'days to remediate by CISA BOD 26-04: 3, 14 or 60; null: with the next upgrade',
    }),
  ),
  forensics: t.Boolean({
    description: 'whether to check for signs of compromise before updating, since an update can destroy them',
  }),
  factors: t.Array(
    typed('RiskFactor', {
      id: oneOf(RISK_FACTOR_IDS, 'stable ID of the factor'),
      points: count('points scored'),
      points_max: count('maximum points; the maxima of all factors add up to 100'),
      finding: t.String({ description: 'facts and their sources' }),
      source: t.String({
        description: 'reference for the practice; the weights are specific to this service',
      }),
      assumed: t.Boolean({ description: 'whether the value is a default because no source provides it' }),
    }),
    { description: 'all five factors, always in the same order' },
  ),
  decision_points: t.Record(t.String(), t.String(), {
    description: 'inputs of both decision tables, in SSVC terms',
  }),
  epss: EpssFields,
  known_exploited: KnownExploitedFields,
  tables: t.Array(t.String(), { description: 'decision tables applied' }),
  recommendation: t.String({
    description: 'recommended action with deadline and reason; the service itself changes nothing',
  }),
};
export const RiskFields = closed(riskFields, 'risk assessment', 'Risk');

export const epssOf = (epss: Epss | null) =>
  epss && {
    probability: epss.probability,
    percentile: epss.percentile,
    model_version: epss.modelVersion,
    score_date: iso(epss.scoreDate),
  };

export const knownExploitedOf = (known: KnownExploited | null) =>
  known && { catalogue: known.catalogue, since: isoOrNull(known.since), ransomware: known.ransomware };

export const cvssOf = (cvss: Cvss | null) =>
  cvss && { version: cvss.version, vector: cvss.vector, score: cvss.score };

/** Converts a risk to {@link RiskFields}. */
export const riskOf = (risk: Risk) => ({
  score: risk.score,
  decision: risk.decision,
  remediate_within_days: risk.remediateWithinDays,
  forensics: risk.forensics,
  factors: risk.factors.map(({ pointsMax, ...factor }) => ({ ...factor, points_max: pointsMax })),
  decision_points: risk.decisionPoints,
  epss: epssOf(risk.epss),
  known_exploited: knownExploitedOf(risk.knownExploited),
  tables: [...risk.tables],
  recommendation: risk.recommendation,
});

/** Example of the contract: a takeover without login in a plugin that is being exploited. */
export const EXAMPLE_RISK = assessRisk({
  cvssVectors: ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
  epss: {
    probability: 0.62,
    percentile: 0.98,
    modelVersion: 'v2026.06.15',
    scoreDate: Date.UTC(2026, 10, 22),
  },
  epssMedian: 0.009,
  knownExploited: [{ catalogue: 'cisa', since: Date.UTC(2026, 10, 20), ransomware: false }],
  ssvc: null,
  hasPublicExploit: true,
  assertedExploitation: null,
  exposure: 'open',
  importance: 'medium',
  component: { name: 'example-gallery', fixedVersions: ['1.2.4'], removable: true },
});
