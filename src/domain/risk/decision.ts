import type { DecisionPoints } from './decision-points.ts';
import type { Exploitation, Importance, TechnicalImpact, YesNo } from './facts.ts';

/** From the calmest to the most urgent. SSVC `cisa:CISA:1.1.0`. */
export const DECISIONS = ['track', 'track*', 'attend', 'act'] as const;
export type Decision = (typeof DECISIONS)[number];

/** The name of the table below in an answer. */
export const COORDINATOR_TABLE = 'cisa:coordinator:2.0.3';

type Row = Readonly<Record<Importance, Decision>>;
type Table = Readonly<Record<Exploitation, Readonly<Record<YesNo, Readonly<Record<TechnicalImpact, Row>>>>>>;

const row = (low: Decision, medium: Decision, high: Decision): Row => ({ low, medium, high });

/** CISA Coordinator 2.0.3 as CERT/CC publishes it: exploitation, automatable, technical impact, importance. */
const COORDINATOR: Table = {
  none: {
    no: { partial: row('track', 'track', 'track'), total: row('track', 'track', 'track*') },
    yes: { partial: row('track', 'track', 'attend'), total: row('track', 'track', 'attend') },
  },
  poc: {
    no: { partial: row('track', 'track', 'track*'), total: row('track', 'track*', 'attend') },
    yes: { partial: row('track', 'track', 'attend'), total: row('track', 'track*', 'attend') },
  },
  active: {
    no: { partial: row('track', 'track', 'attend'), total: row('track', 'attend', 'act') },
    yes: { partial: row('attend', 'attend', 'act'), total: row('attend', 'act', 'act') },
  },
};

/** How much attention CISA's coordinators would give it. It does not ask who can reach the component. */
export const decide = ({
  exploitation,
  automatable,
  technicalImpact,
  importance,
}: DecisionPoints): Decision =>
  COORDINATOR[exploitation.value][automatable.value][technicalImpact.value][importance.value];
