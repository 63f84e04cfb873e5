import { expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/lib/clock.ts';
import { HourlyRows } from '../../src/lib/hourly-rows.ts';
import { PatientValue } from '../../src/lib/patient-value.ts';

function counting() {
  const counts: PromiseWithResolvers<number>[] = [];
  const faults: unknown[] = [];
  let now = 0;
  const value = new PatientValue(
    () => {
      const count = Promise.withResolvers<number>();
      counts.push(count);
      return count.promise;
    },
    {
      freshMs: 1_000,
      waitMs: 5,
      firstWaitMs: 10,
      monotonic: () => now,
      onFault: (error) => faults.push(error),
    },
  );
  return { value, counts, faults, pass: (ms: number) => (now += ms) };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a reader waits for a count that is over soon, and gets nothing while the first one takes long', async () => {
  const { value, counts } = counting();
  expect(await value.latest()).toBeUndefined();
  expect(await value.latest()).toBeUndefined();
  expect(counts).toHaveLength(1);
  const waiting = value.latest();
  counts[0]?.resolve(7);
  expect(await waiting).toBe(7);
  expect(await value.latest()).toBe(7);
  expect(counts).toHaveLength(1);
});

test('a reader gets the count before while another one takes long, which is next allowed after a hundred times as long', async () => {
  const { value, counts, pass } = counting();
  void value.latest();
  counts[0]?.resolve(1);
  await settled();
  pass(1_000);
  expect(await value.latest()).toBe(1);
  expect(counts).toHaveLength(2);
  pass(50);
  counts[1]?.resolve(2);
  await settled();
  pass(4_949);
  expect(await value.latest()).toBe(2);
  expect(counts).toHaveLength(2);
  pass(1);
  expect(await value.latest()).toBe(2);
  expect(counts).toHaveLength(2);
  while (counts.length < 3) await settled();
});

test('a count that fails is reported, and the next reader counts again', async () => {
  const { value, counts, faults } = counting();
  void value.latest();
  counts[0]?.reject(new Error('away'));
  await settled();
  expect(faults).toHaveLength(1);
  const waiting = value.latest();
  counts[1]?.resolve(3);
  expect(await waiting).toBe(3);
});

test('rows of hours that are over are read once, and those of the last hours each time', async () => {
  const asked: number[] = [];
  const counts = new Map([0, 1, 2, 3, 4, 5].map((hour) => [hour * HOUR_MS, 1]));
  const rows = new HourlyRows(async (since) => {
    asked.push(since / HOUR_MS);
    return [...counts].filter(([hour]) => hour >= since).map(([hour, count]) => ({ hour, count }));
  });
  const read = async (since: number, now: number) =>
    (await rows.since(since * HOUR_MS, now * HOUR_MS)).map(({ hour, count }) => [hour / HOUR_MS, count]);
  expect(await read(1, 5.5)).toEqual([1, 2, 3, 4, 5].map((hour) => [hour, 1]));
  counts.set(2 * HOUR_MS, 9);
  counts.set(5 * HOUR_MS, 2);
  counts.set(6 * HOUR_MS, 1);
  expect(await read(2, 6.5)).toEqual([...[2, 3, 4].map((hour) => [hour, 1]), [5, 2], [6, 1]]);
  expect(asked).toEqual([1, 3]);
});
