import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { After } from '../../src/lib/clock.ts';
import { BucketRoom, TokenBuckets } from '../../src/lib/token-bucket.ts';

/** A family that has a room for itself, which nobody sweeps. */
const bucketsOf = (perMinute: number, monotonicMs: () => number, bucketsMax = 100) =>
  new TokenBuckets(perMinute, new BucketRoom(monotonicMs, bucketsMax, () => () => {}));

describe('a token bucket', () => {
  test('allows its capacity at once and no more, on a clock that stands still', () => {
    const buckets = bucketsOf(30, () => 0);
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

  test('tells a Retry-After that is true: waiting that long succeeds, a second less does not', () => {
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

  test('peeking takes nothing and remembers nothing', () => {
    const buckets = bucketsOf(2, () => 0);
    for (let again = 0; again < 5; again++) expect(buckets.peek('a').remaining).toBe(2);
    expect(buckets.size).toBe(0);
  });

  test('forgetting full buckets changes no answer while the keys fit', () => {
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

describe('a room for several families', () => {
  /** Two families, on a clock and a timer that a test moves. */
  function roomOf(bucketsMax: number) {
    const clock = { nowMs: 0 };
    let due: (() => void)[] = [];
    const after: After = (_, task) => {
      due.push(task);
      return () => {};
    };
    const room = new BucketRoom(() => clock.nowMs, bucketsMax, after);
    /** @returns whether anything was to be done after a second */
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

  test('is bounded, whoever comes, and refuses nobody a first request', () => {
    const { room, wide, narrow } = roomOf(1_000);
    for (let index = 0; index < 300_000; index++) {
      expect((index % 3 === 0 ? narrow : wide).take(`caller-${index}`).allowed).toBe(true);
    }
    expect(room.size).toBe(1_000);
  });

  test('is not the way to get rid of a bucket that is used up', () => {
    const { wide } = roomOf(1_000);
    const usedUp = Array.from({ length: 100 }, (_, index) => `guilty-${index}`);
    for (const key of usedUp) {
      use(wide, key, 30);
      for (let index = 0; index < 9; index++) wide.take(`beside-${key}-${index}`);
    }
    for (let index = 0; index < 100_000; index++) wide.take(`flood-${index}`);
    expect(usedUp.filter((key) => wide.peek(key).remaining > 0)).toEqual([]);
  });

  test('is not the way to make a family forget by a flood of another', () => {
    const { wide, narrow } = roomOf(1_000);
    for (let index = 0; index < 400; index++) narrow.take(`caller-${index}`);
    for (let index = 0; index < 100_000; index++) wide.take(`flood-${index}`);
    expect(narrow.size).toBe(400);
    expect(narrow.peek('caller-0').remaining).toBe(4);
  });

  test('is given back without traffic, within two minutes, and then nothing is left to do', () => {
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

  test('is swept a little at a time', () => {
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

  test('are taken together or not at all, and the answer tells when all of them are there', () => {
    const { clock, bucket } = bucketOf(20);
    expect(bucket.take('a', 16)).toMatchObject({ allowed: true, remaining: 4, retryAfterSeconds: 0 });
    const refused = bucket.take('a', 16);
    expect(refused).toMatchObject({ allowed: false, remaining: 4, retryAfterSeconds: 36 });
    expect(bucket.take('a', 4)).toMatchObject({ allowed: true, remaining: 0, retryAfterSeconds: 3 });
    clock.nowMs = 60_000;
    expect(bucket.take('a', 20)).toMatchObject({ allowed: true, remaining: 0 });
  });

  test('that a request wants in addition are told with those that it has taken already', () => {
    const { clock, bucket } = bucketOf(20);
    bucket.take('a', 10);
    bucket.take('a');
    const refused = bucket.take('a', 15, 16);
    expect(refused).toMatchObject({ allowed: false, remaining: 9, retryAfterSeconds: 21 });
    clock.nowMs += refused.retryAfterSeconds * 1_000;
    expect([bucket.take('a').allowed, bucket.take('a', 15, 16).allowed]).toEqual([true, true]);
  });
});
