import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { TokenBuckets } from '../../src/lib/token-bucket.ts';

describe('a token bucket', () => {
  test('allows its capacity at once and no more, on a clock that stands still', () => {
    const buckets = new TokenBuckets(30, () => 0);
    const taken = Array.from({ length: 40 }, () => buckets.take('a').allowed);
    expect(taken.filter(Boolean)).toHaveLength(30);
    expect(buckets.take('b').allowed).toBe(true);
  });

  test('never allows more than capacity and refill, whenever it is asked', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 400 }),
        (perMinute, pauses) => {
          let now = 0;
          const buckets = new TokenBuckets(perMinute, () => now, 4);
          let allowed = 0;
          for (const pause of pauses) {
            now += pause;
            if (buckets.take('a').allowed) allowed += 1;
          }
          expect(allowed).toBeLessThanOrEqual(perMinute + (now * perMinute) / 60_000 + 1e-6);
        },
      ),
    );
  });

  test('tells a Retry-After that is true: waiting that long succeeds, a second less does not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 0, max: 59_999 }),
        (perMinute, pause) => {
          let now = 0;
          const buckets = new TokenBuckets(perMinute, () => now);
          while (buckets.take('a').allowed);
          now += pause;
          let reading = buckets.take('a');
          while (reading.allowed) reading = buckets.take('a');
          const emptyAt = now;
          now = emptyAt + (reading.retryAfterSeconds - 1) * 1_000 - 1;
          if (now >= emptyAt) expect(buckets.peek('a').allowed).toBe(false);
          now = emptyAt + reading.retryAfterSeconds * 1_000;
          expect(buckets.take('a').allowed).toBe(true);
        },
      ),
    );
  });

  test('refills continuously', () => {
    let now = 0;
    const buckets = new TokenBuckets(60, () => now);
    while (buckets.take('a').allowed);
    for (let second = 1; second <= 10; second++) {
      now = second * 1_000;
      expect([buckets.take('a').allowed, buckets.take('a').allowed]).toEqual([true, false]);
    }
  });

  test('peeking takes nothing and remembers nothing', () => {
    const buckets = new TokenBuckets(2, () => 0);
    for (let again = 0; again < 5; again++) expect(buckets.peek('a').remaining).toBe(2);
    expect(buckets.size).toBe(0);
  });

  test('a million keys keep memory bounded', () => {
    const buckets = new TokenBuckets(30, () => 0, 1_000);
    for (let index = 0; index < 1_000_000; index++) buckets.take(`ip-${index}`);
    expect(buckets.size).toBeLessThanOrEqual(2_000);
  });

  test('forgetting a generation changes no answer while the keys fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 90_000 })), {
          maxLength: 200,
        }),
        (asked) => {
          let now = 0;
          const bounded = new TokenBuckets(3, () => now, 10);
          const plain = new Map<string, { tokens: number; at: number }>();
          for (const [key, pause] of asked) {
            now += pause;
            const bucket = plain.get(key) ?? { tokens: 3, at: now };
            bucket.tokens = Math.min(3, bucket.tokens + ((now - bucket.at) * 3) / 60_000);
            bucket.at = now;
            const allowed = bucket.tokens >= 1;
            if (allowed) bucket.tokens -= 1;
            plain.set(key, bucket);
            expect(bounded.take(key).allowed).toBe(allowed);
          }
        },
      ),
    );
  });
});
