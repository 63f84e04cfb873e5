import { afterEach, beforeEach, expect, test } from 'bun:test';
import { defaultCatalog } from '../../src/domain/license/catalog.ts';
import { generateLicenseKey, newLicenseKey } from '../../src/domain/license/license-key.ts';
import { createLicenseLookup } from '../../src/server/license-lookup.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import { readGenerations } from '../../src/storage/engine/sqlite/generations.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { readLicenses } from '../../src/storage/licenses/licenses.ts';
import { newDatabase } from '../support/database.ts';

const START = 1_800_000_000_000;

let db: Database;
let now: number;
let reads: number;
let find: (key: string) => Promise<number | undefined>;
/** A license whose first key is valid for ten milliseconds. */
let first: string;
let next: string;
let id: number;
beforeEach(async () => {
  db = connect(newDatabase());
  const jobs = prepareJobs(db);
  [now, reads] = [START, 0];
  const { findByKeyHash } = readLicenses(db);
  const generations = readGenerations(db);
  const findLicense = createLicenseLookup({
    async findByKeyHash(hash) {
      reads++;
      return findByKeyHash(hash);
    },
    generation: () => generations().licenses,
    catalog: defaultCatalog,
    now: () => now,
  });
  find = async (key) => {
    await new Promise(setImmediate);
    return (await findLicense(key))?.license.id;
  };
  const keys = [newLicenseKey('live'), newLicenseKey('live')] as const;
  id = await jobs.issueLicense({
    ...keys[0].stored,
    kind: 'paid',
    environment: 'live',
    plan: 'pro',
    sitesOverride: null,
    modulesAllowed: [],
    modulesDenied: [],
    note: null,
    expiresAt: null,
    domains: [],
    createdAt: 1,
    issuedBy: { actor: 'cli:test' },
  });
  await jobs.rotateKey({ id, stored: keys[1].stored, oldWorksUntil: START + 10 });
  [first, next] = [keys[0].key, keys[1].key];
});
afterEach(() => disconnect(db));

test('an old key stops exactly when its grace period ends, though it is cached and no license changes', async () => {
  expect([await find(first), await find(next)]).toEqual([id, id]);
  now = START + 9;
  expect(await find(first)).toBe(id);
  expect(reads).toBe(2);
  now = START + 10;
  expect([await find(first), await find(next)]).toEqual([undefined, id]);
});

test('an unknown key costs one read, and a mistyped one none', async () => {
  expect(await find(generateLicenseKey('live'))).toBeUndefined();
  expect(reads).toBe(1);
  expect(await find(`${first}x`)).toBeUndefined();
  expect(reads).toBe(1);
});
