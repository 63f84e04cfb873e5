import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Exposure } from '../../src/domain/risk/facts.ts';
import { connect, type Database } from '../../src/storage/engine/database.ts';
import { prepareJobs } from '../../src/storage/engine/jobs.ts';
import { readImportances } from '../../src/storage/importances.ts';
import { addTwoTenants, newDatabase } from '../support/database.ts';

let db: Database;
beforeEach(() => {
  db = connect(newDatabase());
  addTwoTenants(db);
});
afterEach(() => db.$client.close());

const say = (now: number, exposure: Exposure | null, importance: 'low' | 'high' = 'high', owner = 1) =>
  prepareJobs(db).setImportance({ licenseId: owner, siteId: owner, importance, exposure, now });
const ofSite = (licenseId: number, siteId = licenseId) => readImportances(db).ofSite(licenseId, siteId);

test('an exposure holds since it was first said, and begins anew when another one was said in between', async () => {
  const since: (number | null | undefined)[] = [];
  const said = ['open', 'open', 'small', 'open', null, null, 'open', 'open'] as const;
  for (const [index, exposure] of said.entries()) {
    say(index + 1, exposure, index % 2 === 0 ? 'high' : 'low');
    since.push((await ofSite(1))?.exposureSince);
  }
  expect(since).toEqual([1, 1, 3, 4, null, null, 7, 7]);
});

test('a site has the importance that was said last, and of when', async () => {
  expect(await ofSite(1)).toBeUndefined();
  say(1, null, 'high');
  expect(await ofSite(1)).toEqual({ importance: 'high', exposure: null, exposureSince: null, updatedAt: 1 });
  say(2, 'controlled', 'low');
  say(3, 'controlled', 'high');
  expect(await ofSite(1)).toEqual({
    importance: 'high',
    exposure: 'controlled',
    exposureSince: 2,
    updatedAt: 3,
  });
});

test('what a tenant says of its site changes no other tenant’s, and nobody else reads it', async () => {
  say(1, 'small');
  say(2, 'open', 'low', 2);
  expect([(await ofSite(1))?.exposure, (await ofSite(2))?.exposure]).toEqual(['small', 'open']);
  expect([await ofSite(1, 2), await ofSite(2, 1)]).toEqual([undefined, undefined]);
});

test('nothing is kept of a site that does not exist', async () => {
  expect(() => say(1, 'small', 'low', 3)).toThrow('insert into "site_importances"');
  expect(await ofSite(3)).toBeUndefined();
});
