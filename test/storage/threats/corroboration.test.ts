import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createIdentities } from '../../../src/domain/identity.ts';
import type { AttackType } from '../../../src/domain/threat/attack-type.ts';
import type { CorroborationRule } from '../../../src/domain/threat/corroboration.ts';
import { type FeedEntry, ownEntries } from '../../../src/domain/threat/feed.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/clock.ts';
import { oneAfterAnother } from '../../../src/lib/one-after-another.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { execute, prepare } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { computeFeed } from '../../../src/storage/threats/feed-snapshots.ts';
import { type FeedTrust, readFeedTrusts } from '../../../src/storage/threats/feed-trusts.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

const NOW = Date.UTC(2026, 10, 22);
const RULE: CorroborationRule = { minCorroboration: 3, windowDays: 14, minAgeHours: 0, entriesMax: 1_000 };
const identities = createIdentities(new Uint8Array(32).fill(7));

/** The owner data of a license, in the four places where it is stored. */
interface Owner {
  readonly customer?: string | null;
  readonly email?: string | null;
  readonly trialEmail?: string;
  readonly trialPayer?: string;
  readonly payers?: readonly string[];
  readonly payerEmail?: string;
}

let db: Database;
let issued: number;
let jobs: ReturnType<typeof prepareJobs>;
beforeEach(async () => {
  db = await engine.open();
  jobs = prepareJobs(db);
  issued = 0;
});
afterEach(() => disconnect(db));

const exec = (sql: string, ...params: (string | number | null)[]) => prepare(db, sql).run(...params);

async function issue(
  { customer = null, email = null, trialEmail, trialPayer, payers = [], payerEmail }: Owner = {},
  facts: object = {},
): Promise<number> {
  issued += 1;
  const key = { keyHash: `k${issued}`, keyPrefix: '', keyLast4: '' };
  const terms = { kind: 'paid', environment: 'live', plan: 'starter', sitesOverride: null } as const;
  const more = { modulesAllowed: [], modulesDenied: [], note: null, expiresAt: null, domains: [] };
  const issuing = { createdAt: 0, issuedBy: { actor: 'system' }, customer, email } as const;
  const id = await jobs.issueLicense({ ...key, ...terms, ...more, ...issuing, ...facts });
  if (trialEmail !== undefined || trialPayer !== undefined) {
    await exec(
      `insert into trials (id, license_id, domain, install_hash, email_hash, email_slot, reserved_until, customer_id)
        values (:id, :id, :id, :id, ?, :id, 0, ?)`.replaceAll(':id', String(id)),
      identities.emailHash(trialEmail ?? `${id}@trial.com`),
      trialPayer ?? null,
    );
  }
  for (const [index, payer] of payers.entries()) {
    await exec(
      "insert into subscriptions (id, license_id, customer_id, status, created_at) values (?, ?, ?, 'paid', 0)",
      `${id}-${index}`,
      id,
      payer,
    );
  }
  if (payerEmail !== undefined) {
    const hash = identities.emailHash(payerEmail);
    await exec('update subscriptions set payer_email_hash = ? where license_id = ?', hash, id);
  }
  return id;
}

const report = async (fingerprint: string, licenseIds: readonly number[], now = NOW) => {
  for (const licenseId of licenseIds)
    await jobs.recordThreatReport({ fingerprint, attackType: 'xss', licenseId, now });
};
/** Issues a license to each. */
const issueTo = (owners: readonly Owner[]) => oneAfterAnother(owners, (owner) => issue(owner));

/** The feed for publication, without its predecessor. */
async function feed(rule: Partial<CorroborationRule> = {}): Promise<FeedEntry[]> {
  const terms = { rule: { ...RULE, ...rule }, epochSeconds: 300, now: NOW };
  return JSON.parse((await computeFeed(db, terms, identities))?.entries ?? '[]');
}
const counted = async (rule: Partial<CorroborationRule> = {}) =>
  (await feed({ minCorroboration: 1, ...rule })).map((entry) => entry.corroboration_count);

