import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type {
  GoneComponent,
  Inventory,
  InventoryComponent,
} from '../../../src/domain/vulnerability/inventory.ts';
import { Fault } from '../../../src/lib/fault.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { prepare } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import {
  eachInventory,
  readInventories,
  type SiteInventory,
} from '../../../src/storage/vulnerabilities/inventories.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

const AKISMET: InventoryComponent = {
  ecosystem: 'wordpress-plugin',
  name: 'akismet',
  nameHash: 'a'.repeat(43),
  version: '5.3',
  status: 'active',
  since: 1_000,
  activeSince: 950,
  firstSeen: { 'CVE-2026-1': 900 },
};
const PRIVATE: InventoryComponent = {
  ...AKISMET,
  name: null,
  status: 'inactive',
  activeSince: null,
  firstSeen: {},
};
const GONE: GoneComponent = { ...AKISMET, name: null, goneAt: 1_200 };

const ROW = ['npm', 'x', 'hash', '1', 'active', 1, {}, 1, null];
const rowWith = (index: number, value: unknown) => JSON.stringify([ROW, ROW.with(index, value as never)]);
const DAMAGED: Readonly<Record<string, string>> = {
  'is no JSON': '[[',
  'is no list': '{}',
  'lists what is no component': JSON.stringify([ROW, 1]),
  'lacks a field': JSON.stringify([ROW.slice(0, 8)]),
  'has an ecosystem that is no text': rowWith(0, null),
  'has a name that is no text': rowWith(1, 1),
  'has a version that is not a text': rowWith(3, 1),
  'has an unknown status': rowWith(4, 'gone'),
  'has half a millisecond': rowWith(5, 1.5),
  'went at no moment': rowWith(8, 'yesterday'),
  'has a list of first moments': rowWith(6, []),
  'has a first moment that is no number': rowWith(6, { 'CVE-2026-1': '1' }),
};

let db: Database;
let jobs: ReturnType<typeof prepareJobs>;
beforeEach(async () => {
  db = await engine.open();
  jobs = prepareJobs(db);
  await addTwoTenants(db);
});
afterEach(() => disconnect(db));

/** One site each of two licenses, with the same numbers. */
const replace = (
  owner: number,
  components: readonly InventoryComponent[],
  receivedAt = 1,
  gone: Inventory['gone'] = [],
) => jobs.replaceInventory({ licenseId: owner, siteId: owner, components, gone, receivedAt });
const ofSite = (licenseId: number, siteId = licenseId) => readInventories(db).ofSite(licenseId, siteId);
const all = async () => {
  const visited: SiteInventory[] = [];
  await eachInventory(db, (inventory) => visited.push(inventory));
  return visited;
};

describe('the components of a site', () => {
  test('replace those of its previous report, and an empty report stores none', async () => {
    expect(await replace(1, [])).toBe('forgotten');
    expect(await replace(1, [AKISMET], 5_000)).toBe('stored');
    expect(await replace(1, [PRIVATE, AKISMET], 6_000)).toBe('replaced');
    expect(await ofSite(1)).toEqual({ components: [PRIVATE, AKISMET], gone: [], receivedAt: 6_000 });
    expect(await replace(1, [], 7, [GONE])).toBe('forgotten');
    expect(await ofSite(1)).toBeUndefined();
    expect(await replace(1, [AKISMET])).toBe('stored');
  });

  test('cannot be read, replaced or deleted by others', async () => {
    await replace(1, [AKISMET], 5_000);
    expect([await ofSite(2), await ofSite(2, 1), await ofSite(1, 2)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([await replace(2, [PRIVATE], 6_000), await replace(2, [])]).toEqual(['stored', 'forgotten']);
    expect(await ofSite(1)).toEqual({ components: [AKISMET], gone: [], receivedAt: 5_000 });
  });

  test('are not stored for a site that does not exist', async () => {
    await expect(replace(3, [AKISMET])).rejects.toThrow('insert into "site_inventories"');
    expect(await all()).toEqual([]);
  });

  test('are listed by the operator for all sites of the installation', async () => {
    await replace(2, [PRIVATE], 6_000);
    await replace(1, [AKISMET], 5_000);
    expect(await all()).toEqual([
      { licenseId: 1, siteId: 1, components: [AKISMET], gone: [], receivedAt: 5_000 },
      { licenseId: 2, siteId: 2, components: [PRIVATE], gone: [], receivedAt: 6_000 },
    ]);
  });

  test('read as they were reported, with any text and moment', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const moment = fc.maxSafeInteger();
    const component: fc.Arbitrary<InventoryComponent> = fc.record({
      ecosystem: text,
      name: fc.option(text),
      nameHash: text,
      version: text,
      status: fc.constantFrom('active', 'inactive'),
      since: moment,
      activeSince: fc.option(moment),
      firstSeen: fc.dictionary(text, moment, { maxKeys: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(component, { minLength: 1, maxLength: 5 }), async (components) => {
        const gone = components.map((one) => ({ ...one, name: null, goneAt: 5 }));
        const receivedAt = Number.MAX_SAFE_INTEGER;
        await replace(1, components, receivedAt, gone);
        expect(await ofSite(1)).toEqual({ components, gone, receivedAt });
      }),
    );
  });
});

test('moments of a clock that ran ahead are read as when the components were received, so that nothing is due later', async () => {
  const [received, later] = [2_000, 400_000];
  const ahead = {
    ...AKISMET,
    since: later,
    activeSince: later,
    firstSeen: { 'CVE-2026-1': later, 'CVE-2026-2': 900 },
  };
  await replace(1, [ahead], received, [{ ...ahead, name: null, goneAt: later }]);
  const read = {
    since: received,
    activeSince: received,
    firstSeen: { 'CVE-2026-1': received, 'CVE-2026-2': 900 },
  };
  expect(await ofSite(1)).toEqual({
    components: [{ ...AKISMET, ...read }],
    gone: [{ ...AKISMET, ...read, name: null, goneAt: received }],
    receivedAt: received,
  });
});

describe('a stored inventory', () => {
  const store = (components: string) =>
    prepare(
      db,
      'insert into site_inventories (license_id, site_id, components, received_at) values (1, 1, ?, 1)',
    ).run(components);

  test('that is intact is read', async () => {
    await store(JSON.stringify([ROW]));
    expect((await ofSite(1))?.components).toHaveLength(1);
  });

  test.each(Object.entries(DAMAGED))('that %s is a fault, until the site reports again', async (_, text) => {
    await store(text);
    await expect(ofSite(1)).rejects.toThrow(Fault);
    await expect(all()).rejects.toThrow('the site with id 1 are damaged');
    expect(await replace(1, [AKISMET], 1_000)).toBe('replaced');
    expect((await ofSite(1))?.components).toEqual([AKISMET]);
  });
});

test('inventories are deleted from the oldest on, 200 at a time, up to a moment', async () => {
  await disconnect(db);
  db = await engine.open({ loose: true });
  jobs = prepareJobs(db);
  const [later, earlier] = [Array(100).fill(20), Array(150).fill(10)];
  for (const [index, receivedAt] of [...later, ...earlier, 99, 100, 101].entries())
    await replace(index, [AKISMET], receivedAt);
  const forget = () => jobs.forgetInventories({ receivedBefore: 100 });
  expect(await forget()).toBe(200);
  expect(new Set((await all()).map(({ receivedAt }) => receivedAt))).toEqual(new Set([20, 99, 100, 101]));
  expect([await forget(), await forget()]).toEqual([51, 0]);
  expect((await all()).map(({ receivedAt }) => receivedAt)).toEqual([100, 101]);
});
