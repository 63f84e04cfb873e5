import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { isRefusal } from '../../src/domain/refusal.ts';
import { newOpaqueId } from '../../src/lib/opaque-id.ts';
import { connect, type Database } from '../../src/storage/engine/database.ts';
import { type Jobs, prepareJobs } from '../../src/storage/engine/jobs.ts';
import { readScans, readWaitingScans, type Scan, type WantedScan } from '../../src/storage/scans.ts';
import { addTwoTenants, newDatabase } from '../support/database.ts';

let db: Database;
let jobs: Jobs;
beforeEach(() => {
  db = connect(newDatabase());
  addTwoTenants(db);
  jobs = prepareJobs(db);
});
afterEach(() => db.$client.close());

const wanted = (more: Partial<WantedScan> = {}): WantedScan => ({
  publicId: newOpaqueId(),
  licenseId: 1,
  domain: 'shop.com',
  siteUrl: 'https://shop.com/',
  type: 'surface',
  trigger: 'api',
  request: null,
  dailyCap: 1_000,
  now: 1_000,
  ...more,
});
const queue = (more: Partial<WantedScan> = {}) => jobs.queueScan(wanted(more)) as Scan;
const done = (id: number, now = 2_000) =>
  jobs.finishScan({ id, now, failure: null, findings: [], assessment: null });
const count = (table: string) =>
  (db.$client.prepare(`select count(*) as count from ${table}`).get() as { count: number }).count;

test('of each site the newest 50 that ended are kept, with those that wait', () => {
  const other = queue({ domain: 'other.com' });
  done(other.id);
  let last = 0;
  for (let at = 0; at < 55; at++) {
    ({ id: last } = queue());
    done(last);
  }
  queue();
  expect(count('scans')).toBe(1 + 50 + 1);
  const kept = db.$client.prepare("select min(id) as first from scans where domain = 'shop.com'").get();
  expect(kept).toEqual({ first: last - 49 });
});

test('a scan stays while the request that began it may be sent again, however many came after it', () => {
  const request = { key: 'k', bodyHash: 'h' };
  const first = queue({ request });
  done(first.id);
  for (let at = 0; at < 60; at++) done(queue().id);
  expect(queue({ request }).id).toBe(first.id);
});

test('all that wait are bounded, and what is refused draws from no volume', () => {
  let license = 2;
  const issue = () => {
    license += 1;
    db.$client.exec(`insert into licenses (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
      values (${license}, 'hash ${license}', 'k', '1', 'paid', 'live', 'pro', '[]', '[]', '[]', 1)`);
    return license;
  };
  let refused: unknown;
  for (let licenses = 0; licenses < 60 && refused === undefined; licenses++) {
    const licenseId = issue();
    for (let at = 0; at < 5; at++) {
      const scan = jobs.queueScan(wanted({ licenseId, domain: `${at}.com` }));
      if (isRefusal(scan)) refused = scan.refused;
    }
  }
  expect([refused, count('scans')]).toEqual(['SCAN_QUEUE_FULL', 272]);
  const used = db.$client
    .prepare("select sum(accepted) as used from daily_usage where route = 'scans'")
    .get();
  expect(used).toEqual({ used: 272 });
});

describe('a scan that is called off', () => {
  test('before it begins never does', async () => {
    const { id, publicId } = queue();
    jobs.cancelScan({ id, now: 5 });
    expect(jobs.startScan({ id, now: 6 })).toBeUndefined();
    expect(await readWaitingScans(db)()).toEqual([]);
    expect(await readScans(db).find(1, publicId)).toMatchObject({
      canceledAt: 5,
      finishedAt: 5,
      startedAt: null,
    });
  });

  test('while it runs makes way for the same scan anew', () => {
    const { id } = queue();
    jobs.startScan({ id, now: 6 });
    jobs.cancelScan({ id, now: 7 });
    expect(queue().id).not.toBe(id);
    jobs.cancelScan({ id, now: 9 });
    done(id, 10);
    jobs.cancelScan({ id, now: 11 });
    expect(
      db.$client.prepare(`select canceled_at as at, finished_at as over from scans where id = ${id}`).get(),
    ).toEqual({
      at: 7,
      over: 10,
    });
  });
});

test('what ran when the service ended is interrupted, what waits goes on in its order', async () => {
  const [running, first, second] = [
    queue(),
    queue({ domain: 'a.com' }),
    queue({ domain: 'b.com', licenseId: 2 }),
  ];
  jobs.startScan({ id: running.id, now: 3 });
  jobs.interruptScans({ now: 4 });
  expect(await readScans(db).find(1, running.publicId)).toMatchObject({
    finishedAt: 4,
    failure: 'interrupted',
  });
  expect(await readWaitingScans(db)()).toEqual([
    { id: first.id, licenseId: 1 },
    { id: second.id, licenseId: 2 },
  ]);
});

test('scans are forgotten by when they ended, and requests after a day, with or without their scan', () => {
  const request = { key: 'k', bodyHash: 'h' };
  const [old, recent, waiting] = [
    queue({ request }),
    queue({ domain: 'a.com', request: { ...request, key: 'l' } }),
    queue({ domain: 'b.com' }),
  ];
  done(old.id, 100);
  done(recent.id, 200);
  expect(jobs.forgetScans({ finishedBefore: 150 })).toBe(1);
  expect(jobs.forgetScans({ finishedBefore: 150 })).toBe(0);
  expect([count('scans'), count('scan_requests')]).toEqual([2, 1]);
  jobs.forgetScanRequests({ now: 1_000 + 86_400_001 });
  expect(count('scan_requests')).toBe(0);
  expect(waiting.finishedAt).toBeNull();
});
