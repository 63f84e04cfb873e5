import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { prepare } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { readTargets } from '../../../src/storage/notifications/targets.ts';
import { engineOf } from '../../support/engines.ts';
import { addEvents, addTarget } from '../../support/notifications.ts';

const engine = engineOf(import.meta);
const NOW = 1_800_000_000_000;

let db: Database;
beforeEach(async () => {
  db = await engine.open();
});
afterEach(() => disconnect(db));

test('events are deleted after 30 days, and those still waiting are counted as dropped', async () => {
  const id = await addTarget(db, 'hook');
  const other = await addTarget(db, 'none', { events: [] });
  await addEvents(db, { count: 3, severity: 'info', now: NOW - 30 * DAY_MS - 1 });
  await addEvents(db, { count: 2, severity: 'info', now: NOW - 30 * DAY_MS });
  const { forgetOutbox } = prepareJobs(db);
  expect([await forgetOutbox({ now: NOW }), await forgetOutbox({ now: NOW })]).toEqual([3, 0]);
  const { findById } = readTargets(db);
  expect(await findById(id)).toMatchObject({ waiting: 2, dropped: 3, nextDueAt: NOW - 30 * DAY_MS });
  expect(await findById(other)).toMatchObject({ waiting: 0, dropped: 0 });
  expect(await prepare<object>(db, 'select count(*) as count from deliveries').get()).toMatchObject({
    count: 2,
  });
});

test('targets that no recipient has confirmed are removed after seven days, with what waits for them', async () => {
  const unconfirmed = { kind: 'mail', pausedAt: 1, pausedReason: 'unconfirmed' } as const;
  await addTarget(db, 'late', { ...unconfirmed, createdAt: NOW - 7 * DAY_MS - 1 });
  await addTarget(db, 'fresh', { ...unconfirmed, createdAt: NOW - 7 * DAY_MS });
  await addTarget(db, 'paused', { pausedAt: 1, pausedReason: 'operator', createdAt: 1 });
  await addEvents(db, { count: 2, severity: 'info', now: NOW });
  const { forgetUnconfirmedTargets } = prepareJobs(db);
  const terms = { before: NOW - 7 * DAY_MS, now: NOW };
  expect([await forgetUnconfirmedTargets(terms), await forgetUnconfirmedTargets(terms)]).toEqual([1, 0]);
  const left = await readTargets(db).list(null);
  expect(left.map(({ name, waiting }) => [name, waiting])).toEqual([
    ['fresh', 2],
    ['paused', 2],
  ]);
});