test('reports count within the window, one per license', async () => {
  const [one, two, three] = [await issue(), await issue(), await issue()];
  await report('f', [one], NOW - 2 * DAY_MS);
  await report('f', [one, two], NOW - DAY_MS);
  await report('f', [three], NOW - 22 * DAY_MS);
  expect(await counted({ minCorroboration: 2 })).toEqual([2]);
  expect(await counted({ minCorroboration: 3 })).toEqual([]);
  expect(await counted({ minCorroboration: 3, windowDays: 30 })).toEqual([3]);
});

describe('a buyer of any number of licenses cannot add an entry alone', () => {
  /** Ways to connect each of a buyer's licenses to the previous one. */
  const TIES: readonly ((link: string) => [Owner, Owner])[] = [
    (link) => [{ customer: link }, { customer: link.toUpperCase() }],
    (link) => [{ email: `${link}+a@x.com` }, { email: `${link}@X.com` }],
    (link) => [{ email: `${link}@x.com` }, { trialEmail: `${link}@x.com` }],
    (link) => [{ trialEmail: `${link}@x.com` }, { trialEmail: `${link}@x.com` }],
    (link) => [{ payers: [link] }, { payers: [link] }],
    (link) => [{ trialPayer: link }, { payers: [link] }],
    (link) => [
      { payers: [`${link} 1`], payerEmail: `${link}@x.com` },
      { payers: [`${link} 2`], payerEmail: `${link}@x.com` },
    ],
    (link) => [{ trialEmail: `${link}@x.com` }, { payers: [link], payerEmail: `${link}@x.com` }],
  ];

  test.each([
    ['one Stripe customer', { payers: ['cus_1'] }],
    ['one mailbox', { email: 'owner@example.com' }],
    ['one mailbox of trials', { trialEmail: 'owner@example.com' }],
    ['one customer set by the operator', { customer: 'Example Ltd' }],
  ])('with %s', async (_, owner) => {
    const licenses = await issueTo(Array(200).fill(owner));
    await report('f', licenses);
    expect([await feed({ minCorroboration: 2 }), await counted()]).toEqual([[], [1]]);
    await report('f', [await issue(), await issue()]);
    expect(await counted()).toEqual([3]);
  });

  test('with any connection between consecutive licenses, in any order', async () => {
    let buyers = 0;
    const tie = fc.record({ kind: fc.constantFrom(...TIES), order: fc.nat() });
    await fc.assert(
      fc.asyncProperty(fc.array(tie, { minLength: 1, maxLength: 12 }), async (ties) => {
        const buyer = `buyer${++buyers}`;
        const owned: { owner: Owner; order: number }[] = [{ owner: {}, order: 0 }];
        for (const [index, { kind, order }] of ties.entries()) {
          const [one, next] = kind(`${buyer}-${index}`);
          const last = owned.pop() as (typeof owned)[number];
          const taken = Object.keys(one).some((field) => field in last.owner);
          owned.push(taken ? last : { ...last, owner: { ...last.owner, ...one } });
          if (!taken) owned.push({ owner: next, order });
        }
        const inOrder = owned.toSorted((a, b) => a.order - b.order);
        const licenses = await issueTo(inOrder.map(({ owner }) => owner));
        await report(buyer, licenses);
        const entry = (await feed({ minCorroboration: 1 })).find(({ fingerprint }) => fingerprint === buyer);
        expect(entry?.corroboration_count).toBe(1);
      }),
    );
  });
});

test('a license that no longer counts still connects others; a trial and a test license connect none', async () => {
  const tied = [{ customer: 'one' }, { customer: 'one', payers: ['two'] }, { payers: ['two'] }];
  const between = { suspended: {}, trial: { kind: 'trial' }, test: { environment: 'test' } };
  for (const [fingerprint, facts] of Object.entries(between)) {
    const named = tied.map(({ customer, payers }) => ({
      ...(customer ? { customer: `${customer} ${fingerprint}` } : {}),
      ...(payers ? { payers: payers.map((payer) => `${payer} ${fingerprint}`) } : {}),
    }));
    const ids = await oneAfterAnother(named, (owner, index) => issue(owner, index === 1 ? facts : {}));
    if (fingerprint === 'suspended')
      await exec('update licenses set holds = \'["operator"]\' where id = ?', ids[1] ?? 0);
    await report(fingerprint, ids);
  }
  const found = await feed({ minCorroboration: 1 });
  const counts = found.map((entry) => [entry.fingerprint, entry.corroboration_count]);
  expect(Object.fromEntries(counts)).toEqual({ suspended: 1, trial: 2, test: 2 });
});

