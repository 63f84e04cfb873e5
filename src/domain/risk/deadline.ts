import type { DecisionPoints } from './decision-points.ts';
import type { TechnicalImpact, YesNo } from './facts.ts';

/** The deadline for a fix, from the latest to the earliest. SSVC `cisa:BOD2604:1.0.0`. */
export const DEADLINES = ['upgrade', '60_days', '14_days', '3_days', '3_days_forensics'] as const;
export type Deadline = (typeof DEADLINES)[number];

/** The name of the table below in an answer. */
export const DEADLINE_TABLE = 'cisa:BOD2604:1.0.0';

/** The terms of a deadline. */
export interface DeadlineTerms {
  /** Days of 24 hours; null = with the next upgrade of the system. */
  readonly days: 3 | 14 | 60 | null;
  /** Whether to look for traces of a break-in as well. */
  readonly forensics: boolean;
}

export const DEADLINE_TERMS: Readonly<Record<Deadline, DeadlineTerms>> = {
  upgrade: { days: null, forensics: false },
  '60_days': { days: 60, forensics: false },
  '14_days': { days: 14, forensics: false },
  '3_days': { days: 3, forensics: false },
  '3_days_forensics': { days: 3, forensics: true },
};

type Row = Readonly<Record<TechnicalImpact, Readonly<Record<YesNo, Deadline>>>>;

/** BOD 26-04 1.0.0 as CERT/CC publishes it: known exploited, publicly exposed, technical impact, automatable. */
const TIMELINES: Readonly<Record<YesNo, Readonly<Record<YesNo, Row>>>> = {
  no: {
    no: { partial: { no: 'upgrade', yes: '60_days' }, total: { no: 'upgrade', yes: '60_days' } },
    yes: { partial: { no: '60_days', yes: '14_days' }, total: { no: '14_days', yes: '3_days' } },
  },
  yes: {
    no: { partial: { no: '14_days', yes: '14_days' }, total: { no: '14_days', yes: '3_days_forensics' } },
    yes: {
      partial: { no: '14_days', yes: '3_days' },
      total: { no: '3_days_forensics', yes: '3_days_forensics' },
    },
  },
};

/** Publicly exposed (`cisa:PE:1.0.0`) is what is open to the public. */
export const publiclyExposed = ({ exposure }: DecisionPoints): YesNo =>
  exposure.value === 'open' ? 'yes' : 'no';

/** The deadline that CISA sets for agencies of the United States (Binding Operational Directive 26-04). */
export function deadlineFor(points: DecisionPoints): Deadline {
  const { knownExploited, technicalImpact, automatable } = points;
  return TIMELINES[knownExploited.value][publiclyExposed(points)][technicalImpact.value][automatable.value];
}
