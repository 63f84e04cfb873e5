import { expect, test } from 'bun:test';
import { loadOnce } from '../../src/lib/load-once.ts';

test('concurrent and later callers share one load', async () => {
  let loads = 0;
  const load = loadOnce(async () => ++loads);
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

test('a failure reaches all waiting callers, and is not cached', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    if (++loads === 1) throw new Error('not there');
    return loads;
  });
  const outcomes = await Promise.allSettled([load(), load()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await load()).toBe(2);
});
