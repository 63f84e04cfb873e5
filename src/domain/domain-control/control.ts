import { DAY_MS, HOUR_MS } from '../../lib/clock.ts';

export const CHECK_METHODS = ['http', 'dns'] as const;
/** How this service checks that a license controls a domain. */
export type CheckMethod = (typeof CHECK_METHODS)[number];

export const CONTROL_METHODS = [...CHECK_METHODS, 'operator'] as const;
/** The operator can attest the control of an unreachable domain. */
export type ControlMethod = (typeof CONTROL_METHODS)[number];

export const CONTROL_PROBLEMS = [
  'not_found',
  'wrong_token',
  'unreachable',
  'redirected',
  'dns_failed',
] as const;
/** Why a check found no proof. It reveals nothing of the read content, nor of the network. */
export type ControlProblem = (typeof CONTROL_PROBLEMS)[number];

export const CONTROL_STATES = ['unverified', 'verified', 'lapsed'] as const;
export type ControlState = (typeof CONTROL_STATES)[number];

/** The state of a license's control of a domain. All times are milliseconds since the Unix epoch. */
export interface DomainControl {
  readonly method: ControlMethod;
  /** The newest successful check, or the attestation; null = none. */
  readonly verifiedAt: number | null;
  readonly checkedAt: number;
  /** The first failed check since the newest successful one; null = none. */
  readonly failedSince: number | null;
  /** The problem found by the newest check. */
  readonly problem: ControlProblem | null;
}

/** How long a missing proof still counts, to survive short outages. */
const FAILING_MS_MAX = 72 * HOUR_MS;
/** How long a proof counts without a check. */
const UNCHECKED_MS_MAX = 30 * DAY_MS;
/** The interval of repeated checks. */
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
 * When the next automatic check is due, in milliseconds since the Unix epoch: once a day, until a proof has been missing for 30
 * days.
 *
 * @returns null = never: no proof yet, missing for too long, or attested
 */
export function nextCheckAt({ method, verifiedAt, checkedAt, failedSince }: DomainControl): number | null {
  if (method === 'operator' || verifiedAt === null) return null;
  const next = checkedAt + CHECK_EVERY_MS;
  return failedSince !== null && next - failedSince > UNCHECKED_MS_MAX ? null : next;
}

/** The result of one check. */
export interface CheckResult {
  readonly method: CheckMethod;
  /** Null = the proof was found. */
  readonly problem: ControlProblem | null;
  /** Milliseconds since the Unix epoch. */
  readonly checkedAt: number;
}

/**
 * The state after a check. A failed check of one method does not affect a proof of the other, and no check replaces the
 * operator's attestation.
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
