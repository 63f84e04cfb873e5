import type { FindingRule } from '../finding.ts';
import type { Severity } from '../severity.ts';
import { ago, daysBetween } from './ago.ts';

/** The kinds of reports, as people call them. */
export const MEASURES = {
  key_hygiene: 'key hygiene',
  restore: 'the backup',
  digital_immunity: 'digital immunity',
  saas: 'SaaS applications',
  server_guard: 'the server',
  pc_guard: 'PCs',
  cloud_immunity: 'the cloud',
  decoy: 'decoys',
} as const;
export type MeasureKind = keyof typeof MEASURES;
export const MEASURE_KINDS = Object.keys(MEASURES) as MeasureKind[];

/** The latest report of one kind. */
export interface PostureMeasure {
  readonly kind: MeasureKind;
  /** The vocabulary of its route. */
  readonly record: Readonly<Record<string, unknown>>;
  /** When it arrived, in milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface Measured {
  readonly now: number;
  readonly measures: readonly PostureMeasure[];
}

/** The latest report of a kind, and how many days ago it was measured; at the latest when it arrived. */
export function measureOf({ now, measures }: Measured, kind: MeasureKind) {
  const measure = measures.find((each) => each.kind === kind);
  if (measure === undefined) return undefined;
  const collectedAt = Date.parse(String(measure.record.collectedAt));
  const at = Number.isNaN(collectedAt) ? measure.at : Math.min(collectedAt, measure.at);
  return { ...measure, ageDays: daysBetween(at, now) };
}

/** Of these the report is an assessment with a score. */
export const SCORED_KINDS = ['key_hygiene', 'restore'] as const satisfies readonly MeasureKind[];

/** The score of an earlier assessment. */
export interface PostureScore {
  readonly kind: (typeof SCORED_KINDS)[number];
  /** `risk`: 0 is best. `safety`: 100 is best. */
  readonly meaning: 'risk' | 'safety';
  /** Integer, 0 to 100. */
  readonly score: number;
}

/** The score in a report; undefined when it carries none. */
export function scoreOf({ kind, record }: Pick<PostureMeasure, 'kind' | 'record'>): PostureScore | undefined {
  const { hygieneRiskScore, restoreSafetyScore } = record;
  if (kind === 'key_hygiene' && typeof hygieneRiskScore === 'number') {
    return { kind, meaning: 'risk', score: hygieneRiskScore };
  }
  if (kind === 'restore' && typeof restoreSafetyScore === 'number') {
    return { kind, meaning: 'safety', score: restoreSafetyScore };
  }
  return undefined;
}

/** From this risk on. */
const BANDS: readonly (readonly [from: number, below: number, Severity])[] = [
  [75, Number.POSITIVE_INFINITY, 'high'],
  [50, 75, 'medium'],
  [25, 50, 'low'],
];
export const OUTDATED_DAYS = 30;

const riskOf = ({ meaning, score }: PostureScore): number => (meaning === 'risk' ? score : 100 - score);

const RISK_RULES = SCORED_KINDS.flatMap((kind) =>
  BANDS.map(
    ([from, below, severity]): FindingRule<Measured> => ({
      id: `${kind}_risk`,
      severity,
      title: `The latest assessment of ${MEASURES[kind]} found a ${severity} risk`,
      recommendation:
        'The score combines weaknesses that attackers exploit. Follow the recommendations of that assessment in ' +
        'order, then measure again.',
      see(measured) {
        const measure = measureOf(measured, kind);
        const assessed = measure && scoreOf(measure);
        if (!assessed || riskOf(assessed) < from || riskOf(assessed) >= below) return undefined;
        return `Its ${assessed.meaning} score is ${assessed.score} of 100, measured ${ago(measure.ageDays)}.`;
      },
    }),
  ),
);

const AGE_RULES = MEASURE_KINDS.filter((kind) => kind !== 'decoy').map(
  (kind): FindingRule<Measured> => ({
    id: `${kind}_outdated`,
    severity: 'info',
    title: `The latest assessment of ${MEASURES[kind]} is more than ${OUTDATED_DAYS} days old`,
    recommendation: 'It does not reflect later changes. Check that the agent is running, and measure again.',
    see(measured) {
      const ageDays = measureOf(measured, kind)?.ageDays ?? 0;
      return ageDays > OUTDATED_DAYS ? `It was measured ${ago(ageDays)}.` : undefined;
    },
  }),
);

/** The rules on scores, and one for each kind on its age. */
export const MEASURE_RULES: readonly FindingRule<Measured>[] = [...RISK_RULES, ...AGE_RULES];
