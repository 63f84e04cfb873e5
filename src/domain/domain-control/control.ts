import { DAY_MS, HOUR_MS } from '../../lib/clock.ts';

export const CHECK_METHODS = ['http', 'dns'] as const;
/** How this service checks that a license controls a domain. */
export type CheckMethod = (typeof CHECK_METHODS)[number];

export const CONTROL_METHODS = [...CHECK_METHODS, 'operator'] as const;
/** The operator can vouch for a domain that nothing here can reach. */
export type ControlMethod = (typeof CONTROL_METHODS)[number];

export const CONTROL_PROBLEMS = [
  'not_found',
  'wrong_token',
  'unreachable',
  'redirected',
  'dns_failed',
] as const;
/** Why a check found no proof. It says nothing of what was read, nor of the network that it was read from. */
export type ControlProblem = (typeof CONTROL_PROBLEMS)[number];

export const CONTROL_STATES = ['unverified', 'verified', 'lapsed'] as const;
export type ControlState = (typeof CONTROL_STATES)[number];

/** What is known of a license's control of a domain. All moments are milliseconds since the Unix epoch. */
export interface DomainControl {
  readonly method: ControlMethod;
  /** The newest check that found the proof, or when the operator vouched; null = none ever did. */
  readonly verifiedAt: number | null;
  readonly checkedAt: number;
  /** The first failed check since the newest that found the proof; null = that is the newest. */
  readonly failedSince: number | null;
  /** What the newest check found wrong. */
  readonly problem: ControlProblem | null;
}

/** A proof that is not found again counts for so long: nobody loses what he has by one night's trouble. */
const FAILING_MS_MAX = 72 * HOUR_MS;
/** A proof counts for so long without a check. */
const UNCHECKED_MS_MAX = 30 * DAY_MS;
/** How often the service looks for a proof again. */
export const CHECK_EVERY_MS = DAY_MS;

/** Whether a license controls a domain at a moment. */
export function controlState(control: DomainControl | undefined, nowMs: number): ControlState {
  if (control === undefined || control.verifiedAt === null) return 'unverified';
  if (control.method === 'operator') return 'verified';
  const { verifiedAt, failedSince } = control;
  const isFailing = failedSince !== null && nowMs - failedSince >= FAILING_MS_MAX;
  return isFailing || nowMs - verifiedAt >= UNCHECKED_MS_MAX ? 'lapsed' : 'verified';
}

/**
 * When the service checks by itself again, in milliseconds since the Unix epoch: once a day, and no more when a proof has
 * been missing for 30 days.
 *
 * @returns null = never: there was no proof yet, it is missing for long, or the operator vouches
 */
export function nextCheckAt({ method, verifiedAt, checkedAt, failedSince }: DomainControl): number | null {
  if (method === 'operator' || verifiedAt === null) return null;
  const next = checkedAt + CHECK_EVERY_MS;
  return failedSince !== null && next - failedSince > UNCHECKED_MS_MAX ? null : next;
}

/** A proof that was found, or what a check found in its place. */
export interface CheckResult {
  readonly method: CheckMethod;
  /** Null = the proof was found. */
  readonly problem: ControlProblem | null;
  /** Milliseconds since the Unix epoch. */
  readonly checkedAt: number;
}

/**
 * What is known after a check. A failed check of one way takes nothing from a proof that was found in another, and no check
 * takes the place of the operator's word.
 */
export function controlAfter(
  before: DomainControl | undefined,
  { method, problem, checkedAt }: CheckResult,
): DomainControl {
  if (before?.method === 'operator') return before;
  if (problem === null) return { method, verifiedAt: checkedAt, checkedAt, failedSince: null, problem };
  if (before && before.verifiedAt !== null && before.method !== method) return before;
  const verifiedAt = before?.verifiedAt ?? null;
  return { method, verifiedAt, checkedAt, failedSince: before?.failedSince ?? checkedAt, problem };
}
