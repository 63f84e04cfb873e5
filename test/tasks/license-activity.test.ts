import { afterEach, beforeEach, expect, test } from 'bun:test';
import { refuse } from '../../src/domain/refusal.ts';
import { createLog } from '../../src/lib/log.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { reserveJobsIn } from '../../src/storage/engine/reserve-jobs.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { type NotedAnswers, readLicenseActivity } from '../../src/storage/licenses/license-activity.ts';
import { startLicenseActivity } from '../../src/tasks/license-activity.ts';
import { addTwoTenants } from '../support/database.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);

const ROUTE = '/api/v1/telemetry';

let db: Database;
let now: number;
let delays: number[];
/** The task scheduled for five seconds from now. */
let later: (() => void) | undefined;
let isFull: boolean;
let written: (readonly NotedAnswers[])[];
let lines: string[];
let activity: ReturnType<typeof startLicenseActivity>;
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
  const jobs = prepareJobs(db);
  [now, delays, isFull, written, lines] = [1_000, [], false, [], []];
  activity = startLicenseActivity({
    clock: { now: () => now },
    after(delayMs, task) {
      delays.push(delayMs);
      later = task;
      return () => {
        later = undefined;
      };
    },
    log: createLog({ level: 'info', json: true, write: (text) => lines.push(text) }),
    writer: {
      async write(name, input) {
        if (isFull) return refuse('STORE_UNAVAILABLE', 'full');
        written.push((input as { answers: readonly NotedAnswers[] }).answers);
        return (await jobs[name](input as never)) as never;
      },
    },
  });
});

afterEach(() => disconnect(db));

/** Lets five seconds pass and runs the task that is then due. */
async function round() {
  const task = later;
  later = undefined;
  now += 5_000;
  task?.();
  while (later === undefined) await new Promise(setImmediate);
}
const refused = (licenseId: number, code: 'PLAN_REQUIRED' | 'EXPIRED' = 'PLAN_REQUIRED') =>
  activity.note({ licenseId, route: ROUTE, code, verification: undefined, domain: undefined });
const verified = (licenseId: number, verification: 'valid' | 'suspended') =>
  activity.note({ licenseId, route: '/v', code: undefined, verification, domain: undefined });

test('answers to license checks are written in one job after five seconds, and nothing without answers', async () => {
  verified(1, 'valid');
  // This license has been deleted in the meantime.
  refused(3);
  refused(2);
  verified(1, 'suspended');
  expect(written).toEqual([]);
  await round();
  await round();
  expect(delays).toEqual([5_000, 5_000, 5_000]);
  expect(written.map((answers) => answers.map(({ licenseId }) => licenseId))).toEqual([[1, 3, 2]]);
  expect(await readLicenseActivity(db, 3)).toBeUndefined();
  expect(await readLicenseActivity(db, 1)).toEqual({
    licenseId: 1,
    notedAt: 6_000,
    verifiedAt: 1_000,
    refusals: [],
    verifiedOutcome: 'invalid',
    verifiedReason: 'suspended',
  });
  expect(await readLicenseActivity(db, 2)).toMatchObject({
    verifiedAt: null,
    refusals: [{ at: 1_000, route: ROUTE, code: 'PLAN_REQUIRED' }],
  });
});

test('later answers replace earlier ones, and the last twenty refusals are retained', async () => {
  verified(1, 'valid');
  for (let at = 0; at < 15; at++, now++) refused(1);
  await round();
  now = 9_000;
  for (let at = 0; at < 12; at++, now++) refused(1, 'EXPIRED');
  await round();
  const { refusals = [], ...kept } = (await readLicenseActivity(db, 1)) ?? {};
  expect(kept).toMatchObject({ verifiedAt: 1_000, verifiedOutcome: 'valid', verifiedReason: null });
  expect(refusals.map(({ at }) => at)).toEqual([
    ...Array.from({ length: 12 }, (_, index) => 9_011 - index),
    ...Array.from({ length: 8 }, (_, index) => 1_014 - index),
  ]);
});

// Thousands of rows in one job, which do not differ between the engines.
test.if(engine.isThorough)(
  'memory is limited by licenses between two writes, and by refusals of each license',
  async () => {
    for (let id = 1; id <= 5_100; id++) refused(id);
    for (let count = 0; count < 100; count++) refused(1);
    await round();
    expect([written[0]?.length, written[0]?.[0]?.refusals.length]).toEqual([5_000, 20]);
  },
);

test('answers are retained within limits while the store is unavailable, and that is logged once', async () => {
  expect(reserveJobsIn(prepareJobs(db)).has('noteLicenseActivity')).toBe(false);
  isFull = true;
  verified(1, 'suspended');
  for (let count = 0; count < 15; count++) refused(1);
  await round();
  verified(1, 'valid');
  for (let count = 0; count < 15; count++) refused(1, 'EXPIRED');
  await round();
  expect([written, lines.length]).toEqual([[], 1]);
  expect(lines[0]).toContain('"level":"warn"');
  isFull = false;
  await round();
  const kept = await readLicenseActivity(db, 1);
  expect(kept).toMatchObject({ verifiedOutcome: 'valid', verifiedAt: 6_000 });
  expect(kept?.refusals.map(({ code }) => code)).toEqual([
    ...Array(15).fill('EXPIRED'),
    ...Array(5).fill('PLAN_REQUIRED'),
  ]);
  await round();
  expect(written).toHaveLength(1);
});

test('stopping writes the remaining answers, and no further round follows', async () => {
  refused(1);
  await activity.stop();
  expect([written.length, later]).toEqual([1, undefined]);
  await activity.stop();
  expect(written).toHaveLength(1);
});