test('a license counts from its minimum age on, by its oldest and its newest site', async () => {
  const heardOf = async (firstHours: number, lastHours: number) => {
    const id = await issue();
    for (const [domain, hours] of [
      ['first.com', firstHours],
      ['last.com', lastHours],
    ] as const) {
      const at = NOW - hours * HOUR_MS;
      await exec(
        'insert into sites (license_id, domain, first_seen_at, last_seen_at) values (?, ?, ?, ?)',
        id,
        domain,
        at,
        at,
      );
    }
    return id;
  };
  await report('f', [
    await issue(),
    await heardOf(23, 1),
    await heardOf(48, 25),
    await heardOf(24, 1),
    await heardOf(48, 23),
  ]);
  expect([await counted({ minAgeHours: 24 }), await counted({ minAgeHours: 23 }), await counted()]).toEqual([
    [2],
    [3],
    [5],
  ]);
});

test('of too many threats the most corroborated are published, then the most recent, then by fingerprint', async () => {
  const [one, two, three] = [await issue(), await issue(), await issue()];
  const trial = await issue({}, { kind: 'trial' });
  await report('b-three-long-ago', [one, two, three], NOW - 5 * DAY_MS);
  await report('c-two-old', [one, two], NOW - 3 * DAY_MS);
  await report('a-two-new', [one, two], NOW - DAY_MS);
  await report('d-one', [one], NOW);
  // A report that does not count makes nothing newer.
  await report('c-two-old', [trial], NOW);
  const published = async (entriesMax: number) =>
    (await feed({ minCorroboration: 1, entriesMax })).map(({ fingerprint }) => fingerprint);
  expect(await published(1)).toEqual(['b-three-long-ago']);
  expect(await published(2)).toEqual(['a-two-new', 'b-three-long-ago']);
  expect(await published(3)).toEqual(['a-two-new', 'b-three-long-ago', 'c-two-old']);
  expect(await published(9)).toEqual(['a-two-new', 'b-three-long-ago', 'c-two-old', 'd-one']);
});

test('an attack has the type of its newest report', async () => {
  const [one, two] = [await issue(), await issue()];
  const named = (licenseId: number, attackType: AttackType, now: number) =>
    jobs.recordThreatReport({ fingerprint: 'f', attackType, licenseId, now });
  await named(one, 'xss', NOW - 1);
  await named(two, 'other', NOW - 2);
  expect((await feed({ minCorroboration: 1 }))[0]?.attack_type).toBe('xss');
  await named(one, 'csrf', NOW);
  expect((await feed({ minCorroboration: 1 }))[0]?.attack_type).toBe('csrf');
});

test('reports by thousands of licenses are each counted once', async () => {
  await execute(
    db,
    `insert into licenses (key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
      with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 2500)
      select 'k' || i, '', '', 'paid', 'live', 'starter', '[]', '[]', '[]', 0 from numbers;
    insert into threat_reports (fingerprint, license_id, attack_type, first_reported_at, last_reported_at)
      select 'f', id, 'xss', ${NOW}, ${NOW} from licenses`,
  );
  expect(await counted()).toEqual([2_500]);
});

