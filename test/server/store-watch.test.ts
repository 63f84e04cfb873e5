import { expect, test } from 'bun:test';
import { createLog } from '../../src/lib/log.ts';
import { watchStore } from '../../src/server/store-watch.ts';
import type { JobOutcome } from '../../src/storage/engine/writer.ts';

async function watched(writeReserve = async () => {}) {
  const probes: boolean[] = [];
  const lines: string[] = [];
  let works = true;
  let look: () => void = () => {};
  const attempt = <Value>(value: Value) =>
    works ? Promise.resolve(value) : Promise.reject(new Error('full'));
  const watch = await watchStore({
    room: { isEnough: () => true, writeReserve, make: () => {}, makeForOperators: () => {} },
    thread: {
      commit: (jobs) => attempt(jobs.map((): JobOutcome => ({ fault: 'of one job' }))),
      probe: (write) => {
        probes.push(write);
        return attempt(undefined);
      },
    },
    after: (_, task) => {
      look = task;
      return () => {};
    },
    log: createLog({ level: 'warn', json: true, write: (text) => lines.push(text) }),
  });
  return {
    watch,
    probes,
    warnings: () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn'),
    break: () => {
      works = false;
    },
    mend: () => {
      works = true;
    },
    /** As every five seconds. */
    look: async () => {
      look();
      await new Promise(setImmediate);
    },
  };
}

const JOB = { name: 'correctLastSeen', input: { now: 0 } } as const;
const FAILS = ['changes cannot be stored'];

test('one failing job leaves the store ready, a batch that cannot be committed does not', async () => {
  const store = await watched();
  await store.watch.commit([JOB]);
  expect(store.watch.problems()).toEqual([]);
  store.break();
  await expect(store.watch.commit([JOB])).rejects.toThrow();
  expect(store.watch.problems()).toEqual(FAILS);
});

test('a store that fails and recovers is detected without any client, by a real write', async () => {
  const store = await watched();
  await store.look();
  store.break();
  await store.look();
  expect(store.watch.problems()).toEqual(FAILS);
  await store.look();
  store.mend();
  await store.look();
  expect(store.watch.problems()).toEqual([]);
  // At the start, three times while it failed or seemed sound, and with a write from the first failure on.
  expect(store.probes).toEqual([false, false, false, true, true]);
});

test('a reserve that cannot be written is logged once, in words, and the watch continues', async () => {
  const store = await watched(async () => {
    throw Object.assign(new Error("EISDIR: illegal operation on a directory, open '/d'"), {
      code: 'EISDIR',
      path: '/d',
    });
  });
  for (let again = 0; again < 3; again += 1) await store.look();
  expect(store.warnings()).toEqual([
    expect.objectContaining({
      message: 'the disk reserve cannot be written',
      reason: 'it is a directory. Move it away',
    }),
  ]);
  expect(store.probes).toHaveLength(4);
});
