import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { indicatorUuid } from '../../../src/domain/threat/stix.ts';
import { COLLECTION_NAMES } from '../../../src/domain/threat/taxii.ts';
import { DAY_MS, iso } from '../../../src/lib/clock.ts';
import { filtersOf, OBJECTS_QUERY } from '../../../src/routes/taxii/filters.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { execute } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { readFeedObjects, WITHDRAWN_DAYS } from '../../../src/storage/threats/feed-objects.ts';
import { createTaxiiPages } from '../../../src/tasks/taxii-pages.ts';
import { engineOf } from '../../support/engines.ts';
import { HABITS, TaxiiReader } from '../../support/taxii.ts';

const engine = engineOf(import.meta);

const NOW = Date.UTC(2026, 10, 30);
const NAMES = Array.from({ length: 12 }, (_, at) => `threat-${at}`);

let db: Database;
let jobs: ReturnType<typeof prepareJobs>;
beforeAll(async () => {
  db = await engine.open();
  jobs = prepareJobs(db);
});
afterAll(() => disconnect(db));

/** A feed by the counts of its threats. */
type Counts = ReadonlyMap<string, number>;

let generation = 0;
const publish = async (epoch: number, counts: Counts, generatedAt: number) => {
  const entries = Array.from(counts, ([fingerprint, corroboration_count]) => ({
    fingerprint,
    attack_type: 'xss',
    severity: 'high',
    corroboration_count,
  }));
  await jobs.publishFeed({ epoch, generatedAt, entries: JSON.stringify(entries), own: null });
  generation++;
};
const empty = () => execute(db, 'delete from feed_snapshots; delete from feed_objects');

/** What a client asks, without HTTP. */
const asking = (collection: (typeof COLLECTION_NAMES)[number]) => {
  const pages = createTaxiiPages({ generation: () => generation, read: readFeedObjects(db) });
  return async (query: string) => {
    const filters = filtersOf(OBJECTS_QUERY.read(new Request(`http://x/${query}`)));
    const { identity } = await pages.page({ listedAs: 'objects', collection, ...filters });
    return { headers: identity.headers.whole, json: JSON.parse(await identity.body.text()) };
  };
};

const counts: fc.Arbitrary<Counts> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), fc.integer({ min: 3, max: 4 })), {
    selector: ([name]) => name,
  })
  .map((pairs) => new Map(pairs));

test.each([...HABITS])(
  'a client that asks with %s gets every version once while threats are published and withdrawn',
  async (habit) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(counts, { minLength: 2, maxLength: 8 }),
        fc.integer({ min: 1, max: 5 }),
        // A clock may be set back, and two epochs may begin in one millisecond.
        fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 8, maxLength: 8 }),
        async (feeds, limit, steps) => {
          await empty();
          let epoch = 0;
          const published = async () => {
            const feed = feeds[epoch];
            if (feed === undefined) return;
            await publish(epoch, feed, NOW + (steps[epoch] ?? 0));
            epoch++;
          };
          const readers = COLLECTION_NAMES.map((name) => new TaxiiReader(asking(name), habit, limit));
          while (epoch < feeds.length) for (const reader of readers) await reader.read(published);
          for (const reader of readers) await reader.read();

          for (const [at, { seen }] of readers.entries()) {
            expect(new Set(seen).size).toBe(seen.length);
            const present = await readFeedObjects(db)({ isWithdrawn: at === 1 });
            const versions = present.map(({ uuid, modifiedAt }) => `indicator--${uuid} ${iso(modifiedAt)}`);
            expect(versions.filter((version) => !seen.includes(version))).toEqual([]);
          }
          const last = [...(feeds.at(-1)?.keys() ?? [])].map(indicatorUuid);
          const current = (await readFeedObjects(db)({ isWithdrawn: false })).map(({ uuid }) => uuid);
          expect(current.toSorted()).toEqual(last.toSorted());
        },
      ),
      { numRuns: engine.runs(40) },
    );
  },
  60_000,
);

test('an object keeps its creation, and each version is later than the one before, in another collection when it is withdrawn', async () => {
  await empty();
  const feeds = [['a', 3], ['a', 4], undefined, ['a', 4]] as const;
  let last = { createdAt: NOW, modifiedAt: 0, dateAdded: 0, isWithdrawn: false };
  for (const [epoch, feed] of feeds.entries()) {
    await publish(epoch, new Map(feed ? [feed] : []), NOW);
    const [object = last, ...others] = await readFeedObjects(db)({});
    expect([others, object.createdAt, object.isWithdrawn]).toEqual([[], NOW, feed === undefined]);
    expect(object.modifiedAt).toBeGreaterThan(last.modifiedAt);
    expect(object.dateAdded).toBeGreaterThan(last.dateAdded);
    last = object;
  }
});

test('a withdrawn threat is forgotten after half a year, and no other is', async () => {
  await empty();
  await publish(
    1,
    new Map([
      ['a', 3],
      ['b', 3],
    ]),
    NOW,
  );
  await publish(2, new Map([['a', 3]]), NOW);
  const at = async (now: number) => {
    await jobs.forgetWithdrawnThreats({ withdrawnBefore: now - WITHDRAWN_DAYS * DAY_MS });
    return (await readFeedObjects(db)({})).map(({ fingerprint }) => fingerprint);
  };
  expect(await at(NOW + WITHDRAWN_DAYS * DAY_MS)).toEqual(['a', 'b']);
  expect(await at(NOW + WITHDRAWN_DAYS * DAY_MS + 2)).toEqual(['a']);
});
