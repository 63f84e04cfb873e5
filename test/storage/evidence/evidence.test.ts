import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Author } from '../../../src/domain/admin/author.ts';
import { ENTRY_BYTES_MAX, type EvidenceFact } from '../../../src/domain/evidence/entry.ts';
import { leafHash } from '../../../src/domain/evidence/merkle.ts';
import { DAY_MS, HOUR_MS, iso } from '../../../src/lib/clock.ts';
import { prepareBatches } from '../../../src/storage/changes.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import type { Jobs } from '../../../src/storage/engine/jobs/jobs.ts';
import { execute, prepare } from '../../../src/storage/engine/statement.ts';
import { type EvidenceLog, readEvidence } from '../../../src/storage/evidence/evidence.ts';
import { evidenceEntries } from '../../../src/storage/evidence/evidence-entries.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';
import { logOf } from '../../support/evidence.ts';

const engine = engineOf(import.meta);

const NOW = Date.UTC(2026, 10, 23);
const SITE = 'a site';

let db: Database;
let jobs: Jobs;
let reads: ReturnType<typeof readEvidence>;
let keep: (fact?: Partial<EvidenceFact>, licenseId?: number) => Promise<unknown>;
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
  await execute(
    db,
    `insert into site_summaries (license_id, site_id, public_id, info, low, medium, high, critical)
      values (1, 1, '${SITE}', 0, 0, 0, 0, 0)`,
  );
  jobs = prepareJobs(db);
  reads = readEvidence(db);
  const { keepEvidence } = evidenceEntries(db);
  keep = (fact = {}, licenseId = 1) =>
    keepEvidence({ licenseId, type: 'day', at: NOW, siteId: null, data: {}, ...fact });
});
afterEach(() => disconnect(db));

const logOfLicense = async (licenseId = 1) => (await reads.current(licenseId)) as EvidenceLog;
/** The entries of a license's log, as JSON. */
const entriesOf = async (licenseId = 1) => {
  const log = await reads.current(licenseId);
  const entries = log === undefined ? [] : await reads.entries(log.id, 0, log.size);
  return entries.map(({ entry }) => JSON.parse(entry ?? 'null'));
};
const typesTold = async (licenseId = 1) => (await entriesOf(licenseId)).map(({ type }) => type);

