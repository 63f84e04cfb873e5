import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ATTEMPT_DELAYS_MS, ATTEMPTS_MAX, retryDelayMs } from '../../../src/domain/notification/retry.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import '../../support/properties.ts';

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
