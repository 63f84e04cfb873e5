import { afterEach, beforeEach, expect, test } from 'bun:test';
import { OPERATOR_TARGETS_MAX, TENANT_TARGETS_MAX } from '../../../src/domain/notification/target.ts';
import { newTargetSecret, sealTargetSecret } from '../../../src/domain/notification/target-secret.ts';
import { isRefusal } from '../../../src/domain/refusal.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import type { Jobs } from '../../../src/storage/engine/jobs/jobs.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { openTarget, readTargets } from '../../../src/storage/notifications/targets.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';
import { newTarget } from '../../support/notifications.ts';

const engine = engineOf(import.meta);
const KEY = Buffer.alloc(32, 7);

let db: Database;
let jobs: Jobs;
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
  jobs = prepareJobs(db);
});
afterEach(() => disconnect(db));

const add = async (...wanted: Parameters<typeof newTarget>): Promise<number> => {
  const id = await jobs.addTarget(newTarget(...wanted));
  return isRefusal(id) ? expect.unreachable(id.message) : id;
};

test('a target is found by its names, and lists contain the targets of one owner', async () => {
  const terms = { events: ['audit'], licenses: [2], customers: ['Ömer'], digestMs: 5 } as const;
  const id = await add('siem', { kind: 'syslog', ...terms });
  await add('hook', { licenseId: 1 });
  await add('hook', { licenseId: 2 });
  const targets = readTargets(db);
  expect(await targets.find('tgt_siem')).toMatchObject({ id, name: 'siem', licenseId: null, ...terms });
  expect(await targets.findByName(1, 'siem')).toBeUndefined();
  expect((await targets.findByName(2, 'hook'))?.publicId).toBe('tgt_hook2');
  expect((await targets.list(null)).map(({ name }) => name)).toEqual(['siem']);
  expect((await targets.pageOfTenants({ limit: 9 })).map(({ licenseId }) => licenseId)).toEqual([1, 2]);
  expect(await targets.totals()).toEqual({ targets: 3, paused: 0, waiting: 0, dropped: 0 });
});

test('a name is unique per owner, also when a target is renamed', async () => {
  await add('one');
  const id = await add('two');
  await add('one', { licenseId: 1 });
  const isTaken = { refused: 'ACT_REFUSED', message: expect.stringContaining('name already exists') };
  expect(await jobs.addTarget(newTarget('one', { publicId: 'tgt_x' }))).toMatchObject(isTaken);
  expect(await jobs.changeTarget({ id, change: { name: 'one' } })).toMatchObject(isTaken);
  expect(await jobs.changeTarget({ id, change: { name: 'two', minSeverity: 'high' } })).toBeUndefined();
  expect((await readTargets(db).findById(id))?.minSeverity).toBe('high');
  expect((await readTargets(db).totals()).targets).toBe(3);
});

test.each([
  [null, OPERATOR_TARGETS_MAX],
  [1, TENANT_TARGETS_MAX],
])('the owner %p has a limit of targets', async (licenseId, most) => {
  for (let each = 0; each < most; each++) await add(`t${each}`, { licenseId });
  expect(await jobs.addTarget(newTarget('more', { licenseId }))).toMatchObject({ refused: 'ACT_REFUSED' });
  expect(await readTargets(db).list(licenseId)).toHaveLength(most);
});

test('after a rotation two secrets sign for a day, the new one first, and later one', async () => {
  const [old, fresh] = [newTargetSecret(), newTargetSecret()];
  const id = await add('hook', { secret: sealTargetSecret(KEY, 'tgt_hook', old) });
  const secretsAt = async (now: number) => {
    const record = (await readTargets(db).findById(id)) ?? expect.unreachable();
    return openTarget(KEY, record, now).secrets;
  };
  expect(await secretsAt(0)).toEqual([old]);
  await jobs.rotateTargetSecret({ id, sealed: sealTargetSecret(KEY, 'tgt_hook', fresh), now: 1000 });
  expect(await secretsAt(1000 + DAY_MS - 1)).toEqual([fresh, old]);
  expect(await secretsAt(1000 + DAY_MS)).toEqual([fresh]);
});

test('a paused target stays paused for its first reason until it is resumed', async () => {
  const id = await add('hook');
  await jobs.pauseTarget({ id, reason: 'gone', now: 5 });
  await jobs.pauseTarget({ id, reason: 'operator', now: 6 });
  expect(await readTargets(db).findById(id)).toMatchObject({ pausedAt: 5, pausedReason: 'gone' });
  await jobs.resumeTarget({ id, now: 7 });
  expect(await readTargets(db).findById(id)).toMatchObject({ pausedAt: null, pausedReason: null });
});

test('a target whose recipient unsubscribed stays paused, also when its resume was planned before', async () => {
  const id = await add('hook');
  await jobs.pauseTarget({ id, reason: 'recipient', now: 5 });
  expect(await jobs.resumeTarget({ id, now: 7 })).toMatchObject({ refused: 'ACT_REFUSED' });
  expect(await readTargets(db).findById(id)).toMatchObject({ pausedAt: 5, pausedReason: 'recipient' });
});

test('a removed target leaves nothing', async () => {
  const id = await add('hook');
  await jobs.removeTarget({ id, now: 1 });
  expect(await readTargets(db).findById(id)).toBeUndefined();
  // Nothing is done to it by an act that was planned before.
  for (const late of [
    () => jobs.replayDeliveries({ id, since: 0, now: 1 }),
    () => jobs.removeTarget({ id, now: 1 }),
    () => jobs.rotateTargetSecret({ id, sealed: 'x', now: 1 }),
    () => jobs.changeTarget({ id, change: { customers: [] } }),
  ])
    expect(await late()).toMatchObject({ refused: 'ACT_REFUSED' });
});
