import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';

/** Before each attempt, as in Standard Webhooks: the first is at once. */
export const ATTEMPT_DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
export const ATTEMPTS_MAX = ATTEMPT_DELAYS_MS.length;
/** The greatest random shift of an attempt, as a share of its delay, so that targets that failed together are not retried together. */
export const JITTER = 0.2;
export const RETRY_AFTER_MS_MAX = DAY_MS;
/** The longest wait for the next attempt. */
export const RETRY_MS_MAX = 2 * DAY_MS;

/**
 * Until its attempts have failed so often, an event keeps later ones of its target waiting, which arrive in order. After that it is
 * retried alone: what a receiver refuses for good must not delay an alert by days.
 */
export const IN_ORDER_ATTEMPTS = 3;

/**
 * How long to wait for the next attempt.
 *
 * @param failed attempts so far, 1 or more
 * @param retryAfterMs as the receiver asked for
 * @param draw 0 to 1, at random
 * @returns undefined after the last one
 */
export function retryDelayMs(
  failed: number,
  retryAfterMs: number | undefined,
  draw: number,
): number | undefined {
  const delay = ATTEMPT_DELAYS_MS[failed];
  if (delay === undefined) return undefined;
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * draw));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
}
