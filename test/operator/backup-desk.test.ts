import { expect, test } from 'bun:test';
import { refuse } from '../../src/domain/refusal.ts';
import { silentLog } from '../../src/lib/log.ts';
import { type BackupCheck, createBackupDesk } from '../../src/operator/backup-desk.ts';

const clock = { now: () => 7 };

/** A set of checks that wait for their results from the test, and everything that was stored. */
function opened() {
  const looks: (PromiseWithResolvers<BackupCheck> & { ended: AbortSignal })[] = [];
  const kept: BackupCheck[] = [];
  const desk = createBackupDesk({
    check: (_, ended) => {
      const look = { ...Promise.withResolvers<BackupCheck>(), ended };
      looks.push(look);
      return look.promise;
    },
    create: (ended) => {
      const look = { ...Promise.withResolvers<BackupCheck>(), ended };
      looks.push(look);
      return look.promise.then(() => {});
    },
    clock,
    log: silentLog,
  });
  const keep = async (found: BackupCheck) => {
    kept.push(found);
    return {};
  };
  return { desk, looks, kept, keep };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('backups are verified one at a time, and each result is stored before it is returned', async () => {
  const { desk, looks, kept, keep } = opened();
  expect(desk.latest()).toBeUndefined();
  expect([desk.begin({ path: '/a' }, keep), desk.begin({ path: '/b' }, keep)]).toEqual([true, false]);
  expect([looks.length, desk.latest()]).toEqual([1, { path: '/a', begunAt: 7, outcome: 'running' }]);
  looks[0]?.resolve({ problem: 'it was changed' });
  await settled();
  expect([kept, desk.latest()?.outcome]).toEqual([
    [{ problem: 'it was changed' }],
    { problem: 'it was changed' },
  ]);
  expect(desk.begin({ path: '/b' }, keep)).toBe(true);
});

test('a backup is created while none is verified, and a failure is reported as one', async () => {
  const { desk, looks, kept, keep } = opened();
  expect([desk.create(), desk.create(), desk.begin({ path: '/a' }, keep)]).toEqual([true, false, false]);
  expect(desk.latest()).toEqual({ path: undefined, begunAt: 7, outcome: 'running' });
  looks[0]?.resolve({ problem: null });
  await settled();
  expect([kept, desk.latest()?.outcome]).toEqual([[], { problem: null }]);
  expect(desk.create()).toBe(true);
  looks[1]?.reject(new Error('no room'));
  await settled();
  expect(desk.latest()?.outcome).toBe('failed');
});

test('a result that could not be stored counts as no result', async () => {
  const { desk, looks } = opened();
  desk.begin({ path: '/a' }, async () => refuse('STORE_UNAVAILABLE', 'The disk is full.'));
  looks[0]?.resolve({ problem: null });
  await settled();
  expect(desk.latest()?.outcome).toBe('failed');
});

test('stopping ends the running check, stores nothing of it, and starts no other', async () => {
  const { desk, looks, kept, keep } = opened();
  desk.begin({ path: '/a' }, keep);
  desk.stop();
  expect(looks[0]?.ended.aborted).toBe(true);
  looks[0]?.resolve({ problem: null });
  await settled();
  expect([kept, desk.latest()?.outcome, desk.begin({ path: '/b' }, keep)]).toEqual([[], 'failed', false]);
});
