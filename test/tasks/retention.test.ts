import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { watchClock } from '../../src/server/clock-check.ts';
import { ALONE } from '../../src/storage/engine/clock-work.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import type { JobName } from '../../src/storage/engine/jobs/jobs.ts';
import { reserveJobsIn } from '../../src/storage/engine/reserve-jobs.ts';
import { retentionJobsIn } from '../../src/storage/engine/retention.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { readNewestMoment } from '../../src/storage/installation/newest-moment.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { startRetention } from '../../src/tasks/retention.ts';
import { engineOf } from '../support/engines.ts';
import { until } from '../support/service.ts';
import { batchOf } from '../support/telemetry.ts';

const engine = engineOf(import.meta);

const START = 1_000 * DAY_MS;

let db: Database;
let wall: number;
let monotonic: number;
let isClockBehind: () => boolean;
let written: JobName[];
let retention: ReturnType<typeof startRetention>;
beforeEach(async () => {
  db = await engine.open({ loose: true });
  const jobs = prepareJobs(db);
  [wall, monotonic, isClockBehind, written] = [START, 0, () => false, []];
  retention = startRetention({
    clockWork: ALONE,
    tidy: () => {},
    jobs: async () => retentionJobsIn(jobs),
    writer: {
      async write(name, input) {
        written.push(name);
        return (await jobs[name](input as never)) as never;
      },
    },
    clock: { now: () => wall, monotonic: () => monotonic },
    log: silentLog,
    config: { retentionDays: 90, feedWindowDays: 14, auditDays: 730 },
    isClockBehind: () => isClockBehind(),
    room: { isEnough: () => true, make: () => {}, makeForOperators: () => {}, writeReserve: async () => {} },
    truncateLog: async () => {},
  });
  await jobs.recordTelemetry(batchOf(START, [{}]));
});
afterEach(async () => {
  retention.stop();
  await disconnect(db);
});

/** Lets an hour pass and sets the clock. */
const hour = async (setBy = 0) => {
  wall += HOUR_MS + setBy;
  monotonic += HOUR_MS;
  await retention.forget();
};
const read = async (sql: string) => Object.values((await prepare<object>(db, sql).get()) ?? {})[0];
const events = () => read('select count(*) from events');

test('a clock that is ahead for a short time deletes nothing', async () => {
  await hour(200 * DAY_MS);
  await hour(-200 * DAY_MS);
  await hour();
  expect(await events()).toBe(1);
});

test('a clock that stays ahead is believed after an hour', async () => {
  await hour(200 * DAY_MS);
  expect(await events()).toBe(1);
  await hour();
  expect(await events()).toBe(0);
});

test('a site last seen while the clock was ahead becomes silent like any other', async () => {
  await hour(-5 * DAY_MS);
  await hour();
  expect(await read('select last_seen_at from sites')).toBe(wall);
});

test('audit entries are deleted when they are too old, in any number', async () => {
  const entry = prepare(db, "insert into audit_log (at, actor, action) values (?, 'system', 'x')");
  const ages = [...Array(5_001).fill(731), 729, 0];
  for (const days of ages) await entry.run(START - days * DAY_MS);
  await hour();
  expect(await read('select count(*) from audit_log')).toBe(2);
});

test('components of sites are deleted like events, for any number of sites', async () => {
  const keep = prepare(
    db,
    "insert into site_inventories (license_id, site_id, components, received_at) values (1, ?, '[]', ?)",
  );
  const ages = [...Array(201).fill(91), 89, 0];
  for (const [site, days] of ages.entries()) await keep.run(site, START - days * DAY_MS);
  await hour();
  expect(await read('select count(*) from site_inventories')).toBe(2);
});

test('a rotated key is deleted when its grace period has ended, and no sooner', async () => {
  await execute(
    db,
    `insert into previous_keys values (1, 'a', '', '', ${START + HOUR_MS}), (2, 'b', '', '', ${START + HOUR_MS + 1})`,
  );
  await hour();
  expect(await prepare(db, 'select license_id from previous_keys').all()).toEqual([
    { license_id: 2 },
  ] as never);
});

test('every write of retention is possible while the disk is full', async () => {
  await hour();
  expect(written.length).toBeGreaterThan(0);
  const allowed = reserveJobsIn(prepareJobs(db));
  expect(written.filter((name) => !allowed.has(name))).toEqual([]);
});

test('jobs that delete belong to retention, except those that a person requests', async () => {
  await hour();
  const others = (Object.keys(prepareJobs(db)) as JobName[]).filter(
    (name) => name.startsWith('forget') && !written.includes(name),
  );
  expect(others.sort()).toEqual([
    'forgetBackups',
    'forgetControl',
    'forgetFacts',
    'forgetRefusedDomains',
    'forgetSignInTries',
  ]);
  expect(written.at(-1)).toBe('giveBackPages');
});

test('a clock behind the data since the start changes nothing that was seen later', async () => {
  isClockBehind = () => true;
  wall -= 400 * DAY_MS;
  await hour();
  await hour();
  expect(await read('select last_seen_at from sites')).toBe(START);
});

test('retention resumes after "clock accept" without a restart', async () => {
  await execute(db, `update sites set last_seen_at = ${START + 500 * DAY_MS}`);
  wall += 91 * DAY_MS;
  let isAccepted = false;
  const known = { newest: await readNewestMoment(db) };
  isClockBehind = watchClock(known, { now: () => wall, monotonic: () => monotonic }, silentLog, async () =>
    isAccepted ? readNewestMoment(db) : undefined,
  );
  await hour();
  await hour();
  expect([await events(), written]).toEqual([1, []]);

  await prepareJobs(db).acceptClock({ now: wall });
  isAccepted = true;
  // The first check after the act notices it, and the next one deletes.
  await hour();
  await until(() => known.newest <= wall);
  await hour();
  expect([await events(), written.includes('forgetEvents')]).toEqual([0, true]);
});
