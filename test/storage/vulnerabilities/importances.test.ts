import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Exposure } from '../../../src/domain/risk/facts.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { execute } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { readImportances } from '../../../src/storage/vulnerabilities/importances.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

let db: Database;
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
});
afterEach(() => disconnect(db));

const assess = (now: number, exposure: Exposure | null, importance: 'low' | 'high' = 'high', owner = 1) =>
  prepareJobs(db).setImportance({ licenseId: owner, siteId: owner, importance, exposure, now });
const ofSite = (licenseId: number, siteId = licenseId) => readImportances(db).ofSite(licenseId, siteId);

test('a site is exposed since the first report, also when it was closed for less than thirty days', async () => {
  const openAt = async (...said: [day: number, exposure: Exposure | null][]) => {
    await execute(db, 'delete from site_importances');
    for (const [day, exposure] of said) await assess(day * DAY_MS, exposure);
    const { openSince = null, openUntil = null } = (await ofSite(1)) ?? {};
    return [openSince, openUntil].map((moment) => moment && moment / DAY_MS);
  };
  expect(await openAt([1, null])).toEqual([null, null]);
  expect(await openAt([1, 'small'], [2, 'open'], [3, 'open'])).toEqual([2, null]);
  expect(await openAt([1, 'open'], [5, 'small'], [9, 'controlled'])).toEqual([1, 5]);
  expect(await openAt([1, 'open'], [5, 'small'], [9, null], [34, 'open'])).toEqual([1, null]);
  expect(await openAt([1, 'open'], [5, 'small'], [35, 'open'])).toEqual([35, null]);
});

test('a site has the most recent importance and its date', async () => {
  expect(await ofSite(1)).toBeUndefined();
  await assess(1, null, 'high');
  expect(await ofSite(1)).toEqual({
    importance: 'high',
    exposure: null,
    openSince: null,
    openUntil: null,
    updatedAt: 1,
  });
  await assess(2, 'controlled', 'low');
  await assess(3, 'controlled', 'high');
  expect(await ofSite(1)).toEqual({
    importance: 'high',
    exposure: 'controlled',
    openSince: null,
    openUntil: null,
    updatedAt: 3,
  });
});

test("a tenant's data about its site changes no other tenant’s, and no other tenant reads it", async () => {
  await assess(1, 'small');
  await assess(2, 'open', 'low', 2);
  expect([(await ofSite(1))?.exposure, (await ofSite(2))?.exposure]).toEqual(['small', 'open']);
  expect([await ofSite(1, 2), await ofSite(2, 1)]).toEqual([undefined, undefined]);
});

test('nothing is stored for a site that does not exist', async () => {
  await expect(assess(1, 'small', 'low', 3)).rejects.toThrow('insert into "site_importances"');
  expect(await ofSite(3)).toBeUndefined();
});
