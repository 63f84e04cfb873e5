import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { afterFailure } from '../../../src/domain/notification/after-failure.ts';
import {
  ATTEMPT_DELAYS_MS,
  ATTEMPTS_MAX,
  IN_ORDER_ATTEMPTS,
  retryDelayMs,
} from '../../../src/domain/notification/retry.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import '../../support/properties.ts';

type Answer = Parameters<typeof afterFailure>[0]['outcome'];
const draws = fc.double({ min: 0, max: 1, noNaN: true });

test('there are 10 attempts over 3 days, each within 20 % of its delay', () => {
  expect(ATTEMPTS_MAX).toBe(10);
  expect(ATTEMPT_DELAYS_MS.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(3 * DAY_MS);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: ATTEMPTS_MAX - 1 }), draws, (failed, draw) => {
      const delay = ATTEMPT_DELAYS_MS[failed] ?? expect.unreachable();
      const waited = retryDelayMs(failed, undefined, draw) ?? expect.unreachable();
      expect(waited).toBeGreaterThanOrEqual(Math.floor(0.8 * delay));
      expect(waited).toBeLessThanOrEqual(Math.ceil(1.2 * delay));
    }),
  );
  expect(retryDelayMs(ATTEMPTS_MAX, 1000, 0.5)).toBeUndefined();
});

test('Retry-After delays an attempt, by a day at most, and never brings one forward', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: ATTEMPTS_MAX - 1 }),
      fc.integer({ min: 0, max: 30 * DAY_MS }),
      draws,
      (failed, retryAfterMs, draw) => {
        const plain = retryDelayMs(failed, undefined, draw) ?? expect.unreachable();
        const asked = retryDelayMs(failed, retryAfterMs, draw);
        expect(asked).toBe(Math.max(plain, Math.min(retryAfterMs, DAY_MS)));
      },
    ),
  );
});

test('a delivery ends delivered or paused after at most 10 attempts, with any answers of its receiver', () => {
  const answers = fc.constantFrom<Answer>('failed', 'refused', 'gone', 'failed');
  fc.assert(
    fc.property(fc.array(answers, { minLength: 12, maxLength: 12 }), draws, (list, draw) => {
      let now = 0;
      let failed = 0;
      for (const outcome of list) {
        const after = afterFailure({ outcome, status: null, latencyMs: 1, reason: 'No.' }, failed, now, draw);
        expect(after.attempts).toBe(failed + 1);
        failed = after.attempts;
        if (outcome === 'gone') expect(after.pause).toBe('gone');
        else expect(after.pause === 'attempts').toBe(failed === ATTEMPTS_MAX);
        if (after.pause !== null) break;
        expect(after.dueAt).toBeGreaterThan(now);
        // Later events wait as long, until this one is set aside.
        expect(after.restsUntil).toBe(failed < IN_ORDER_ATTEMPTS ? after.dueAt : now);
        now = after.dueAt;
      }
      expect(failed).toBeLessThanOrEqual(ATTEMPTS_MAX);
    }),
  );
});
