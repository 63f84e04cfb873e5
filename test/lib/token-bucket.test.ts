import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { After } from '../../src/lib/clock.ts';
import { BucketRoom, TokenBuckets } from '../../src/lib/token-bucket.ts';

/** A family with its own table, which is never swept. */
const bucketsOf = (perMinute: number, monotonicMs: () => number, bucketsMax = 100) =>
  new TokenBuckets(perMinute, new BucketRoom(monotonicMs, bucketsMax, () => () => {}));

describe('a token bucket', () => {
  test('allows its capacity immediately and no more, with a stopped clock', () => {
    const buckets = bucketsOf(30, () => 0);
    const taken = Array.from({ length: 40 }, () => buckets.take('a').allowed);
    expect(taken.filter(Boolean)).toHaveLength(30);
    expect(buckets.take('b').allowed).toBe(true);
  });

  test('never allows more than capacity and refill, at any times of requests', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 400 }),
        (perMinute, pauses) => {
          let now = 0;
          const buckets = bucketsOf(perMinute, () => now, 4);
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

  test('returns a correct Retry-After: that wait succeeds, a second less does not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 0, max: 59_999 }),
        (perMinute, pause) => {
          let now = 0;
          const buckets = bucketsOf(perMinute, () => now);
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
    const buckets = bucketsOf(60, () => now);
    while (buckets.take('a').allowed);
    for (let second = 1; second <= 10; second++) {
      now = second * 1_000;
      expect([buckets.take('a').allowed, buckets.take('a').allowed]).toEqual([true, false]);
    }
  });

  test('is unchanged by peeking, which stores nothing', () => {
    const buckets = bucketsOf(2, () => 0);
    for (let again = 0; again < 5; again++) expect(buckets.peek('a').remaining).toBe(2);
    expect(buckets.size).toBe(0);
  });

  test('is dropped when it is full, which changes no answer while the keys fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 90_000 })), {
          maxLength: 200,
        }),
        (asked) => {
          let now = 0;
          const bounded = bucketsOf(3, () => now, 10);
          const plain = new Map<string, { tokens: number; at: number }>();
          for (const [key, pause] of asked) {
            now += pause;
            bounded.forgetFull(pause % 3);
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

describe('a table for several families', () => {
  /** Two families, with a clock and a timer controlled by the test. */
  function roomOf(bucketsMax: number) {
    const clock = { nowMs: 0 };
    let due: (() => void)[] = [];
    const after: After = (_, task) => {
      due.push(task);
      return () => {};
    };
    const room = new BucketRoom(() => clock.nowMs, bucketsMax, after);
    /** @returns whether there was work after a second */
    const passSecond = (): boolean => {
      clock.nowMs += 1_000;
      const tasks = due;
      due = [];
      for (const task of tasks) task();
      return tasks.length > 0;
    };
    return { room, passSecond, wide: new TokenBuckets(30, room), narrow: new TokenBuckets(5, room) };
  }
  const use = (buckets: TokenBuckets, key: string, times: number) =>
    Array.from({ length: times }, () => buckets.take(key).allowed);

  test('is limited for any callers, and refuses no first request', () => {
    const { room, wide, narrow } = roomOf(1_000);
    for (let index = 0; index < 300_000; index++) {
      expect((index % 3 === 0 ? narrow : wide).take(`caller-${index}`).allowed).toBe(true);
    }
    expect(room.size).toBe(1_000);
  });

  test('keeps an exhausted bucket', () => {
    const { wide } = roomOf(1_000);
    const usedUp = Array.from({ length: 100 }, (_, index) => `guilty-${index}`);
    for (const key of usedUp) {
      use(wide, key, 30);
      for (let index = 0; index < 9; index++) wide.take(`beside-${key}-${index}`);
    }
    for (let index = 0; index < 100_000; index++) wide.take(`flood-${index}`);
    expect(usedUp.filter((key) => wide.peek(key).remaining > 0)).toEqual([]);
  });

  test('keeps the buckets of a family during a flood of another', () => {
    const { wide, narrow } = roomOf(1_000);
    for (let index = 0; index < 400; index++) narrow.take(`caller-${index}`);
    for (let index = 0; index < 100_000; index++) wide.take(`flood-${index}`);
    expect(narrow.size).toBe(400);
    expect(narrow.peek('caller-0').remaining).toBe(4);
  });

  test('is emptied without traffic, within two minutes, and then there is no work', () => {
    const { room, wide, narrow, passSecond } = roomOf(100_000);
    for (let index = 0; index < 50_000; index++) {
      wide.take(`caller-${index}`);
      narrow.take(`caller-${index}`);
    }
    use(wide, 'guilty', 30);
    for (let second = 1; second < 60; second++) passSecond();
    expect(wide.peek('guilty').remaining).toBe(29);
    for (let second = 60; second < 120; second++) passSecond();
    expect([room.size, passSecond()]).toEqual([0, false]);
  });

  test('is swept in small steps', () => {
    const { room, wide, passSecond } = roomOf(100_000);
    for (let index = 0; index < 100_000; index++) wide.take(`caller-${index}`);
    let before = room.size;
    while (room.size > 0) {
      passSecond();
      expect(before - room.size).toBeLessThanOrEqual(100_000 / 32);
      before = room.size;
    }
  });
});

describe('several tokens', () => {
  const bucketOf = (capacity: number) => {
    const clock = { nowMs: 0 };
    return { clock, bucket: new TokenBuckets(capacity, new BucketRoom(() => clock.nowMs)) };
  };

  test('are taken together or not at all, and the answer gives the wait for all of them', () => {
    const { clock, bucket } = bucketOf(20);
    expect(bucket.take('a', 16)).toMatchObject({ allowed: true, remaining: 4, retryAfterSeconds: 0 });
    const refused = bucket.take('a', 16);
    expect(refused).toMatchObject({ allowed: false, remaining: 4, retryAfterSeconds: 36 });
    expect(bucket.take('a', 4)).toMatchObject({ allowed: true, remaining: 0, retryAfterSeconds: 3 });
    clock.nowMs = 60_000;
    expect(bucket.take('a', 20)).toMatchObject({ allowed: true, remaining: 0 });
  });

  test('requested in addition are reported with those already taken', () => {
    const { clock, bucket } = bucketOf(20);
    bucket.take('a', 10);
    bucket.take('a');
    const refused = bucket.take('a', 15, 16);
    expect(refused).toMatchObject({ allowed: false, remaining: 9, retryAfterSeconds: 21 });
    clock.nowMs += refused.retryAfterSeconds * 1_000;
    expect([bucket.take('a').allowed, bucket.take('a', 15, 16).allowed]).toEqual([true, true]);
  });
});
