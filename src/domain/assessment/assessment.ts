import { DAY_MS } from '../../lib/clock.ts';
import type { Finding } from '../finding.ts';
import type { Severity } from '../severity.ts';
import { REACH_RULES } from '../surface/reach.ts';

export const GRADES = ['A', 'B', 'C', 'D', 'F'] as const;
/** Best first. */
export type Grade = (typeof GRADES)[number];

export const ASSESSMENT_PARTS = ['telemetry', 'surface', 'vulnerabilities'] as const;
/** The parts of an assessment: the site's own reports, its public surface, and the vulnerabilities of its components. */
export type AssessmentPart = (typeof ASSESSMENT_PARTS)[number];

/** The evaluation of one part. */
export interface JudgedPart {
  /** 0-100: the highest score that it allows. */
  readonly score: number;
  /** The time of its input, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Whether its input is fresh and complete; otherwise the assessment gets no A. */
  readonly complete: boolean;
}

export interface JudgedVulnerabilities extends JudgedPart {
  /** The time of the oldest vulnerability data used, in milliseconds since the Unix epoch. */
  readonly dataAt: number;
  readonly open: number;
  readonly overdue: number;
}

/** Null = no input. */
export interface AssessmentParts {
  readonly telemetry: JudgedPart | null;
  readonly surface: JudgedPart | null;
  readonly vulnerabilities: JudgedVulnerabilities | null;
}

/** The evaluation of a site from all its parts. */
export interface Assessment {
  readonly grade: Grade;
  /** 0-100, the lowest score of its parts. */
  readonly score: number;
  readonly parts: AssessmentParts;
  /** The time of the oldest part, so that the assessment never looks fresher than it is. Milliseconds since the Unix epoch. */
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
/** The highest score without a part, or with an old or incomplete one: one less than an A. */
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
/** The highest score of a site that hides its home page from everyone: hiding must not pay. */
const HIDDEN_MAX = GRADE_FROM.B - 1;

/** The risks from which a vulnerability lowers the score, and from which it does so immediately. */
const NOTEWORTHY_RISK = 25;
const URGENT_RISK = 90;
const WITH_URGENT = GRADE_FROM.D - 1;
const WITH_NOTEWORTHY = GRADE_FROM.A - 1;
const WITH_OVERDUE = { 60: GRADE_FROM.A - 1, 14: GRADE_FROM.B - 1, 3: GRADE_FROM.C - 1 } as const;

export const gradeOf = (score: number): Grade => GRADES.find((grade) => score >= GRADE_FROM[grade]) ?? 'F';

/** The observed surface of a site, and when it was scanned, in milliseconds since the Unix epoch. */
export interface SeenSurface {
  readonly findings: readonly Pick<Finding, 'id' | 'severity'>[];
  readonly at: number;
}

const IN_PART: readonly string[] = REACH_RULES.map(({ id }) => id);
const HIDDEN: readonly string[] = ['site_unreachable', 'home_page_not_judged'];

/**
 * Evaluates the surface of a site. One that hides is no better than when it was last seen.
 *
 * @param before the highest score that the surface allowed in the last assessment; undefined = none
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

/** The highest score with a vulnerability open. */
export function scoreWith({ score, remediateWithinDays, overdue }: OpenVulnerability): number {
  if (score >= URGENT_RISK) return WITH_URGENT;
  if (score < NOTEWORTHY_RISK || remediateWithinDays === null) return BEST;
  return overdue ? WITH_OVERDUE[remediateWithinDays] : WITH_NOTEWORTHY;
}

/**
 * Joins the parts: the worst one decides. A fact that becomes worse never raises the score.
 *
 * @returns undefined without any input
 */
export function assess(parts: AssessmentParts): Assessment | undefined {
  const judged = ASSESSMENT_PARTS.flatMap((name) => parts[name] ?? []);
  if (judged.length === 0) return undefined;
  const isWhole = judged.length === ASSESSMENT_PARTS.length && judged.every(({ complete }) => complete);
  const score = Math.min(...judged.map((part) => part.score), isWhole ? BEST : INCOMPLETE_MAX);
  return { grade: gradeOf(score), score, parts, assessedAt: Math.min(...judged.map(({ at }) => at)) };
}
