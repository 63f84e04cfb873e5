import { expect, test } from 'bun:test';
import { TurnsByKey } from '../../src/lib/turns.ts';

test('tasks of one key run one after another, of several in parallel, and none is retained', async () => {
  const turns = new TurnsByKey<string>();
  const running = new Map<string, number>();
  let [mostOfOne, most] = [0, 0];
  const task = (key: string) => async () => {
    running.set(key, (running.get(key) ?? 0) + 1);
    mostOfOne = Math.max(mostOfOne, running.get(key) ?? 0);
    most = Math.max(
      most,
      [...running.values()].reduce((sum, count) => sum + count),
    );
    await new Promise(setImmediate);
    running.set(key, (running.get(key) ?? 0) - 1);
    if (key === 'fails') throw new Error('this one');
    return key;
  };
  const asked = ['a', 'fails', 'a', 'b', 'fails', 'a'].map((key) => turns.take(key, task(key)));
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    false,
    true,
    true,
    false,
    true,
  ]);
  expect([mostOfOne, most]).toEqual([1, 3]);
  await new Promise(setImmediate);
  expect(turns.size).toBe(0);
});