describe('a trusted installation', () => {
  /** Trusts an installation and imports its entries. */
  async function trust(
    name: string,
    weight: number,
    fingerprints: readonly string[],
    expiresAt = NOW + DAY_MS,
  ): Promise<number> {
    await jobs.addFeedTrust({ name, key: name, weight, now: NOW });
    const { id } = (await readFeedTrusts(db)).find((each) => each.name === name) as FeedTrust;
    const threats = fingerprints.map((fingerprint) => ({ fingerprint, attackType: 'xss' as const }));
    await jobs.importFeed({ trustId: id, serial: 1, expiresAt, threats, now: NOW });
    return id;
  }
  const shown = async (rule: Partial<CorroborationRule> = {}) =>
    (await feed(rule)).map(({ fingerprint, corroboration_count }) => [fingerprint, corroboration_count]);
  const terms = { rule: RULE, epochSeconds: 300, now: NOW };
  const own = async () => {
    const snapshot = await computeFeed(db, terms, identities);
    return snapshot && ownEntries(snapshot).map((entry) => [entry.fingerprint, entry.corroboration_count]);
  };

  test('counts as the number of customers in its weight, for its latest entries, until they expire', async () => {
    const licenses = await issueTo([{}, {}, {}]);
    await report('two', licenses.slice(1));
    await report('three', licenses);
    const north = await trust('north', 1, ['two', 'three', 'none']);
    expect(await shown()).toEqual([
      ['three', 4],
      ['two', 3],
    ]);
    await trust('south', 2, ['none']);
    await trust('gone', 100, ['two', 'old'], NOW);
    expect(await shown()).toEqual([
      ['none', 3],
      ['three', 4],
      ['two', 3],
    ]);
    const later = { trustId: north, installation: 'north', expiresAt: NOW + DAY_MS, now: NOW };
    await jobs.importFeed({ ...later, serial: 2, threats: [{ fingerprint: 'three', attackType: 'xss' }] });
    expect(await shown()).toEqual([['three', 4]]);
    await jobs.removeFeedTrust({ id: north });
    expect(await shown()).toEqual([['three', 3]]);
  });

  test('does not bring back entries that the operator removed, and its entries are limited by its weight', async () => {
    await trust('north', 3, ['a', 'b']);
    await trust('south', 1, ['b']);
    await jobs.ruleOnThreat({ fingerprint: 'a', ruling: 'allowed', now: NOW });
    expect(await shown({ minCorroboration: 1 })).toEqual([['b', 4]]);
    await jobs.restoreThreat({ fingerprint: 'a' });
    expect(await shown({ minCorroboration: 1, entriesMax: 1 })).toEqual([['b', 4]]);
  });

  test('takes no place of entries that customers alone confirm, with any weight', async () => {
    await report('three', await issueTo([{}, {}, {}]));
    await trust('north', 100, ['one', 'two']);
    expect(await shown({ entriesMax: 1 })).toEqual([['three', 3]]);
    expect((await shown({ entriesMax: 2 })).map(([fingerprint]) => fingerprint)).toContain('three');
  });

  test("does not get its own or another installation's entries back", async () => {
    const licenses = await issueTo([{}, {}, {}]);
    await report('two', licenses.slice(1));
    await report('three', licenses);
    await trust('north', 5, ['two', 'three', 'none']);
    expect((await shown()).length).toBe(3);
    expect(await own()).toEqual([['three', 3]]);
    // No data of this installation changed when trust ended, and still another feed is served.
    const before = await computeFeed(db, terms, identities);
    if (before) await jobs.publishFeed(before);
    expect(await computeFeed(db, terms, identities)).toBeUndefined();
    for (const { id } of await readFeedTrusts(db)) await jobs.removeFeedTrust({ id });
    const after = await computeFeed(db, terms, identities);
    expect([after?.own, after?.entries]).toEqual([null, before?.own ?? '']);
  });

  test('never counts more than its weight, in any combination with customers and other installations', async () => {
    const customers = await issueTo(Array(4).fill({}));
    const said = fc.record({
      reports: fc.uniqueArray(fc.nat(3)),
      trusts: fc.array(fc.record({ weight: fc.integer({ min: 1, max: 4 }), isOver: fc.boolean() }), {
        maxLength: 3,
      }),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        said,
        fc.integer({ min: 1, max: 6 }),
        async ({ reports, trusts }, minCorroboration) => {
          const fingerprint = `f${++runs}`;
          await report(
            fingerprint,
            reports.map((at) => customers[at] as number),
          );
          for (const [at, { weight, isOver }] of trusts.entries())
            await trust(`${fingerprint}-${at}`, weight, [fingerprint], isOver ? NOW : NOW + 1);
          const voices = trusts.reduce(
            (sum, { weight, isOver }) => sum + (isOver ? 0 : weight),
            reports.length,
          );
          const entry = (await feed({ minCorroboration })).find((each) => each.fingerprint === fingerprint);
          expect(entry?.corroboration_count).toBe(voices >= minCorroboration ? voices : (undefined as never));
        },
      ),
      { numRuns: engine.runs(40) },
    );
  });
});
