import { expect, test } from 'bun:test';
import {
  type AskForGrants,
  createSharedDraws,
  type GroupedDraw,
  type SharedDrawParts,
} from '../../src/lib/shared-draws.ts';

const WANTED = { bucket: 'key', capacity: 60, licenseId: 1 };
const drawsOver = (ask: AskForGrants, parts: Partial<SharedDrawParts> = {}) =>
  createSharedDraws({
    ask,
    monotonic: () => performance.now(),
    after: () => () => {},
    onChange: () => {},
    ...parts,
  });

test('what arrives together is asked together, and each is told what is left behind the ones before it', async () => {
  const asked: (readonly GroupedDraw[])[] = [];
  const { draw } = drawsOver(
    async (draws) => {
      asked.push(draws);
      return draws.map(() => ({ granted: 2, fullInMs: 60_000 }));
    },
    { monotonic: () => 5 },
  );
  const drawn = await Promise.all([
    draw(WANTED),
    draw(WANTED),
    draw(WANTED),
    draw({ ...WANTED, licenseId: 2 }),
  ]);
  expect(asked).toEqual([
    [
      { ...WANTED, count: 3 },
      { ...WANTED, licenseId: 2, count: 1 },
    ],
  ]);
  expect(drawn).toEqual([
    { isGranted: true, fullAtMs: 59_005 },
    { isGranted: true, fullAtMs: 60_005 },
    { isGranted: false, fullAtMs: 60_005 },
    { isGranted: true, fullAtMs: 59_005 },
  ]);
});

test('whoever is not answered in 50 ms counts alone, until one who is asked again without callers answers', async () => {
  let isFrozen = true;
  let questions = 0;
  let again = () => {};
  let asked = 0;
  const changes: boolean[] = [];
  const draws = drawsOver(
    (asked) => {
      questions += 1;
      return isFrozen
        ? new Promise(() => {})
        : Promise.resolve(asked.map(() => ({ granted: 1, fullInMs: 1 })));
    },
    {
      after(ms, task) {
        expect(ms).toBe(1_000);
        again = task;
        asked += 1;
        return () => {};
      },
      onChange: (isAway) => changes.push(isAway),
    },
  );
  expect(await draws.draw(WANTED)).toBeUndefined();
  expect(draws.isAway).toBe(true);
  expect(await draws.draw(WANTED)).toBeUndefined();
  expect(questions).toBe(1);
  again();
  while (asked < 2) await new Promise(setImmediate);
  expect([draws.isAway, questions]).toEqual([true, 2]);
  isFrozen = false;
  again();
  while (draws.isAway) await new Promise(setImmediate);
  expect(await draws.draw(WANTED)).toMatchObject({ isGranted: true });
  expect(changes).toEqual([true, false]);
});

test('a question that fails counts as one without an answer', async () => {
  const draws = drawsOver(() => Promise.reject(new Error('no')));
  expect(await draws.draw(WANTED)).toBeUndefined();
  expect(draws.isAway).toBe(true);
});

test('an answer that came while this process was busy is still taken', async () => {
  const draws = drawsOver(async (asked) => {
    await new Promise((resolve) => setTimeout(resolve, 40));
    const until = performance.now() + 100;
    while (performance.now() < until);
    await new Promise(setImmediate);
    return asked.map(() => ({ granted: 1, fullInMs: 1 }));
  });
  expect(await draws.draw(WANTED)).toMatchObject({ isGranted: true });
});
