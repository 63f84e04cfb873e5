import { expect, test } from 'bun:test';
import { Fault } from '../../src/lib/fault.ts';
import {
  type AskForGrants,
  createSharedDraws,
  type GroupedDraw,
  type SharedDrawParts,
} from '../../src/lib/shared-draws.ts';

const WANTED = { bucket: 'key', capacity: 60, licenseId: 1, units: 1 };
const drawsOver = (ask: AskForGrants, parts: Partial<SharedDrawParts> = {}) =>
  createSharedDraws({ ask, monotonic: () => performance.now(), onAway() {}, onBack() {}, ...parts });

test('concurrent draws are sent together, and each receives the rest after its predecessors', async () => {
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

test('a draw without an answer in 50 ms counts alone, and so do others for a second', async () => {
  let isFrozen = true;
  let questions = 0;
  let now = 0;
  const changes: string[] = [];
  const draws = drawsOver(
    (asked) => {
      questions += 1;
      return isFrozen
        ? new Promise(() => {})
        : Promise.resolve(asked.map(() => ({ granted: 1, fullInMs: 1 })));
    },
    { monotonic: () => now, onAway: () => changes.push('away'), onBack: () => changes.push('back') },
  );
  expect(await draws.draw(WANTED)).toBeUndefined();
  expect(await draws.isCounted()).toBe(false);
  isFrozen = false;
  now = 999;
  expect(await draws.draw(WANTED)).toBeUndefined();
  expect(questions).toBe(1);
  now = 1_000;
  expect(await draws.draw(WANTED)).toMatchObject({ isGranted: true });
  expect([questions, changes]).toEqual([2, ['away', 'back']]);
});

test('a failed request counts as one without an answer', async () => {
  const draws = drawsOver(() => Promise.reject(new Error('no')));
  expect(await draws.draw(WANTED)).toBeUndefined();
  expect(await draws.isCounted()).toBe(false);
});

test('an answer that arrived while this process was busy is still used', async () => {
  const draws = drawsOver(async (asked) => {
    await new Promise((resolve) => setTimeout(resolve, 40));
    const until = performance.now() + 100;
    while (performance.now() < until);
    await new Promise(setImmediate);
    return asked.map(() => ({ granted: 1, fullInMs: 1 }));
  });
  expect(await draws.draw(WANTED)).toMatchObject({ isGranted: true });
});

test('the server is checked after a second without draws, once for all who need the state', async () => {
  let questions = 0;
  let now = 0;
  let isThere = true;
  const draws = drawsOver(
    async (asked) => {
      questions += 1;
      expect(asked).toEqual([]);
      if (!isThere) throw new Error('no');
      return [];
    },
    { monotonic: () => now },
  );
  const lookedAt = () => Promise.all([draws.isCounted(), draws.isCounted()]);
  expect([await lookedAt(), questions]).toEqual([[true, true], 1]);
  isThere = false;
  expect([await lookedAt(), questions]).toEqual([[true, true], 1]);
  now = 1_000;
  expect([await lookedAt(), questions]).toEqual([[false, false], 2]);
  isThere = true;
  now = 2_000;
  expect([await lookedAt(), questions]).toEqual([[true, true], 3]);
});

test('each reason for counting alone is logged once where it is known, until the server answers', async () => {
  const reasons: (string | undefined)[] = [];
  let now = 0;
  let error: Error | undefined;
  const draws = drawsOver(
    async () => {
      if (error) throw error;
      return [];
    },
    { monotonic: () => now, onAway: (reason) => reasons.push(reason) },
  );
  const [late, absent, refused] = [new Error('secret'), new Fault('absent'), new Fault('refused')];
  for (error of [late, absent, late, refused, absent, undefined, refused]) {
    await draws.isCounted();
    now += 1_000;
  }
  expect(reasons).toEqual([undefined, 'absent', 'refused', 'refused']);
});

test('draws of several tokens are sent separately from those of one, and see what is left after them', async () => {
  const asked: (readonly GroupedDraw[])[] = [];
  const { draw } = drawsOver(
    async (draws) => {
      asked.push(draws);
      return draws.map(() => ({ granted: 2, fullInMs: 50_000 }));
    },
    { monotonic: () => 0 },
  );
  const many = { ...WANTED, units: 16 };
  const drawn = await Promise.all([draw(WANTED), draw(many), draw(many), draw(many)]);
  expect(asked).toEqual([
    [
      { ...WANTED, count: 1 },
      { ...many, count: 3 },
    ],
  ]);
  expect(drawn).toEqual([
    { isGranted: true, fullAtMs: 49_000 },
    { isGranted: true, fullAtMs: 34_000 },
    { isGranted: true, fullAtMs: 50_000 },
    { isGranted: false, fullAtMs: 50_000 },
  ]);
});
