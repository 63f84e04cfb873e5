import type { Outcome } from './delivery.ts';
import { IN_ORDER_ATTEMPTS, RETRY_AFTER_MS_MAX, retryDelayMs } from './retry.ts';
import type { PauseReason } from './target.ts';

/** The consequences of a failed attempt. Moments are milliseconds since the Unix epoch. */
export interface AfterFailure {
  /** Attempts that have failed so far. */
  readonly attempts: number;
  readonly dueAt: number;
  /** Before, nothing is sent to the target: to keep events in order, or because the receiver asked for it. */
  readonly restsUntil: number;
  /** Null = the target goes on. */
  readonly pause: Extract<PauseReason, 'gone' | 'attempts'> | null;
}

/**
 * @param failedBefore attempts that failed before this one
 * @param draw 0 to 1, at random
 */
export function afterFailure(
  outcome: Exclude<Outcome, { outcome: 'delivered' }>,
  failedBefore: number,
  now: number,
  draw: number,
): AfterFailure {
  const attempts = failedBefore + 1;
  const paused = { attempts, dueAt: now, restsUntil: now };
  if (outcome.outcome === 'gone') return { ...paused, pause: 'gone' };
  const delayMs = retryDelayMs(attempts, outcome.retryAfterMs, draw);
  if (delayMs === undefined) return { ...paused, pause: 'attempts' };
  const asked = Math.min(outcome.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  const restMs = attempts < IN_ORDER_ATTEMPTS ? delayMs : asked;
  return { attempts, dueAt: now + delayMs, restsUntil: now + restMs, pause: null };
}
