import { DAY_MS } from '../../lib/clock.ts';
import type { DecisionPoints } from './decision-points.ts';
import type { TechnicalImpact, YesNo } from './facts.ts';

/** By when it has to be mended, from the calmest to the most urgent. SSVC `cisa:BOD2604:1.0.0`. */
export const DEADLINES = ['upgrade', '60_days', '14_days', '3_days', '3_days_forensics'] as const;
export type Deadline = (typeof DEADLINES)[number];

/** The name of the table below in an answer. */
export const DEADLINE_TABLE = 'cisa:BOD2604:1.0.0';

/** What a deadline asks for. */
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

/** What also asks for forensics gives no other time: it begins none anew. */
export const givesSameTime = (one: Deadline, other: Deadline): boolean =>
  DEADLINE_TERMS[one].days === DEADLINE_TERMS[other].days;

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

/** By when CISA would have an agency of the United States mend it (Binding Operational Directive 26-04). */
export function deadlineFor(points: DecisionPoints): Deadline {
  const { knownExploited, technicalImpact, automatable } = points;
  return TIMELINES[knownExploited.value][publiclyExposed(points)][technicalImpact.value][automatable.value];
}

/**
 * When the time is over, in milliseconds since the Unix epoch; null without a deadline. It runs from when the
 * vulnerability was first seen on the site or from when the deadline became the present one, whichever is later:
 * nobody is late on the day on which a catalogue takes up something old.
 */
export const dueAt = (
  days: DeadlineTerms['days'],
  firstSeenAt: number,
  deadlineSince: number,
): number | null => (days === null ? null : Math.max(firstSeenAt, deadlineSince) + days * DAY_MS);

/** Whether that time has passed. */
export const isOverdue = (due: number | null, now: number): boolean => due !== null && now > due;
