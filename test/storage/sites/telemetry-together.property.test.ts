import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SEVERITIES } from '../../../src/domain/severity.ts';
import { oneAfterAnother } from '../../../src/lib/one-after-another.ts';
import { prepareBatches } from '../../../src/storage/changes.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import type { Job } from '../../../src/storage/engine/jobs/jobs.ts';
import { prepare } from '../../../src/storage/engine/statement.ts';
import type { JobOutcome } from '../../../src/storage/engine/writer.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

/** One database for batched requests, and one for single requests. */
let together: Database;
let alone: Database;
beforeAll(async () => {
  [together, alone] = [await engine.open(), await engine.open()];
});
afterAll(() => Promise.all([together, alone].map(disconnect)));

const event = fc.record({
  type: fc.constantFrom('malware_found', 'attack_blocked', 'resolved', 'x'),
  severity: fc.constantFrom(...SEVERITIES),
  eventId: fc.option(fc.constantFrom('a', 'b', 'c', 'd')),
  occurredAt: fc.integer({ min: 0, max: 3 }).map((day) => day * 86_400_000),
});
const rarely = <Value>(usual: Value, rare: Value) =>
  fc.oneof({ weight: 30, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(rare) });
const request = fc.record({
  which: fc.constantFrom(0, 1),
  siteUuid: fc.option(fc.constantFrom('one', 'other')),
  pluginVersion: fc.option(fc.constantFrom('1.0', '2.0')),
  stats: fc.option(fc.record({ blocked: fc.nat() })),
  receivedAt: fc.integer({ min: 1, max: 9 }),
  events: fc.array(event, { maxLength: 4 }),
  /** A value that no request contains. */
  isPoisoned: rarely(false, true),
});
/** Volumes, some of them too small. */
const eventsOfDay = fc.constantFrom(null, 5, 10);
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

const QUIET: Request = {
  which: 0,
  receivedAt: 1,
  events: [],
  isPoisoned: false,
  siteUuid: null,
  pluginVersion: null,
  stats: null,
};
/** For a site that registers itself. */
const CLAIMING = { claim: { sitesAllowed: 2 } };

interface Circumstances {
  readonly domain?: string;
  readonly claim?: { readonly sitesAllowed: number } | null;
  readonly eventsOfDay?: number | null;
}

/** @param first the id of the first license */
const jobOf = (
  first: number,
  each: Request,
  { domain = 'known.test', claim = null, eventsOfDay = null }: Circumstances = {},
) =>
  ({
    name: 'recordTelemetry',
    input: {
      licenseId: first + each.which,
      domain,
      claim,
      receivedAt: each.receivedAt,
      unregisteredAllowed: null,
      siteUuid: each.siteUuid,
      pluginVersion: each.pluginVersion,
      stats: each.stats,
      budget: { events: eventsOfDay, bytes: null },
      events: each.events.map((one, index) => ({
        ...one,
        message: null,
        metadata: null,
        ...(each.isPoisoned && index === 0 ? { severity: null as never } : {}),
      })),
    },
  }) satisfies Job;

const KEPT = [
  `select domain, e.license_id, type, severity, occurred_at, received_at, event_id from events e join sites on sites.id = site_id
    where e.license_id between ? and ? order by e.id`,
  `select license_id, domain, first_seen_at, last_seen_at, site_uuid, plugin_version, stats from sites
    where license_id between ? and ? order by 1, 2`,
  `select d.license_id, domain, day, info, low, medium, high, critical from event_days d join sites on sites.id = site_id
    where d.license_id between ? and ? order by 1, 2, 3`,
  `select s.license_id, domain, info, low, medium, high, critical, last_event_at from site_summaries s join sites on sites.id = site_id
    where s.license_id between ? and ? order by 1, 2`,
  `select a.license_id, domain, subject, critical_at, high_at, resolved_at from alerts a join sites on sites.id = site_id
    where a.license_id between ? and ? order by 1, 2, 3`,
  `select license_id, day, events, bytes from daily_volumes where license_id between ? and ? order by 1, 2`,
  `select a.license_id, domain, last_event_id - first_event_id as more, received_at, oldest_occurred_at, newest_occurred_at from arrivals a
    join sites on sites.id = site_id where a.license_id between ? and ? order by first_event_id`,
  'select license_id, domain from license_domains where license_id between ? and ? order by 1, 2',
];
const keptOf = (db: Database, first: number) =>
  Promise.all(KEPT.map(async (sql) => prepare<object>(db, sql).all(first, first + 1)));

/** Adds two licenses, each with a known site. */
async function addLicenses(db: Database, first: number): Promise<void> {
  for (const id of [first, first + 1]) {
    await prepare(
      db,
      `insert into licenses
        (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
        values (?, ?, '', '', 'paid', 'live', 'pro', '[]', '[]', '[]', 0)`,
    ).run(id, String(id));
    await prepareBatches(db)([jobOf(id, QUIET, CLAIMING)]);
  }
}

let last = 1;

test('batched requests get the same answers and leave the same data as single ones', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 12 }),
      eventsOfDay,
      async (requests, eventsOfDay) => {
        last += 2;
        const work = requests.map((each) => jobOf(last, each, { eventsOfDay }));
        const outcomes: JobOutcome[][] = [];
        for (const db of [together, alone]) {
          await addLicenses(db, last);
          const batches = db === together ? [work] : work.map((one) => [one]);
          outcomes.push((await oneAfterAnother(batches, prepareBatches(db))).flat());
        }
        expect(outcomes[0]).toEqual(outcomes[1]);
        expect(await keptOf(together, last)).toEqual(await keptOf(alone, last));
      },
    ),
  );
});

test('requests of new sites in a batch are recorded or refused individually, each with its own answer', async () => {
  last += 2;
  await addLicenses(together, last);
  const events = ['a', 'b', 'c'].map((eventId) => ({
    type: 'x',
    severity: 'low',
    eventId,
    occurredAt: 0,
  })) as Request['events'];
  const of = (count: number, circumstances: Circumstances = {}) =>
    jobOf(last, { ...QUIET, events: events.slice(0, count) }, circumstances);
  const outcomes = await prepareBatches(together)([
    of(3, { domain: 'new.test', ...CLAIMING }),
    of(1),
    of(2, { domain: 'one-too-many.test', ...CLAIMING }),
    of(2),
    { name: 'correctLastSeen', input: { now: 5 } },
  ]);
  const receipt = (accepted: number, duplicate = 0) => ({ output: { accepted, duplicate } });
  expect(outcomes).toEqual([
    receipt(3),
    receipt(1),
    { output: expect.objectContaining({ refused: 'SITE_LIMIT_REACHED' }) },
    receipt(1, 1),
    { output: undefined },
  ]);
  const [kept = [], sites = []] = await keptOf(together, last);
  expect([kept.length, sites.filter((site) => 'domain' in site && site.domain === 'new.test')]).toEqual([
    5,
    [expect.objectContaining({ license_id: last })],
  ]);
});
