import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { isRefusal } from '../../../src/domain/refusal.ts';
import { newOpaqueId } from '../../../src/lib/opaque-id.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import type { Jobs } from '../../../src/storage/engine/jobs/jobs.ts';
import { execute, prepare } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { STALE_AFTER_MS } from '../../../src/storage/scans/scan-jobs.ts';
import {
  readScans,
  readUnfinishedScans,
  type Scan,
  type WantedScan,
} from '../../../src/storage/scans/scans.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

let db: Database;
let jobs: Jobs;
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
  jobs = prepareJobs(db);
});
afterEach(() => disconnect(db));

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
const queue = async (more: Partial<WantedScan> = {}) => (await jobs.queueScan(wanted(more))) as Scan;
const done = (id: number, now = 2_000) =>
  jobs.finishScan({ id, now, failure: null, findings: [], assessment: null });
const count = async (table: string) =>
  (await prepare<{ count: number }>(db, `select count(*) as count from ${table}`).get())?.count;

test('the newest 50 completed scans of each site are retained, and all pending ones', async () => {
  const other = await queue({ domain: 'other.com' });
  await done(other.id);
  let last = 0;
  for (let at = 0; at < 55; at++) {
    ({ id: last } = await queue());
    await done(last);
  }
  await queue();
  expect(await count('scans')).toBe(1 + 50 + 1);
  const kept = await prepare<object>(
    db,
    "select min(id) as first from scans where domain = 'shop.com'",
  ).get();
  expect(kept).toEqual({ first: last - 49 });
});

test('a scan is retained while its request may be repeated, regardless of later scans', async () => {
  const request = { key: 'k', bodyHash: 'h' };
  const first = await queue({ request });
  await done(first.id);
  for (let at = 0; at < 60; at++) await done((await queue()).id);
  expect((await queue({ request })).id).toBe(first.id);
});

test('pending scans are limited, and a refused one uses no volume', async () => {
  let license = 2;
  const issue = async () => {
    license += 1;
    await execute(
      db,
      `insert into licenses (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
      values (${license}, 'hash ${license}', 'k', '1', 'paid', 'live', 'pro', '[]', '[]', '[]', 1)`,
    );
    return license;
  };
  let refused: unknown;
  for (let licenses = 0; licenses < 60 && refused === undefined; licenses++) {
    const licenseId = await issue();
    for (let at = 0; at < 5; at++) {
      const scan = await jobs.queueScan(wanted({ licenseId, domain: `${at}.com` }));
      if (isRefusal(scan)) refused = scan.refused;
    }
  }
  expect([refused, await count('scans')]).toEqual(['SCAN_QUEUE_FULL', 272]);
  const used = await prepare<object>(
    db,
    "select cast(sum(accepted) as integer) as used from daily_usage where route = 'scans'",
  ).get();
  expect(used).toEqual({ used: 272 });
});

describe('a cancelled scan', () => {
  test('that is pending never starts', async () => {
    const { id, publicId } = await queue();
    await jobs.cancelScan({ id, now: 5 });
    expect(await jobs.startScan({ id, now: 6 })).toBeUndefined();
    expect(await readUnfinishedScans(db)()).toEqual([]);
    expect(await readScans(db).find(1, publicId)).toMatchObject({
      canceledAt: 5,
      finishedAt: 5,
      startedAt: null,
    });
  });

  test('that is running can be requested again', async () => {
    const { id } = await queue();
    await jobs.startScan({ id, now: 6 });
    await jobs.cancelScan({ id, now: 7 });
    expect((await queue()).id).not.toBe(id);
    await jobs.cancelScan({ id, now: 9 });
    await done(id, 10);
    await jobs.cancelScan({ id, now: 11 });
    expect(
      await prepare<object>(
        db,
        `select canceled_at as at, finished_at as over from scans where id = ${id}`,
      ).get(),
    ).toEqual({
      at: 7,
      over: 10,
    });
  });
});

test('a running scan is interrupted when the service ends, and pending ones continue in order', async () => {
  const [running, first, second] = [
    await queue(),
    await queue({ domain: 'a.com' }),
    await queue({ domain: 'b.com', licenseId: 2 }),
  ];
  await jobs.startScan({ id: running.id, now: 3 });
  await jobs.interruptScans({ ids: [running.id, second.id], now: 4 });
  expect(await readScans(db).find(1, running.publicId)).toMatchObject({
    finishedAt: 4,
    failure: 'interrupted',
  });
  expect((await readUnfinishedScans(db)()).map(({ id }) => id)).toEqual([first.id, second.id]);
});

test('a scan starts once, and not while another of its license runs, unless that is abandoned', async () => {
  const [first, second, other] = [
    await queue(),
    await queue({ domain: 'a.com' }),
    await queue({ domain: 'b.com', licenseId: 2 }),
  ];
  expect(await jobs.startScan({ id: first.id, now: 3 })).toMatchObject({ id: first.id, startedAt: 3 });
  expect(await jobs.startScan({ id: first.id, now: 4 })).toBeUndefined();
  expect(await jobs.startScan({ id: second.id, now: 4 })).toBeUndefined();
  expect(await jobs.startScan({ id: other.id, now: 4 })).toBeDefined();
  expect(await jobs.startScan({ id: second.id, now: 3 + STALE_AFTER_MS })).toBeDefined();
});

test('the progress of a scan is stored while it runs, and not after its end', async () => {
  const { id, publicId } = await queue();
  await jobs.startScan({ id, now: 3 });
  await jobs.noteScanProgress({ scans: [{ id, requests: 7 }] });
  await done(id, 4);
  await jobs.noteScanProgress({ scans: [{ id, requests: 8 }] });
  expect(await readScans(db).find(1, publicId)).toMatchObject({ requests: 7 });
});

test('scans are deleted by their end, and requests after a day, with or without their scan', async () => {
  const request = { key: 'k', bodyHash: 'h' };
  const [old, recent, waiting] = [
    await queue({ request }),
    await queue({ domain: 'a.com', request: { ...request, key: 'l' } }),
    await queue({ domain: 'b.com' }),
  ];
  await done(old.id, 100);
  await done(recent.id, 200);
  expect(await jobs.forgetScans({ finishedBefore: 150 })).toBe(1);
  expect(await jobs.forgetScans({ finishedBefore: 150 })).toBe(0);
  expect([await count('scans'), await count('scan_requests')]).toEqual([2, 1]);
  await jobs.forgetScanRequests({ now: 1_000 + 86_400_001 });
  expect(await count('scan_requests')).toBe(0);
  expect(waiting.finishedAt).toBeNull();
});
