import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { DomainControl } from '../../src/domain/domain-control/control.ts';
import { refuse } from '../../src/domain/refusal.ts';
import { nextDueAt } from '../../src/domain/scan/schedule.ts';
import { DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { ALONE } from '../../src/storage/engine/clock-work.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import type { Jobs } from '../../src/storage/engine/jobs/jobs.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { readDueSchedules } from '../../src/storage/scans/scan-schedules.ts';
import { readTenantData } from '../../src/storage/tenant-data.ts';
import { startScanSchedules } from '../../src/tasks/scan-schedules.ts';
import { addTwoTenants } from '../support/database.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);

let db: Database;
let jobs: Jobs;
let now: number;
let added: number[];
let later: (() => void) | undefined;
let refused: boolean;
let stop: () => void;
const domain = 'shop.test';
const publicId = 'a site';

beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
  jobs = prepareJobs(db);
  [now, added, refused] = [Date.UTC(2026, 10, 23), [], false];
  await execute(
    db,
    `insert into site_summaries (license_id, site_id, public_id, info, low, medium, high, critical)
      values (1, 1, '${publicId}', 0, 0, 0, 0, 0)`,
  );
  await jobs.bindDomain({ licenseId: 1, domain, now });
  await jobs.vouchForDomain({ licenseId: 1, domain, now });
  const nextAt = nextDueAt(publicId, 24, now);
  await jobs.setScanSchedule({
    licenseId: 1,
    siteId: 1,
    schedule: { intervalHours: 24, type: 'surface', nextAt },
  });
  stop = startScanSchedules({
    clock: { now: () => now },
    after(_, task) {
      later = task;
      return () => {
        later = undefined;
      };
    },
    log: createLog({ level: 'info', json: true, write: () => {} }),
    clockWork: ALONE,
    writer: {
      write: async (name, input) =>
        refused && name === 'runSchedule'
          ? refuse('DAILY_CAP_EXCEEDED', '')
          : // biome-ignore lint/suspicious/noExplicitAny: which job it is, only its caller knows
            (jobs[name] as any)(input),
    },
    tenantData: readTenantData(db, db),
    desk: { add: ({ id }) => added.push(id) },
    readDue: readDueSchedules(db),
    dailyCap: () => 50,
    isClockBehind: () => false,
  });
});
afterEach(async () => {
  stop();
  await disconnect(db);
});

async function round() {
  const task = later;
  later = undefined;
  task?.();
  while (later === undefined) await new Promise(setImmediate);
}
const nextAt = async () =>
  (await prepare<{ next_at: number }>(db, 'select next_at from scan_schedules').get())?.next_at;
const scans = () => prepare<object>(db, 'select "trigger", type, domain from scans').all();

test('a schedule starts its scan when it is due, and only one after a long pause', async () => {
  await round();
  expect(await scans()).toEqual([]);
  now += 10 * DAY_MS;
  await round();
  await round();
  expect(await scans()).toEqual([{ trigger: 'schedule', type: 'surface', domain }]);
  expect(added).toEqual([1]);
  expect(await nextAt()).toBe(nextDueAt(publicId, 24, now));
});

test('a schedule starts no scan while control has lapsed, and resumes afterwards', async () => {
  await jobs.forgetControl({ licenseId: 1, domain });
  now += DAY_MS;
  await round();
  expect([await scans(), await nextAt()]).toEqual([[], now + 60 * MINUTE_MS]);
  const found: DomainControl | object = await jobs.recordControlCheck({
    licenseId: 1,
    domain,
    result: { method: 'dns', problem: null, checkedAt: now },
  });
  expect(found).toMatchObject({ problem: null });
  now += 60 * MINUTE_MS;
  await round();
  expect(await scans()).toHaveLength(1);
});

test('a refused scan is postponed and does not block others', async () => {
  refused = true;
  now += DAY_MS;
  await round();
  expect([await scans(), await nextAt(), added]).toEqual([[], now + 15 * MINUTE_MS, []]);
});

test('a schedule of a revoked license starts no scan', async () => {
  await jobs.changeLicense({ id: 1, change: { revokedAt: now } });
  now += DAY_MS;
  await round();
  expect(await scans()).toEqual([]);
});