describe('the log of a license', () => {
  test('returns the roots and proofs of the whole tree at every size', async () => {
    const sizes = 70;
    for (let index = 0; index < sizes; index++) await keep({ data: { index } });
    const log = await logOfLicense();
    const texts = (await reads.entries(log.id, 0, sizes)).map(({ entry }) => Buffer.from(entry ?? ''));
    const tree = logOf(texts);
    for (let size = 1; size <= sizes; size++) {
      expect(await reads.rootOf(log.id, size)).toEqual(tree.root(size));
      const inclusion = Array.from({ length: size }, (_, index) => tree.inclusion(index, size));
      expect(await reads.inclusionProofs(log.id, [...inclusion.keys()], size)).toEqual(inclusion);
      expect(await reads.inclusionProof(log.id, size - 1, size)).toEqual(inclusion.at(-1) as Buffer[]);
      expect(await reads.consistencyProof(log.id, size, sizes)).toEqual(tree.consistency(size, sizes));
    }
  });

  test('stores the exact text that was hashed, each with its own nonce', async () => {
    await keep({ data: { word: 'Größe "x" 😀' } });
    await keep({ data: { word: 'Größe "x" 😀' } });
    const { id } = await logOfLicense();
    const entries = await reads.entries(id, 0, 2);
    for (const { entry, hash } of entries) {
      expect(hash).toBe(leafHash(Buffer.from(entry ?? '')).toString('base64url'));
      expect(JSON.parse(entry ?? '')).toEqual({
        v: 1,
        type: 'day',
        at: iso(NOW),
        nonce: expect.stringMatching(/^[\w-]{22}$/),
        site_id: null,
        data: { word: 'Größe "x" 😀' },
      });
    }
    expect(entries[0]?.hash).not.toBe(entries[1]?.hash);
  });

  test('reveals no entries, sizes or names of another log', async () => {
    await keep();
    await keep({}, 2);
    await keep({}, 2);
    const [one, other] = [await logOfLicense(1), await logOfLicense(2)];
    expect([one.size, other.size]).toEqual([1, 2]);
    expect(one.publicId).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(one.publicId).not.toBe(other.publicId);
  });

  test('refuses an entry that is too long, together with its fact', () => {
    return expect(keep({ data: { text: 'x'.repeat(ENTRY_BYTES_MAX) } })).rejects.toThrow(
      'an entry of evidence has at most',
    );
  });

  test('drops an entry when its fact is rolled back', async () => {
    const write = prepareBatches(db);
    const change = {
      name: 'vouchForDomain',
      input: { licenseId: 1, domain: 'shop.test', now: NOW },
    } as const;
    await write([change]);
    const { size } = await logOfLicense();
    // The log's row changes last.
    await execute(
      db,
      `alter table evidence_logs add column late integer check (late is null and size <= ${size})`,
    );
    await write([{ ...change, input: { ...change.input, domain: 'other.test' } }]);
    await execute(db, 'alter table evidence_logs drop column late');
    expect((await logOfLicense()).size).toBe(size);
    const kept = await prepare<object>(db, 'select count(*) as count from domain_controls').get();
    expect(kept).toEqual({ count: 1 });
    expect(await reads.rootOf(1, size)).toHaveLength(32);
  });

  test('deletes old texts and proves the remaining ones as before', async () => {
    for (let day = 0; day < 10; day++) await keep({ at: NOW + day * DAY_MS });
    const before = await reads.rootOf(1, 10);
    while ((await jobs.forgetEvidence({ before: NOW + 4 * DAY_MS })) > 0);
    const entries = await reads.entries(1, 0, 10);
    expect(entries.map(({ entry }) => entry === null)).toEqual(
      Array.from({ length: 10 }, (_, day) => day < 4),
    );
    expect((await logOfLicense()).keptFrom).toBe(4);
    expect(await reads.rootOf(1, 10)).toEqual(before);
    while ((await jobs.forgetEvidence({ before: NOW + 40 * DAY_MS })) > 0);
    expect((await logOfLicense()).keptFrom).toBe(10);
    await keep({ at: NOW + 50 * DAY_MS });
    expect(await logOfLicense()).toMatchObject({ keptFrom: 10, size: 11 });
    while ((await jobs.forgetEvidence({ before: NOW + 51 * DAY_MS })) > 0);
    expect((await logOfLicense()).keptFrom).toBe(11);
  });

  test('finds all entries of a period, also next to those of a wrong clock', async () => {
    const wrong = new Map([
      [100, 9_999 * DAY_MS],
      [150, -9_999 * DAY_MS],
    ]);
    for (let hour = 0; hour < 200; hour++) await keep({ at: NOW + hour * HOUR_MS + (wrong.get(hour) ?? 0) });
    const { id } = await logOfLicense();
    const found = (since: number, until: number) =>
      reads.matching({ logId: id, from: 0, to: 200, type: 'day', site: null, since, until, limit: 1_000 });
    const hours = Array.from({ length: 200 }, (_, hour) => hour).filter((hour) => !wrong.has(hour));
    expect(await found(NOW, NOW + 200 * HOUR_MS)).toEqual(hours);
    expect(await found(NOW + 90 * HOUR_MS, NOW + 160 * HOUR_MS)).toEqual(hours.slice(90, 158));
    expect(await found(NOW + 300 * DAY_MS, Number.MAX_SAFE_INTEGER)).toEqual([100]);
  });

  test('deletes entries that follow one of a clock that ran ahead', async () => {
    for (let day = 0; day < 10; day++)
      await keep({ at: NOW + day * DAY_MS + (day === 4 ? 9_999 * DAY_MS : 0) });
    for (const days of [3, 5, 7]) while ((await jobs.forgetEvidence({ before: NOW + days * DAY_MS })) > 0);
    expect((await logOfLicense()).keptFrom).toBe(7);
  });
});

