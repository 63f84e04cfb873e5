import { expect, test } from 'bun:test';
import { createActDesk, type DeskAct, type DeskParts } from '../../src/operator/act-desk.ts';
import { STALE } from '../../src/storage/engine/stale.ts';
import type { Change } from '../../src/storage/engine/writer.ts';
import type { RepeatableRequest } from '../../src/storage/operators/admin-requests.ts';

const NOW = 1_000;
const REQUEST: RepeatableRequest = { tokenId: 1, path: '/p', keyHash: 'k', bodyHash: 'b' };
const ENTRY = { name: 'audit', input: { at: 1, actor: 'token:a', action: 'x', subject: null } } as const;
const PLAN: DeskAct = { jobs: [ENTRY], facts: { id: 1 }, notices: ['n'] };

/** A desk whose changes come out as told, one after another, and then well. */
function deskWith(outcomes: readonly unknown[] = [], more: Partial<DeskParts> = {}) {
  const changes: Change[] = [];
  let generation = 0;
  const desk = createActDesk({
    writer: {
      async change(change) {
        changes.push(change);
        const outcome = outcomes[changes.length - 1];
        return (outcome ?? change.jobs.map(() => undefined)) as never;
      },
    },
    generations: () => ({ licenses: ++generation, feed: 0, mirror: 0 }),
    heard: () => {},
    findRequest: async () => undefined,
    ...more,
  });
  return { desk, changes };
}

test('an act is planned anew for as long as it is stale, each time on what there is then', async () => {
  const { desk, changes } = deskWith([STALE, STALE]);
  let plans = 0;
  const done = await desk.do(REQUEST, NOW, () => ({ ...PLAN, facts: { plan: ++plans } }));
  expect(done).toMatchObject({ facts: { plan: 3 }, notices: ['n'] });
  expect(changes.map(({ plannedAt }) => plannedAt?.licenses)).toEqual([1, 2, 3]);
  const kept = { ...REQUEST, outcome: { facts: { plan: 3 }, notices: ['n'] }, doneAt: NOW };
  expect(changes[2]?.jobs).toEqual([ENTRY, { name: 'keepAdminRequest', input: kept }]);
});

test('one that is stale for ever is given up with STORE_UNAVAILABLE', async () => {
  const { desk, changes } = deskWith(Array(1_000).fill(STALE));
  const given = await desk.do(undefined, NOW, () => PLAN);
  expect(given).toMatchObject({ refused: 'STORE_UNAVAILABLE', retryAfterSeconds: 1 });
  expect(changes.length).toBeWithin(8, 100);
});

test('acts are done one after another, also behind one that throws, so that none is stale because of another', async () => {
  let inHand = 0;
  const { desk } = deskWith();
  const plan = async () => {
    inHand += 1;
    await Bun.sleep(0);
    expect(inHand).toBe(1);
    inHand -= 1;
    return PLAN;
  };
  const failing = desk.do(undefined, NOW, () => Promise.reject(new Error('a plan failed')));
  const others = Array.from({ length: 20 }, () => desk.do(undefined, NOW, plan));
  await expect(failing).rejects.toThrow('a plan failed');
  expect(await Promise.all(others)).toHaveLength(20);
});

test('a refused plan changes nothing and keeps nothing, and its message begins as a sentence or with a name', async () => {
  const { desk, changes } = deskWith();
  const messageOf = async (refused: string) =>
    desk.do(REQUEST, NOW, () => ({ refused, code: 'EXTERNAL_ID_TAKEN', licenseId: 'lic_7' }));
  for (const [refused, message] of [
    ['the expiry is in the past', 'The expiry is in the past.'],
    ['lic_1 is revoked', 'lic_1 is revoked.'],
    ['shop.example.com is not registered', 'shop.example.com is not registered.'],
  ] as const)
    expect(await messageOf(refused)).toEqual({ refused: 'EXTERNAL_ID_TAKEN', message, licenseId: 'lic_7' });
  expect(changes).toEqual([]);
});

test('what was done for a request is not planned again, and another body is refused', async () => {
  const outcome = { facts: { id: 9 }, notices: [] };
  const { desk, changes } = deskWith([], { findRequest: async () => ({ bodyHash: 'b', outcome }) });
  const plan = () => {
    throw new Error('it was planned');
  };
  expect(await desk.do(REQUEST, NOW, plan)).toEqual({ ...outcome, plan: undefined });
  const other = await desk.do({ ...REQUEST, bodyHash: 'c' }, NOW, plan);
  expect([other, changes]).toEqual([expect.objectContaining({ refused: 'IDEMPOTENCY_KEY_REUSED' }), []]);
});
