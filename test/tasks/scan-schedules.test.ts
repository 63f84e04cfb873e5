import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { DomainControl } from '../../src/domain/domain-control/control.ts';
import { refuse } from '../../src/domain/refusal.ts';
import { nextDueAt } from '../../src/domain/scan/schedule.ts';
import { DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { connect, type Database } from '../../src/storage/engine/database.ts';
import { type Jobs, prepareJobs } from '../../src/storage/engine/jobs.ts';
import { readDueSchedules } from '../../src/storage/scan-schedules.ts';
import { readTenantData } from '../../src/storage/tenant-data.ts';
import { startScanSchedules } from '../../src/tasks/scan-schedules.ts';
import { addTwoTenants, newDatabase } from '../support/database.ts';

let db: Database;
let jobs: Jobs;
let now: number;
let added: number[];
let later: (() => void) | undefined;
let refused: boolean;
let stop: () => void;
const domain = 'shop.test';
const publicId = 'a site';

beforeEach(() => {
  db = connect(newDatabase());
  addTwoTenants(db);
  jobs = prepareJobs(db);
  [now, added, refused] = [Date.UTC(2026, 10, 23), [], false];
  db.$client.exec(`
    insert into site_summaries (license_id, site_id, public_id, info, low, medium, high, critical)
      values (1, 1, '${publicId}', 0, 0, 0, 0, 0)
  `);
  jobs.bindDomain({ licenseId: 1, domain, now });
  jobs.vouchForDomain({ licenseId: 1, domain, now });
  const nextAt = nextDueAt(publicId, 24, now);
  jobs.setScanSchedule({ licenseId: 1, siteId: 1, schedule: { intervalHours: 24, type: 'surface', nextAt } });
  stop = startScanSchedules({
    clock: { now: () => now },
    after(_, task) {
      later = task;
      return () => {
        later = undefined;
      };
    },
    log: createLog({ level: 'info', json: true, write: () => {} }),
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
afterEach(() => {
  stop();
  db.$client.close();
});

async function round() {
  const task = later;
  later = undefined;
  task?.();
  while (later === undefined) await new Promise(setImmediate);
}
const nextAt = () =>
  (db.$client.prepare('select next_at as nextAt from scan_schedules').get() as { nextAt: number }).nextAt;
const scans = () => db.$client.prepare('select trigger, type, domain from scans').all();

test('begins its scan when it is due, and one alone after a long pause', async () => {
  await round();
  expect(scans()).toEqual([]);
  now += 10 * DAY_MS;
  await round();
  await round();
  expect(scans()).toEqual([{ trigger: 'schedule', type: 'surface', domain }]);
  expect(added).toEqual([1]);
  expect(nextAt()).toBe(nextDueAt(publicId, 24, now));
});

test('begins none while control has lapsed, and goes on when it is back', async () => {
  jobs.forgetControl({ licenseId: 1, domain });
  now += DAY_MS;
  await round();
  expect([scans(), nextAt()]).toEqual([[], now + 60 * MINUTE_MS]);
  const found: DomainControl | object = jobs.recordControlCheck({
    ...{ licenseId: 1, domain },
    result: { method: 'dns', problem: null, checkedAt: now },
  });
  expect(found).toMatchObject({ problem: null });
  now += 60 * MINUTE_MS;
  await round();
  expect(scans()).toHaveLength(1);
});

test('what is refused is put off, so that it does not stand in the way of others', async () => {
  refused = true;
  now += DAY_MS;
  await round();
  expect([scans(), nextAt(), added]).toEqual([[], now + 15 * MINUTE_MS, []]);
});

test('begins none of a license that is revoked', async () => {
  jobs.changeLicense({ id: 1, change: { revokedAt: now } });
  now += DAY_MS;
  await round();
  expect(scans()).toEqual([]);
});
