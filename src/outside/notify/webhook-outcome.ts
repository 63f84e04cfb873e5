import type { Outcome } from '../../domain/notification/delivery.ts';
import { DAY_MS, SECOND_MS } from '../../lib/clock.ts';
import type { Answer } from './http-exchange.ts';

const GONE = 410;
const RETRY_AFTER_MS_MAX = DAY_MS;

/** Description and remedy by range of status; the first match counts. */
const REMEDIES: readonly (readonly [from: number, to: number, words: string])[] = [
  [300, 399, 'redirects to another address, which is never followed. Use the final address'],
  [401, 403, 'refuses the request. Check the address and the secret'],
  [404, 404, 'does not know the address. Check the path'],
  [GONE, GONE, 'no longer exists. Remove the target, or resume it after a check'],
  [413, 413, 'refuses the size of the request. Raise its limit'],
  [429, 429, 'limits the rate of requests. Delivery is retried later'],
  [400, 499, 'does not accept the request. Check the address and the format'],
  [500, 599, 'reports an error. Check its log'],
];

/**
 * Converts a webhook's answer into an outcome; only 2xx is a success.
 *
 * @param now milliseconds since the Unix epoch
 */
export function outcomeOfAnswer({ status, retryAfter }: Answer, latencyMs: number, now: number): Outcome {
  if (status >= 200 && status < 300) return { outcome: 'delivered', status, latencyMs };
  const words =
    REMEDIES.find(([from, to]) => status >= from && status <= to)?.[2] ?? 'does not accept the request';
  const retryAfterMs = retryAfter === undefined ? undefined : retryAfterMsOf(retryAfter, now);
  return {
    outcome: status === GONE ? 'gone' : 'failed',
    status,
    latencyMs,
    reason: `The receiver ${words} (${status}).`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Parses Retry-After (RFC 9110, 10.2.3), in seconds or as a date, into milliseconds of at most a day; undefined if malformed. */
function retryAfterMsOf(text: string, now: number): number | undefined {
  if (/^\d{1,10}$/.test(text)) return Math.min(Number(text) * SECOND_MS, RETRY_AFTER_MS_MAX);
  const at = /^[A-Z][a-z]{2,8},? /.test(text) && text.length < 64 ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), RETRY_AFTER_MS_MAX);
}
