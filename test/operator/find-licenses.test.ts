import { afterAll, beforeAll, expect, test } from 'bun:test';
import { hashLicenseKey } from '../../src/domain/license/license-key.ts';
import { findLicenses } from '../../src/operator/find-licenses.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { blockedDomains, licenseDomains, licenses, previousKeys } from '../../src/storage/licenses/tables.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);

const NOW = 1_000;
const KEY = 'rdt_live_the-key-of-license-3';
const [OLD_KEY, ENDED_KEY] = ['rdt_live_an-old-one', 'rdt_live_an-ended-one'];

let db: Database;
afterAll(() => disconnect(db));

beforeAll(async () => {
  db = await engine.open();
  const notes: Readonly<Record<number, object>> = {
    1: { note: '50% off_season\\', externalId: 'shop-1' },
    2: { note: 'a*b?c[d]e', customer: 'Example Limited' },
    3: { keyHash: hashLicenseKey(KEY), keyLast4: '-k33', customer: 'Müller & Straße' },
    4: { customer: 'Example', email: 'Owner@Shop.example.com', revokedAt: 1 },
    5: { customer: 'Example', note: '7, see the note of shop-1', email: 'owner@shop.example.com' },
    6: { note: 'ÉCOLE', keyLast4: 'k66k' },
    7: { keyLast4: 'seve' },
    8: { note: '50x off season, 2026' },
  };
  for (let id = 1; id <= 8; id++)
    await db
      .insert(licenses)
      .values({
        id,
        keyHash: `hash ${id}`,
        keyPrefix: 'rdt_live_',
        keyLast4: '----',
        kind: 'paid',
        plan: 'pro',
        environment: 'live',
        modulesAllowed: [],
        modulesDenied: [],
        holds: [],
        createdAt: 0,
        ...notes[id],
      })
      .run();
  const bound = { boundBy: 'operator', boundAt: 0 } as const;
  await db
    .insert(licenseDomains)
    .values([1, 2].map((licenseId) => ({ licenseId, domain: 'example.com', ...bound })))
    .run();
  await db.insert(blockedDomains).values({ licenseId: 7, domain: 'example.com', blockedAt: 0 }).run();
  const old = { keyPrefix: 'rdt_live_' };
  await db
    .insert(previousKeys)
    .values([
      { ...old, licenseId: 2, keyHash: hashLicenseKey(OLD_KEY), keyLast4: 'seve', worksUntil: NOW + 1 },
      { ...old, licenseId: 6, keyHash: hashLicenseKey(ENDED_KEY), keyLast4: 'seve', worksUntil: NOW },
    ])
    .run();
});

async function find(text: string, limit = 50): Promise<string[]> {
  const { found } = await findLicenses(db, text, limit, NOW);
  return found.map(({ license, matched }) => `${license.id} ${matched}`);
}

test.each([
  ['lic_3', ['3 license_id']],
  ['7', ['7 license_id', '5 note']],
  [KEY, ['3 key']],
  [OLD_KEY, ['2 previous_key']],
  [ENDED_KEY, []],
  ['-k33', ['3 key_last4']],
  ['-K33', []],
  ['seve', ['7 key_last4', '2 previous_key_last4']],
  ['shop-1', ['1 external_id', '5 note']],
  ['SHOP-1', ['5 note']],
  ['https://www.Example.com/path', ['2 domain', '1 domain', '7 blocked_domain']],
  ['owner@shop.EXAMPLE.com', ['5 email', '4 email']],
  ['example', ['5 email', '4 email', '2 customer']],
  ['MÜLLER', ['3 customer']],
  ['& straße', ['3 customer']],
  ['école', ['6 note']],
  ['50% off_', ['1 note']],
  // The shorter note before the newer one.
  ['season', ['1 note', '8 note']],
  ['season\\', ['1 note']],
  ['*b?c[d]', ['2 note']],
  ['a%e', []],
  ['a*e', []],
  ['^', []],
  ['hash 1', []],
])('%j is recognised, and each license is found once, best match first', async (text, expected) => {
  expect(await find(text)).toEqual(expected);
});

test('at most the requested number is returned, with a sign that there are more', async () => {
  const { found, hasMore } = await findLicenses(db, 'example.com', 2, NOW);
  expect([found.length, hasMore]).toEqual([2, true]);
  expect((await findLicenses(db, 'example.com', 5, NOW)).hasMore).toBe(false);
});
