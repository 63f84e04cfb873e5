import { expect, test } from 'bun:test';
import { createActDesk, type DeskAct, type DeskParts } from '../../src/operator/act-desk.ts';
import { STALE } from '../../src/storage/engine/stale.ts';
import type { Change } from '../../src/storage/engine/writer.ts';
import type { RepeatableRequest } from '../../src/storage/operators/admin-requests.ts';

const NOW = 1_000;
const REQUEST: RepeatableRequest = { tokenId: 1, path: '/p', keyHash: 'k', bodyHash: 'b' };
const ENTRY = { name: 'audit', input: { at: 1, actor: 'token:a', action: 'x', subject: null } } as const;
const PLAN: DeskAct = { jobs: [ENTRY], facts: { id: 1 }, notices: ['n'] };

/** A runner with given outcomes of its changes, and success after them. */
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
    cachesExpired: () => {},
    findRequest: async () => undefined,
    ...more,
  });
  return { desk, changes };
}

test('a stale act is planned again with the current data until it succeeds', async () => {
  const { desk, changes } = deskWith([STALE, STALE]);
  let plans = 0;
  const done = await desk.do(REQUEST, NOW, () => ({ ...PLAN, facts: { plan: ++plans } }));
  expect(done).toMatchObject({ facts: { plan: 3 }, notices: ['n'] });
  expect(changes.map(({ plannedAt }) => plannedAt?.licenses)).toEqual([1, 2, 3]);
  const kept = { ...REQUEST, outcome: { facts: { plan: 3 }, notices: ['n'] }, doneAt: NOW };
  expect(changes[2]?.jobs).toEqual([ENTRY, { name: 'keepAdminRequest', input: kept }]);
});

test('an act that stays stale is refused with STORE_UNAVAILABLE', async () => {
  const { desk, changes } = deskWith(Array(1_000).fill(STALE));
  const given = await desk.do(undefined, NOW, () => PLAN);
  expect(given).toMatchObject({ refused: 'STORE_UNAVAILABLE', retryAfterSeconds: 1 });
  expect(changes.length).toBeWithin(8, 100);
});

test('acts run one after another, also after a failure, so that none makes another stale', async () => {
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

test('a refused plan stores nothing, and its message starts with a capital or a name', async () => {
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

test('a repeated request returns its first result, and another body for its key is refused', async () => {
  const outcome = { facts: { id: 9 }, notices: [] };
  const { desk, changes } = deskWith([], { findRequest: async () => ({ bodyHash: 'b', outcome }) });
  const plan = () => {
    throw new Error('it was planned');
  };
  expect(await desk.do(REQUEST, NOW, plan)).toEqual({ ...outcome, plan: undefined });
  const other = await desk.do({ ...REQUEST, bodyHash: 'c' }, NOW, plan);
  expect([other, changes]).toEqual([expect.objectContaining({ refused: 'IDEMPOTENCY_KEY_REUSED' }), []]);
});
