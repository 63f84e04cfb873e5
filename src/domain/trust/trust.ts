import { DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import type { AssessmentParts, Grade } from '../assessment/assessment.ts';
import { reaches, type TrustGrade } from '../assessment/public-grades.ts';
import { ALERT_OPEN_DAYS } from '../site/alerts.ts';

export const TRUST_STATES = ['assessed', 'not_current'] as const;
/**
 * The public state of a site. There are only two: every problem reads as `not_current`, because a public list of bad grades
 * would be a list of targets.
 */
export type TrustState = (typeof TRUST_STATES)[number];

export const TRUST_PROBLEMS = [
  'license_not_valid',
  'domain_not_verified',
  'surface_scans_disabled',
  'clock_behind',
  'critical_alert',
  'never_assessed',
  'grade_too_low',
  'outdated',
] as const;
/** Why a site's state is not current; for its tenant alone. */
export type TrustProblem = (typeof TRUST_PROBLEMS)[number];

/** The operator's requirements for a public assessment. */
export interface TrustPolicy {
  readonly minGrade: TrustGrade;
  /** The greatest age of its inputs. */
  readonly validDays: number;
}

/** The fields of an assessment that determine the public state. */
export interface AssessmentFacts {
  readonly grade: Grade;
  readonly parts: AssessmentParts;
  /** When the oldest part was so, in milliseconds since the Unix epoch. */
  readonly assessedAt: number;
  readonly madeAt: number;
}

/** The inputs of a site's public state. */
export interface TrustFacts<Assessment extends AssessmentFacts> {
  readonly isLicenseValid: boolean;
  /** Whether the license has proven that it controls the domain. */
  readonly isControlled: boolean;
  /** Whether the operator lets sites be looked at from outside. */
  readonly surfaceScans: boolean;
  /** Whether the clock was set back: an old assessment would look new. */
  readonly isClockBehind: boolean;
  /** The time of the newest unresolved critical event, in milliseconds since the Unix epoch; null = none. */
  readonly criticalAt: number | null;
  /** Those made within the days that one is valid, and perhaps others; the newest first. */
  readonly assessments: readonly Assessment[];
}

export type TrustStanding<Assessment extends AssessmentFacts> =
  | {
      readonly state: 'assessed';
      readonly assessment: Assessment;
      /** When the assessment is too old, in milliseconds since the Unix epoch. */
      readonly validUntil: number;
      /** When its publication ends, as far as is known now: earlier after a lower grade. Only for the tenant. */
      readonly endsAt: number;
    }
  | { readonly state: 'not_current'; readonly problem: TrustProblem };

/** The hour of an assessment's oldest part, which is public: the second would reveal which sites were assessed together. */
export const shownMoment = ({ assessedAt }: Pick<AssessmentFacts, 'assessedAt'>): number =>
  assessedAt - (assessedAt % HOUR_MS);

/** How long an assessment stays public after a lower one, so that the owner has time to fix the site. */
const AFTER_LESSER_MS = 72 * HOUR_MS;

/**
 * The public state of a site: the newest assessment that meets the requirements, while it is valid, and at most 72 hours after
 * the first lower one that followed it. A critical alert ends it immediately, while it is open and, unless it is resolved,
 * until the site is assessed again.
 */
export function trustStanding<Assessment extends AssessmentFacts>(
  facts: TrustFacts<Assessment>,
  policy: TrustPolicy,
  nowMs: number,
): TrustStanding<Assessment> {
  const not = (problem: TrustProblem) => ({ state: 'not_current', problem }) as const;
  if (!facts.isLicenseValid) return not('license_not_valid');
  if (!facts.isControlled) return not('domain_not_verified');
  if (!facts.surfaceScans) return not('surface_scans_disabled');
  const [newest] = facts.assessments;
  // An assessment in the future shows that the clock was set back.
  if (facts.isClockBehind || (newest && newest.madeAt > nowMs)) return not('clock_behind');
  const { criticalAt } = facts;
  if (criticalAt !== null && nowMs - criticalAt < ALERT_OPEN_DAYS * DAY_MS) return not('critical_alert');
  if (newest === undefined) return not('never_assessed');
  const isGoodEnough = (each: Assessment) => reaches(each, policy.minGrade);
  const endOf = (each: Assessment) => shownMoment(each) + policy.validDays * DAY_MS;
  const shown = facts.assessments.findIndex((each) => isGoodEnough(each) && nowMs < endOf(each));
  const assessment = facts.assessments[shown];
  if (assessment === undefined)
    return not(facts.assessments.some(isGoodEnough) ? 'outdated' : 'grade_too_low');
  // That an old alert has timed out says nothing about an assessment from before it.
  if (criticalAt !== null && criticalAt > assessment.assessedAt) return not('critical_alert');
  const lesser = facts.assessments.slice(0, shown).findLast((each) => !isGoodEnough(each));
  const validUntil = endOf(assessment);
  const endsAt = Math.min(validUntil, (lesser?.madeAt ?? Infinity) + AFTER_LESSER_MS);
  return nowMs < endsAt ? { state: 'assessed', assessment, validUntil, endsAt } : not('grade_too_low');
}
