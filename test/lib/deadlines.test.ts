import { expect, test } from 'bun:test';
import { Deadlines } from '../../src/lib/deadlines.ts';

let now = 0;
const deadlines = new Deadlines(() => now);
const never = new Promise<never>(() => {});
const late = () => 'too late';

test('a promise that settles in time keeps its result', async () => {
  expect(await deadlines.race(Promise.resolve(7), 1_000, late)).toBe(7);
  await expect(deadlines.race(Promise.reject('broken'), 1_000, late)).rejects.toBe('broken');
});

test('a late one is rejected with the reason, once its own time is over', async () => {
  const settled: string[] = [];
  const watch = (name: string, msMax: number) =>
    deadlines.race(never, msMax, late).catch((reason) => settled.push(`${name}: ${reason}`));
  const [short] = [watch('short', 10), watch('long', 1_000)];
  now += 20;
  await short;
  expect(settled).toEqual(['short: too late']);
});

test('watching resumes after there was nothing to watch', async () => {
  await deadlines.race(Promise.resolve(), 10, late);
  const watched = deadlines.race(never, 10, late);
  now += 2_000;
  await expect(watched).rejects.toBe('too late');
});
