import { DAY_MS } from '../../lib/clock.ts';
import type { Finding } from '../finding.ts';
import type { Severity } from '../severity.ts';
import { REACH_RULES } from '../surface/reach.ts';

export const GRADES = ['A', 'B', 'C', 'D', 'F'] as const;
/** The best first. */
export type Grade = (typeof GRADES)[number];

export const ASSESSMENT_PARTS = ['telemetry', 'surface', 'vulnerabilities'] as const;
/** What an assessment looks at: what the site sent of itself, what it shows from outside, and what is known of its components. */
export type AssessmentPart = (typeof ASSESSMENT_PARTS)[number];

/** What was concluded from one part. */
export interface JudgedPart {
  /** 0-100: the most that the assessment can reach with it. */
  readonly score: number;
  /** When what it rests on was so, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Whether it is fresh and saw everything it was to see; otherwise the assessment gets no A. */
  readonly complete: boolean;
}

export interface JudgedVulnerabilities extends JudgedPart {
  /** When the oldest of the data that they were looked up in was so, in milliseconds since the Unix epoch. */
  readonly dataAt: number;
  readonly open: number;
  readonly overdue: number;
}

/** Null = nothing is known of it. */
export interface AssessmentParts {
  readonly telemetry: JudgedPart | null;
  readonly surface: JudgedPart | null;
  readonly vulnerabilities: JudgedVulnerabilities | null;
}

/** How a site stands, by all that is known of it. */
export interface Assessment {
  readonly grade: Grade;
  /** 0-100, the least that any part allows. */
  readonly score: number;
  readonly parts: AssessmentParts;
  /** When the oldest part was so: nothing of it looks fresher than it is. Milliseconds since the Unix epoch. */
  readonly assessedAt: number;
}

/** A vulnerability that is open on a site. */
export interface OpenVulnerability {
  /** Of its risk, 0-100. */
  readonly score: number;
  readonly remediateWithinDays: 3 | 14 | 60 | null;
  readonly overdue: boolean;
}

/** The least score of each grade; the bounds of MDN's HTTP Observatory, which A, B, C and D share with it. */
const GRADE_FROM = { A: 85, B: 65, C: 45, D: 25, F: 0 } as const satisfies Record<Grade, number>;
/** The most without a part, or with one that is old or did not see everything: one less than an A. */
const INCOMPLETE_MAX = GRADE_FROM.A - 1;
const BEST = 100;

const OFF_BY_SURFACE_FINDING: Readonly<Record<Severity, number>> = {
  critical: 50,
  high: 25,
  medium: 10,
  low: 3,
  info: 0,
};
const SURFACE_DAYS_MAX = 30;
/** The most of a site that shows nobody its home page: hiding must not be worth more than showing. */
const HIDDEN_MAX = GRADE_FROM.B - 1;

/** Risks from which a vulnerability moves the score, and from which it does so at once. */
const NOTEWORTHY_RISK = 25;
const URGENT_RISK = 90;
const WITH_URGENT = GRADE_FROM.D - 1;
const WITH_NOTEWORTHY = GRADE_FROM.A - 1;
const WITH_OVERDUE = { 60: GRADE_FROM.A - 1, 14: GRADE_FROM.B - 1, 3: GRADE_FROM.C - 1 } as const;

export const gradeOf = (score: number): Grade => GRADES.find((grade) => score >= GRADE_FROM[grade]) ?? 'F';

/** What a site shows from outside, and when it was looked at, in milliseconds since the Unix epoch. */
export interface SeenSurface {
  readonly findings: readonly Pick<Finding, 'id' | 'severity'>[];
  readonly at: number;
}

const IN_PART: readonly string[] = REACH_RULES.map(({ id }) => id);
const HIDDEN: readonly string[] = ['site_unreachable', 'home_page_not_judged'];

/**
 * Judges what a site shows from outside. One that hides is no better than when it was last seen.
 *
 * @param before the greatest score that the last assessment allowed by it; undefined = there was none
 */
export function judgeSurfacePart(
  { findings, at }: SeenSurface,
  before: number | undefined,
  nowMs: number,
): JudgedPart {
  const has = (ids: readonly string[]) => findings.some(({ id }) => ids.includes(id));
  const off = findings.reduce((sum, { severity }) => sum + OFF_BY_SURFACE_FINDING[severity], 0);
  const seen = Math.max(0, BEST - off);
  return {
    score: has(HIDDEN) ? Math.min(seen, HIDDEN_MAX, before ?? HIDDEN_MAX) : seen,
    at,
    complete: !has(IN_PART) && nowMs - at <= SURFACE_DAYS_MAX * DAY_MS,
  };
}

/** The most that an assessment can reach with a vulnerability open. */
export function scoreWith({ score, remediateWithinDays, overdue }: OpenVulnerability): number {
  if (score >= URGENT_RISK) return WITH_URGENT;
  if (score < NOTEWORTHY_RISK || remediateWithinDays === null) return BEST;
  return overdue ? WITH_OVERDUE[remediateWithinDays] : WITH_NOTEWORTHY;
}

/**
 * Joins the parts: the worst one decides. No fact that becomes worse ever gives a greater score.
 *
 * @returns undefined when nothing is known of the site
 */
export function assess(parts: AssessmentParts): Assessment | undefined {
  const judged = ASSESSMENT_PARTS.flatMap((name) => parts[name] ?? []);
  if (judged.length === 0) return undefined;
  const isWhole = judged.length === ASSESSMENT_PARTS.length && judged.every(({ complete }) => complete);
  const score = Math.min(...judged.map((part) => part.score), isWhole ? BEST : INCOMPLETE_MAX);
  return { grade: gradeOf(score), score, parts, assessedAt: Math.min(...judged.map(({ at }) => at)) };
}
