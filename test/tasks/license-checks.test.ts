import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Verification } from '../../src/domain/license/verification.ts';
import { refuse } from '../../src/domain/refusal.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { CHECKS_KEPT_DAYS, readLicenseChecks } from '../../src/storage/licenses/license-checks.ts';
import { startLicenseChecks } from '../../src/tasks/license-checks.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);
const HOUR = 100 * HOUR_MS;

let db: Database;
let now: number;
let isFull: boolean;
let later: (() => void) | undefined;
let answered: Map<Verification, number>;
let checks: ReturnType<typeof startLicenseChecks>;
const node = () =>
  startLicenseChecks({
    answered,
    clock: { now: () => now },
    after(_, task) {
      later = task;
      return () => {};
    },
    log: createLog({ level: 'info', json: true, write: () => {} }),
    writer: {
      async write(name, input) {
        if (isFull) return refuse('STORE_UNAVAILABLE', 'full');
        return (await prepareJobs(db)[name](input as never)) as never;
      },
    },
  });
beforeEach(async () => {
  db = await engine.open();
  [now, isFull, answered] = [HOUR + 1_000, false, new Map()];
  checks = node();
});
afterEach(() => disconnect(db));

/** Lets five seconds pass. */
async function round() {
  const task = later;
  later = undefined;
  task?.();
  while (later === undefined) await new Promise(setImmediate);
}
const stored = async () =>
  (await readLicenseChecks(db, 0)).map(({ hour, outcome, count }) => [hour - HOUR, outcome, count] as const);

test('each answer is added to its hour once', async () => {
  answered.set('valid', 3).set('expired', 1);
  await round();
  await round();
  answered.set('valid', 5);
  await round();
  now += HOUR_MS;
  answered.set('valid', 6);
  await checks.stop();
  expect(await stored()).toEqual([
    [0, 'expired', 1],
    [0, 'valid', 5],
    [HOUR_MS, 'valid', 1],
  ]);
});

test('counts that could not be written are added later', async () => {
  isFull = true;
  answered.set('valid', 2);
  await round();
  expect(await stored()).toEqual([]);
  isFull = false;
  answered.set('valid', 3);
  await round();
  expect(await stored()).toEqual([[0, 'valid', 3]]);
});

test('counts of several nodes add up', async () => {
  answered.set('valid', 2);
  await checks.stop();
  answered = new Map([['valid', 4]]);
  await node().stop();
  expect(await stored()).toEqual([[0, 'valid', 6]]);
});

test('nothing is written without answers', async () => {
  await round();
  expect(await stored()).toEqual([]);
});

test('counts are deleted after ninety days', async () => {
  const { addLicenseChecks, forgetLicenseChecks } = prepareJobs(db);
  for (const hour of [HOUR, HOUR + HOUR_MS]) await addLicenseChecks({ hour, counts: [['valid', 1]] });
  await forgetLicenseChecks({ before: HOUR + CHECKS_KEPT_DAYS * DAY_MS - CHECKS_KEPT_DAYS * DAY_MS + 1 });
  expect(await stored()).toEqual([[HOUR_MS, 'valid', 1]]);
});
