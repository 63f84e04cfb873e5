import { Type } from '@sinclair/typebox';
import { t } from 'elysia';
import { CVSS_VERSIONS, type Cvss, type CvssSeverity } from '../../domain/risk/cvss.ts';
import { DECISIONS } from '../../domain/risk/decision.ts';
import { type Epss, EXPOSURES, IMPORTANCES, type KnownExploited } from '../../domain/risk/facts.ts';
import { assessRisk, type Risk } from '../../domain/risk/risk.ts';
import { RISK_FACTOR_IDS } from '../../domain/risk/score.ts';
import { closed, nullable, timestamp, typed } from '../../http/contract/answers.ts';
import { oneOf } from '../../http/fields.ts';
import { iso, isoOrNull } from '../../lib/clock.ts';
import { count, score } from './event-counts.ts';

export const ImportanceName = oneOf(
  IMPORTANCES,
  'what depends on the site; `medium` when nobody says',
  'Importance',
);
export const ExposureName = oneOf(EXPOSURES, 'who can reach it: hardly anybody, a known few, or the public');
export const DecisionName = oneOf(
  DECISIONS,
  'who should care, by CISA’s coordinator table, from the calmest; plan by `remediate_within_days`',
  'RiskDecision',
);

const part = (description: string) => t.Number({ minimum: 0, maximum: 1, description });

export const EpssFields = nullable(
  typed('Epss', {
    probability: part('that it is exploited within 30 days'),
    percentile: part('of all CVEs that are not more likely; never a probability'),
    model_version: t.String({ description: 'a new model moves scores without a new fact' }),
    score_date: timestamp('of the file'),
  }),
  'how likely it is exploited, by FIRST; null without a score',
);
export const KnownExploitedFields = nullable(
  typed('KnownExploited', {
    catalogue: t.String({ description: 'whose: `cisa` or `enisa`' }),
    since: nullable(timestamp('when it was listed')),
    ransomware: t.Boolean({ description: 'whether ransomware is known to use it' }),
  }),
  'its oldest entry in a catalogue of what is exploited; null without one',
);

const SEVERITY_WORDS: readonly CvssSeverity[] = ['unknown', 'none', 'low', 'medium', 'high', 'critical'];
export const VulnerabilitySeverity = oneOf(
  SEVERITY_WORDS,
  'by its CVSS base score; `unknown` without a vector, which is not `none`',
  'VulnerabilitySeverity',
);
export const CvssFields = nullable(
  typed('Cvss', {
    version: oneOf(CVSS_VERSIONS, 'scores of 3 and of 4 are on different scales'),
    vector: t.String({ description: 'as published' }),
    score: t.Number({ minimum: 0, maximum: 10, description: 'base score; threat metrics are left out' }),
  }),
  'of several vectors the worst of the newest version; null when none can be read',
);

const riskFields = {
  score: score('100 is most urgent: the band of the deadline, and the place in it by the factors'),
  decision: DecisionName,
  remediate_within_days: nullable(
    Type.Integer({ minimum: 0, description: 'by CISA BOD 26-04: 3, 14 or 60; null = with the next upgrade' }),
  ),
  forensics: t.Boolean({
    description: 'whether to look for traces of a break-in first, which an update can destroy',
  }),
  factors: t.Array(
    typed('RiskFactor', {
      id: oneOf(RISK_FACTOR_IDS, 'stable'),
      points: count('that it has'),
      points_max: count('that it could have; those of all add up to 100'),
      finding: t.String({ description: 'what is known, and who says so' }),
      source: t.String({ description: 'where the practice is laid down; the numbers are our own' }),
      assumed: t.Boolean({ description: 'whether a rule stands in, because nobody says it' }),
    }),
    { description: 'always all five, in the same order' },
  ),
  decision_points: t.Record(t.String(), t.String(), {
    description: 'what both tables were asked, in the words of SSVC',
  }),
  epss: EpssFields,
  known_exploited: KnownExploitedFields,
  tables: t.Array(t.String(), { description: 'that decided' }),
  recommendation: t.String({
    description: 'what to do, by when and why; nothing is ever done by the service',
  }),
};
/** How urgent a vulnerability is. */
export const RiskFields = closed(riskFields, 'how urgent it is, and why', 'Risk');

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

/** A risk, as {@link RiskFields}. */
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

/** Of the contract: a takeover without login in a plugin that is being exploited. */
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
