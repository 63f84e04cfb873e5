import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { engineOf } from '../support/engines.ts';
import '../support/properties.ts';
import { defaultCatalog, PLANS } from '../../src/domain/license/catalog.ts';
import { LICENSE_STATES, licenseStanding } from '../../src/domain/license/license.ts';
import type { LicenseFilter } from '../../src/domain/license/license-filter.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { oneAfterAnother } from '../../src/lib/one-after-another.ts';
import { eachLicense, listLicenses } from '../../src/operator/list-licenses.ts';
import { licenseDomains, licenses } from '../../src/storage/licenses/tables.ts';
import { sites } from '../../src/storage/sites/tables.ts';
import { holds, termsUntil } from '../support/licenses.ts';

const engine = engineOf(import.meta);

const NOW = Date.UTC(2026, 10, 23);

let db: Database;
beforeAll(async () => {
  db = await engine.open();
});
afterAll(() => disconnect(db));
beforeEach(clear);

async function clear(): Promise<void> {
  for (const table of ['license_domains', 'sites', 'licenses']) await execute(db, `delete from ${table}`);
}

const moments = fc.constantFrom(null, NOW - 1, NOW, NOW + 1, NOW + DAY_MS, NOW + DAY_MS + 1);
const rarely = <Value>(value: Value) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.constant(value));
const terms = termsUntil(moments);
const made = fc.record({
  /** Small enough that licenses are in several steps. */
  gap: fc.integer({ min: 1, max: 3_000 }),
  ...terms,
  granted: fc.option(fc.record(terms), { freq: 2 }),
  holds,
  paymentHolds: holds,
  paymentHoldFrom: fc.constantFrom(null, NOW, NOW + 1),
  revokedAt: rarely(NOW - 1),
  pendingUntil: rarely(NOW + DAY_MS),
  domains: fc.subarray(['a.com', 'b.com']),
  heardAt: fc.constantFrom(null, NOW, NOW - DAY_MS, NOW - DAY_MS - 1),
});
type Made = typeof made extends fc.Arbitrary<infer Value> ? Value : never;
const filters: fc.Arbitrary<LicenseFilter> = fc.record(
  {
    state: fc.constantFrom(...LICENSE_STATES),
    plan: fc.constantFrom(...PLANS),
    domain: fc.constantFrom('a.com', 'c.com'),
    endsWithinMs: fc.constant(DAY_MS),
    silent: fc.boolean(),
  },
  { requiredKeys: [] },
);

const ROW: Omit<typeof licenses.$inferInsert, 'keyHash'> = {
  keyPrefix: 'rdt_live_',
  keyLast4: 'last',
  environment: 'live',
  kind: 'paid',
  plan: 'pro',
  modulesAllowed: [],
  modulesDenied: [],
  holds: [],
  createdAt: 1,
};

async function insert(all: readonly Made[]): Promise<{ id: number; license: Made }[]> {
  await clear();
  let id = 0;
  return oneAfterAnother(all, async ({ gap, domains, heardAt, ...facts }) => {
    id += gap;
    await db
      .insert(licenses)
      .values({ ...ROW, ...facts, id, keyHash: `hash ${id}` })
      .run();
    for (const domain of domains)
      await db
        .insert(licenseDomains)
        .values({ licenseId: id, domain, boundBy: 'operator', boundAt: 1 })
        .run();
    if (heardAt !== null)
      await db
        .insert(sites)
        .values({ licenseId: id, domain: 'site.com', firstSeenAt: 0, lastSeenAt: heardAt })
        .run();
    return { id, license: { gap, domains, heardAt, ...facts } };
  });
}

/** Filtered by the derivation alone. */
function isWanted({ domains, heardAt, ...facts }: Made, filter: LicenseFilter): boolean {
  const others = { dailyEventsOverride: null, dailyBytesOverride: null, modulesDenied: [] };
  const license = { ...facts, ...others, environment: 'live' } as const;
  const { state, valid, plan, expiresAt } = licenseStanding(license, defaultCatalog, NOW);
  const isSoon = expiresAt !== null && expiresAt > NOW && expiresAt <= NOW + DAY_MS;
  return (
    [undefined, state].includes(filter.state) &&
    [undefined, valid ? plan : facts.plan].includes(filter.plan) &&
    (filter.domain === undefined || domains.includes(filter.domain)) &&
    (filter.endsWithinMs === undefined || (isSoon && state !== 'revoked')) &&
    (!filter.silent || (license.revokedAt === null && (heardAt === null || heardAt < NOW - DAY_MS)))
  );
}

async function walk(filter: LicenseFilter, limit: number, between = async () => {}): Promise<number[]> {
  const ids: number[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = await listLicenses(db, filter, { after, limit }, defaultCatalog, NOW);
    expect(page.licenses.length).toBeLessThanOrEqual(limit);
    if (page.next !== null) expect(page.licenses).toHaveLength(limit);
    ids.push(...page.licenses.map(({ id }) => id));
    after = page.next;
    await between();
  }
  return ids;
}

const add = (id: number) =>
  db
    .insert(licenses)
    .values({ ...ROW, id, keyHash: `hash ${id}` })
    .run();

test('filters return exactly the derived states, in full pages and as a whole', async () => {
  const reached = new Set<unknown>();
  const check = async (
    inserted: Awaited<ReturnType<typeof insert>>,
    filter: LicenseFilter,
    limit: number,
  ) => {
    const wanted = inserted.filter(({ license }) => isWanted(license, filter)).map(({ id }) => id);
    if (wanted.length > 0) for (const each of [filter.state, ...Object.keys(filter)]) reached.add(each);
    expect(await walk(filter, limit)).toEqual(wanted);
    const steps = await Array.fromAsync(eachLicense(db, filter, defaultCatalog, NOW));
    expect(steps.flat().map(({ id }) => id)).toEqual(wanted);
  };
  const some = fc.array(made, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(some, filters, fc.integer({ min: 1, max: 4 }), async (all, filter, limit) => {
      await db.connection.beginChanging();
      try {
        const inserted = await insert(all);
        for (const state of LICENSE_STATES) await check(inserted, { state }, limit);
        await check(inserted, filter, limit);
      } finally {
        await db.connection.rollback();
      }
    }),
  );
  // Fewer runs do not reach every state.
  if (engine.isThorough)
    for (const name of [...LICENSE_STATES, 'plan', 'domain', 'endsWithinMs', 'silent'])
      expect(reached).toContain(name);
});

test('following the cursor returns each license once, also while others change, leave and are added', async () => {
  for (let id = 1; id <= 450; id++) await add(id);
  let isChanged = false;
  const ids = await walk({ state: 'active' }, 100, async () => {
    if (isChanged) return;
    isChanged = true;
    // After the cursor, before it, and new.
    await execute(db, 'update licenses set holds = \'["operator"]\' where id in (1, 300)');
    await execute(db, "update licenses set note = 'changed' where id in (2, 301)");
    await add(451);
  });
  expect(ids).toEqual(Array.from({ length: 451 }, (_, at) => at + 1).filter((id) => id !== 300));
});

test('a page lists the domains of its licenses in the order of their binding', async () => {
  for (const id of [1, 2]) await add(id);
  await execute(
    db,
    "insert into license_domains values (2, 'z.com', 'operator', 1), (2, 'a.com', 'operator', 2)",
  );
  const { licenses: page } = await listLicenses(db, {}, { after: 0, limit: 9 }, defaultCatalog, NOW);
  expect(page.map(({ domains }) => domains)).toEqual([[], ['z.com', 'a.com']]);
});