describe('an entry', () => {
  const author: Author = { actor: 'cli:root', reason: 'a secret reason' };
  const audit = (action: string, after: Record<string, unknown> = {}) =>
    jobs.audit({ at: NOW, ...author, action, subject: 'lic_1', after });

  test('about a license has its terms, without its customer or the reason of a change', async () => {
    await execute(
      db,
      `update licenses set customer = 'Secret Ltd', email = 'a@secret.example', note = 'secret' where id = 1`,
    );
    await audit('license.suspend', { holds: ['operator'] });
    expect(JSON.stringify(await entriesOf())).not.toContain('ecret');
    expect(await entriesOf()).toMatchObject([
      {
        type: 'license_changed',
        data: { change: 'suspend', kind: 'paid', plan: 'pro', held: false, revoked: false, domains: 0 },
      },
    ]);
  });

  test('about a license omits what only the operator sees', async () => {
    await audit('license.reveal');
    await audit('license.change', { customer: 'Secret Ltd' });
    expect(await entriesOf()).toEqual([]);
    await audit('license.change', { plan: 'pro' });
    expect(await typesTold()).toEqual(['license_changed']);
  });

  test('of a change is added once, also where jobs were prepared twice on one connection', async () => {
    prepareJobs(db);
    await audit('license.suspend', { holds: ['operator'] });
    expect(await typesTold()).toEqual(['license_changed']);
  });

  test('about a trial is added only when the trial is confirmed', async () => {
    await execute(db, 'update licenses set pending_until = 1 where id = 1');
    await audit('license.issue');
    expect(await entriesOf()).toEqual([]);
    await execute(db, 'update licenses set pending_until = null where id = 1');
    await audit('trial.confirm');
    expect(await entriesOf()).toMatchObject([{ data: { change: 'confirm' } }]);
  });

  test('about a domain covers the first proof of each method, not every check', async () => {
    await jobs.bindDomain({ licenseId: 1, domain: 'shop.test', now: NOW });
    const check = (at: number, problem: 'not_found' | null) =>
      jobs.recordControlCheck({
        licenseId: 1,
        domain: 'shop.test',
        result: { method: 'http', problem, checkedAt: at },
      });
    await check(NOW, 'not_found');
    expect(await entriesOf()).toEqual([]);
    for (let day = 0; day < 3; day++) await check(NOW + day * DAY_MS, null);
    await jobs.vouchForDomain({ licenseId: 1, domain: 'shop.test', now: NOW + 3 * DAY_MS });
    expect(await entriesOf()).toMatchObject([
      { type: 'domain_verified', site_id: SITE, data: { domain: 'shop.test', method: 'http' } },
      { type: 'domain_verified', data: { method: 'operator' } },
    ]);
  });

  test('about components has their number and a hash, at most once an hour', async () => {
    const component = (version: string) => ({
      ecosystem: 'npm',
      name: 'secret-name',
      nameHash: 'hash',
      version,
      status: 'active' as const,
      since: NOW,
      activeSince: NOW,
      firstSeen: {},
    });
    const report = (receivedAt: number, ...versions: string[]) =>
      jobs.replaceInventory({
        licenseId: 1,
        siteId: 1,
        receivedAt,
        gone: [],
        components: versions.map(component),
      });
    await report(NOW, '1');
    await report(NOW + 2 * HOUR_MS, '1');
    expect(await entriesOf()).toMatchObject([{ type: 'components', site_id: SITE, data: { count: 1 } }]);
    await report(NOW + 3 * HOUR_MS, '1', '2');
    await report(NOW + 4 * HOUR_MS - 1, '3');
    expect(await typesTold()).toHaveLength(2);
    await report(NOW + 4 * HOUR_MS, '3');
    await report(NOW + 5 * HOUR_MS);
    const all = await entriesOf();
    expect(all.map(({ data }) => data.count)).toEqual([1, 2, 1, 0]);
    expect(JSON.stringify(all)).not.toContain('secret-name');
  });

  test('for a new UTC day is added once', async () => {
    for (const now of [NOW, NOW + HOUR_MS, NOW + DAY_MS]) await jobs.keepDay({ licenseId: 1, now });
    expect((await entriesOf()).map(({ data }) => data.day)).toEqual(['2026-11-23', '2026-11-24']);
  });
});
