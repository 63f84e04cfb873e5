import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createIdentities } from '../../../src/domain/identity.ts';
import type { FeedEntry } from '../../../src/domain/threat/feed.ts';
import { FEED_RULINGS } from '../../../src/domain/threat/feed-ruling.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { execute } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { readFeedRulings } from '../../../src/storage/threats/feed-rulings.ts';
import { computeFeed, readFeedSnapshot } from '../../../src/storage/threats/feed-snapshots.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

const NOW = Date.UTC(2026, 10, 22);
const LICENSES = [1, 2, 3, 4];
const FINGERPRINTS = ['a', 'b', 'c', 'd', 'e', 'f'];
const identities = createIdentities(new Uint8Array(32).fill(7));

let db: Database;
let jobs: ReturnType<typeof prepareJobs>;
beforeAll(async () => {
  db = await engine.open();
  jobs = prepareJobs(db);
  for (const id of LICENSES) {
    await execute(
      db,
      `insert into licenses (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied,
        holds, created_at) values (${id}, 'h${id}', 'p', 'l', 'paid', 'live', 'pro', '[]', '[]', '[]', 0)`,
    );
  }
});
afterAll(() => disconnect(db));
const forgetAll = () =>
  execute(
    db,
    'delete from threat_reports; delete from feed_rulings; delete from feed_snapshots; delete from feed_objects',
  );
beforeEach(forgetAll);

const report = fc.record({
  fingerprint: fc.constantFrom(...FINGERPRINTS),
  licenseId: fc.constantFrom(...LICENSES),
  now: fc.nat({ max: 20 }).map((days) => NOW - days * DAY_MS),
  attackType: fc.constantFrom('xss' as const, 'csrf' as const),
});
const ruling = fc.record({
  fingerprint: fc.constantFrom(...FINGERPRINTS),
  ruling: fc.constantFrom(...FEED_RULINGS),
});
const terms = fc.record({
  minCorroboration: fc.integer({ min: 1, max: 3 }),
  entriesMax: fc.integer({ min: 1, max: 4 }),
});

test('a threat under a ruling is in no feed, others are as if it had never been reported, and restoring brings it back', async () => {
  let kept = 0;
  let movedUp = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(report, { minLength: 10, maxLength: 40 }),
      fc.array(ruling, { minLength: 1, maxLength: 4 }),
      terms,
      async (reports, rulings, bounds) => {
        const rule = { windowDays: 14, minAgeHours: 0, ...bounds };
        const feed = async (): Promise<FeedEntry[]> =>
          JSON.parse(
            (await computeFeed(db, { rule, epochSeconds: 300, now: NOW }, identities))?.entries ?? '[]',
          );
        const ruled = new Set(rulings.map(({ fingerprint }) => fingerprint));
        const record = async (only: (fingerprint: string) => boolean) => {
          await forgetAll();
          for (const each of reports) if (only(each.fingerprint)) await jobs.recordThreatReport(each);
        };
        await record((fingerprint) => !ruled.has(fingerprint));
        const withoutReports = await feed();
        await record(() => true);
        const before = await feed();
        for (const each of rulings) await jobs.ruleOnThreat({ ...each, now: NOW });
        const after = await feed();
        expect(after).toEqual(withoutReports);
        expect(after.filter(({ fingerprint }) => ruled.has(fingerprint))).toEqual([]);
        for (const fingerprint of ruled) await jobs.restoreThreat({ fingerprint });
        expect(await feed()).toEqual(before);
        const taken = before.filter(({ fingerprint }) => ruled.has(fingerprint)).length;
        kept += taken;
        movedUp += after.length - (before.length - taken);
      },
    ),
  );
  // Else nothing was tried.
  expect([kept > 0, movedUp > 0]).toEqual([true, true]);
});

test('of each threat the last ruling holds, and pages are in the order of fingerprints', async () => {
  const { find, page, count } = readFeedRulings(db);
  for (const [at, fingerprint] of ['c', 'a', 'b', 'a'].entries()) {
    await jobs.ruleOnThreat({ fingerprint, ruling: at < 3 ? 'withdrawn' : 'allowed', now: at });
  }
  const [a, b, c] = [
    { fingerprint: 'a', ruling: 'allowed', ruledAt: 3 },
    { fingerprint: 'b', ruling: 'withdrawn', ruledAt: 2 },
    { fingerprint: 'c', ruling: 'withdrawn', ruledAt: 0 },
  ] as const;
  expect(await Promise.all([find('a'), find('d'), count()])).toEqual([a, undefined, 3]);
  expect(await page({ limit: 2 })).toEqual([a, b]);
  expect(await page({ after: 'b', limit: 2 })).toEqual([c]);
  await jobs.restoreThreat({ fingerprint: 'b' });
  expect([await page({ limit: 9 }), await count()]).toEqual([[a, c], 2]);
});

const entriesOf = (fingerprint: string) =>
  JSON.stringify([{ fingerprint, attack_type: 'xss', severity: 'high', corroboration_count: 3 }]);

test.each([
  ['begun before that of the same epoch is dropped', { epoch: 8, generatedAt: 19 }, false],
  ['begun before that of a later epoch is dropped', { epoch: 7, generatedAt: 19 }, false],
  ['begun after that of the same epoch is published', { epoch: 8, generatedAt: 21 }, true],
  ['of a later epoch is published, also when the clock was set back', { epoch: 9, generatedAt: 1 }, true],
])('no feed is replaced by one that may have missed a ruling: one %s', async (_, facts, published) => {
  const present = { epoch: 8, generatedAt: 20, entries: entriesOf('present'), own: null };
  const other = { ...facts, entries: entriesOf('other'), own: null };
  await jobs.publishFeed(present);
  await jobs.publishFeed(other);
  expect(await readFeedSnapshot(db)).toEqual(published ? other : present);
});
