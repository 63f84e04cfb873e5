import { DAY_MS } from '../../lib/clock.ts';
import type { FindingRule } from '../finding.ts';
import type { Severity } from '../severity.ts';

/** What a tenant can have measured, and how people call it. */
const KINDS = {
  key_hygiene: 'key hygiene',
  restore: 'the backup',
  digital_immunity: 'digital immunity',
  saas: 'SaaS connections',
  server_guard: 'the server',
  pc_guard: 'PCs',
  cloud_immunity: 'the cloud',
} as const;
export type MeasureKind = keyof typeof KINDS;

/** The latest report of one kind. */
export interface PostureMeasure {
  readonly kind: MeasureKind;
  /** 0 to 100 (worst); null for a report that carries no score. */
  readonly risk: number | null;
  /** When it arrived, in milliseconds since the Unix epoch. */
  readonly at: number;
}

interface Measured {
  readonly now: number;
  readonly measures: readonly PostureMeasure[];
}

/** From a risk of so much on. */
const BANDS: readonly (readonly [from: number, below: number, Severity])[] = [
  [75, Number.POSITIVE_INFINITY, 'high'],
  [50, 75, 'medium'],
  [25, 50, 'low'],
];
const OUTDATED_DAYS = 30;

/** For each kind a rule per band of its risk, and one on its age. */
export const MEASURE_RULES = (Object.keys(KINDS) as MeasureKind[]).flatMap(
  (kind): FindingRule<Measured>[] => {
    const measureOf = ({ measures }: Measured) => measures.find((measure) => measure.kind === kind);
    return [
      ...BANDS.map(
        ([from, below, severity]): FindingRule<Measured> => ({
          id: `${kind}_risk`,
          severity,
          title: `The latest assessment of ${KINDS[kind]} shows a ${severity} risk`,
          recommendation:
            'The score gathers weaknesses that attackers use. Follow the recommendations of that assessment in ' +
            'their order, then measure again.',
          see(measured) {
            const risk = measureOf(measured)?.risk;
            return typeof risk === 'number' && risk >= from && risk < below
              ? `Risk ${risk} of 100.`
              : undefined;
          },
        }),
      ),
      {
        id: `${kind}_outdated`,
        severity: 'info',
        title: `The latest assessment of ${KINDS[kind]} is over ${OUTDATED_DAYS} days old`,
        recommendation:
          'What has changed since then is not in it. See whether the agent still runs, and measure again.',
        see(measured) {
          const measure = measureOf(measured);
          const ageDays = measure ? Math.floor((measured.now - measure.at) / DAY_MS) : 0;
          return ageDays > OUTDATED_DAYS ? `It arrived ${ageDays} days ago.` : undefined;
        },
      },
    ];
  },
);
