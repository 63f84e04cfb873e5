import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { hash, randomUUID } from 'node:crypto';
import { STATUS_LIST_SIZE } from '../../../src/domain/credential/status-list.ts';
import { isRefusal } from '../../../src/domain/refusal.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import {
  type Credential,
  readCredentials,
  type SignedCredential,
} from '../../../src/storage/credentials/credentials.ts';
import { readStatusLists } from '../../../src/storage/credentials/status-lists.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import type { Jobs } from '../../../src/storage/engine/jobs/jobs.ts';
import { execute, prepare } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

const DOMAIN = 'shop.com';
const ISSUER = 'https://redoubt.example';

let db: Database;
let jobs: Jobs;
let listId: number;
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
  jobs = prepareJobs(db);
  for (const kid of ['k1', 'k2'])
    await exec(`insert into credential_keys values ('${kid}', '{}', 0, 0, null)`);
  for (const licenseId of [1, 2]) await jobs.bindDomain({ licenseId, domain: DOMAIN, now: 1 });
  listId = await jobs.openStatusList({ issuer: ISSUER, now: 1 });
});
afterEach(() => disconnect(db));

const exec = (sql: string) => execute(db, sql);
const all = async (sql: string) =>
  (await prepare<Record<string, unknown>>(db, sql).all()).map((row) => ({ ...row }));
let place = 0;
const wanted = (more: Partial<SignedCredential> = {}): SignedCredential => ({
  publicId: randomUUID(),
  licenseId: 1,
  type: 'site_posture',
  domain: DOMAIN,
  basis: '7',
  issuer: ISSUER,
  kid: 'k1',
  listId,
  listIndex: place++,
  token: 'a.b.c',
  issuedAt: 1_000,
  expiresAt: 1_000 + DAY_MS,
  dailyCap: 100,
  now: 1_500,
  ...more,
});
const ofLicense = (more: Partial<SignedCredential> = {}) =>
  wanted({ type: 'license', domain: null, basis: '1970-01-01', ...more });
const issue = async (signed: SignedCredential) => (await jobs.issueCredential(signed)) as Credential;
const entries = async (type: string) => {
  const found = await all(
    `select entry from evidence_entries where type = '${type}' order by log_id, position`,
  );
  return found.map(({ entry }) => JSON.parse(String(entry)));
};
const facts = () => all('select revoked_at as at, revocation_reason as reason from credentials order by id');
const counts = async () =>
  (
    await all(`select (select count(*) from credentials) as kept,
      (select cast(sum(taken) as integer) from status_lists) as taken,
      (select count(*) from evidence_entries) as entries,
      (select cast(coalesce(sum(accepted), 0) as integer) from daily_usage) as used`)
  )[0];

describe('issuing', () => {
  test('stores the credential, counts its place, and adds an entry to the license’s log', async () => {
    await exec(
      "update sites set domain = 'shop.com'; insert into site_summaries values (1, 1, 'pub', 0, 0, 0, 0, 0, null, null, null)",
    );
    const signed = wanted();
    const issued = await issue(signed);
    expect(issued).toMatchObject({
      publicId: signed.publicId,
      siteId: 'pub',
      token: 'a.b.c',
      revokedAt: null,
      keyRevokedAt: null,
    });
    expect(await readCredentials(db).find(1, signed.publicId)).toEqual(issued);
    expect(await counts()).toEqual({ kept: 1, taken: 1, entries: 1, used: 1 });
    const [entry] = await entries('credential_issued');
    expect(entry).toMatchObject({
      site_id: 'pub',
      data: {
        credential_id: signed.publicId,
        credential_type: 'site_posture',
        kid: 'k1',
        expires_at: '1970-01-02T00:00:01.000Z',
        token_sha256: hash('sha256', 'a.b.c', 'base64url'),
      },
    });
  });

  test('returns the same credential for the same basis, until it or its key is revoked', async () => {
    for (const make of [wanted, ofLicense]) {
      const first = await issue(make());
      const before = await counts();
      expect((await issue(make({ token: 'other', expiresAt: 9 * DAY_MS }))).publicId).toBe(first.publicId);
      expect(await counts()).toEqual(before);
      for (const other of [{ basis: '8' }, { licenseId: 2 }])
        expect((await issue(make(other))).publicId).not.toBe(first.publicId);

      await jobs.revokeCredential({ licenseId: 1, publicId: first.publicId, reason: 'requested', now: 5 });
      const second = await issue(make());
      expect(second.publicId).not.toBe(first.publicId);
      await exec("update credential_keys set revoked_at = 6 where kid = 'k1'");
      expect((await issue(make({ kid: 'k2' }))).publicId).not.toBe(second.publicId);
      await exec("update credential_keys set revoked_at = null where kid = 'k1'");
    }
  });

  test('under another public address returns another credential', async () => {
    const first = await issue(wanted());
    const issuer = 'https://other.example';
    const other = wanted({ issuer, listId: await jobs.openStatusList({ issuer, now: 2 }) });
    expect(other.listId).not.toBe(listId);
    expect((await issue(other)).publicId).toBe(other.publicId);
    expect((await issue(wanted())).publicId).toBe(first.publicId);
  });

  test.each<[string, () => Partial<SignedCredential> | Promise<Partial<SignedCredential>>]>([
    ['a taken place', () => ({ listIndex: 77 })],
    [
      'a revoked key',
      async () => {
        await exec("update credential_keys set revoked_at = 5 where kid = 'k1'");
        return {};
      },
    ],
    [
      'a list that is half full',
      async () => {
        await exec(`update status_lists set taken = ${STATUS_LIST_SIZE / 2}`);
        return {};
      },
    ],
    ['the list of another address', () => ({ issuer: 'https://other.example' })],
  ])('requests another signature after %s, and stores nothing', async (_, change) => {
    await issue(wanted({ licenseId: 2, listIndex: 77 }));
    const changed = await change();
    const before = await counts();
    expect(await jobs.issueCredential(wanted(changed))).toBeUndefined();
    expect(await counts()).toEqual(before);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['the license was revoked', () => jobs.changeLicense({ id: 1, change: { revokedAt: 5 } }), 'INVALID_KEY'],
    [
      'the domain was released',
      () => jobs.unbindDomain({ licenseId: 1, domain: DOMAIN, now: 5 }),
      'DOMAIN_NOT_VERIFIED',
    ],
  ])('is refused when %s meanwhile', async (_, happens, code) => {
    await happens();
    expect(await jobs.issueCredential(wanted())).toMatchObject({ refused: code });
    expect(await counts()).toMatchObject({ kept: 0, taken: 0 });
  });

  test('is limited by license and day', async () => {
    for (const basis of ['1', '2']) await issue(wanted({ basis, dailyCap: 2 }));
    const refused = await jobs.issueCredential(wanted({ basis: '3', dailyCap: 2 }));
    expect(isRefusal(refused) && refused.refused).toBe('DAILY_CAP_EXCEEDED');
    expect((await issue(wanted({ basis: '3', dailyCap: 2, licenseId: 2 }))).token).toBe('a.b.c');
  });
});

test('a list accepts credentials until half of its places are taken, then another begins', async () => {
  const { open } = readStatusLists(db);
  await exec(`update status_lists set taken = ${STATUS_LIST_SIZE / 2 - 1}`);
  expect([await open(ISSUER), await jobs.openStatusList({ issuer: ISSUER, now: 2 })]).toEqual([
    listId,
    listId,
  ]);
  await issue(wanted());
  expect(await open(ISSUER)).toBeUndefined();
  const next = await jobs.openStatusList({ issuer: ISSUER, now: 3 });
  expect([
    next === listId,
    await open(ISSUER),
    await jobs.openStatusList({ issuer: ISSUER, now: 4 }),
  ]).toEqual([false, next, next]);
});

describe('revoking', () => {
  const revoke = (publicId: string, more: object = {}) =>
    jobs.revokeCredential({ licenseId: 1, publicId, reason: 'posture_changed', now: 5, ...more });

  test('stores the first moment and reason, with one entry in the log', async () => {
    const { publicId } = await issue(wanted());
    await revoke(publicId);
    await revoke(publicId, { reason: 'requested', now: 9 });
    expect(await facts()).toEqual([{ at: 5, reason: 'posture_changed' }]);
    expect((await entries('credential_revoked')).map(({ data, site_id }) => [data, site_id])).toEqual([
      [{ credential_id: publicId, reason: 'posture_changed' }, null],
    ]);
  });

  test('a credential of another license changes nothing', async () => {
    const { publicId } = await issue(wanted());
    await revoke(publicId, { licenseId: 2 });
    expect([await facts(), await entries('credential_revoked')]).toEqual([[{ at: null, reason: null }], []]);
  });

  test('appears in the list of its place, like the revocation of its key', async () => {
    const { revoked } = readStatusLists(db);
    const [first] = [
      await issue(wanted({ listIndex: 900 })),
      await issue(wanted({ basis: '8', listIndex: 5 })),
    ];
    await issue(wanted({ basis: '9', listIndex: 70, kid: 'k2' }));
    expect(await revoked(listId)).toEqual([]);
    await revoke(first.publicId);
    expect(await revoked(listId)).toEqual([900]);
    await exec("update credential_keys set revoked_at = 6 where kid = 'k1'");
    expect(await revoked(listId)).toEqual([5, 900]);
  });

  const given = async () => {
    await issue(wanted());
    await issue(wanted({ licenseId: 2 }));
    await issue(ofLicense());
    await issue(wanted({ basis: 'over', expiresAt: 1_500 }));
  };
  const [none, over] = [
    { at: null, reason: null },
    { at: null, reason: null },
  ];

  test.each<[string, () => Promise<unknown>]>([
    ['unbound', () => jobs.unbindDomain({ licenseId: 1, domain: DOMAIN, now: 2_000 })],
    ['blocked', () => jobs.blockDomain({ licenseId: 1, domain: DOMAIN, now: 2_000 })],
    [
      'beyond the paid number',
      async () => {
        await exec("update license_domains set bound_by = 'first_use'");
        await jobs.keepDomains({ licenseId: 1, sitesAllowed: 0, now: 2_000 });
      },
    ],
  ])('a domain that is %s also revokes its unexpired credentials, and no others', async (_, happens) => {
    await given();
    await happens();
    expect(await facts()).toEqual([{ at: 2_000, reason: 'site_removed' }, none, none, over]);
    expect(await entries('credential_revoked')).toHaveLength(1);
  });

  test('a revoked license revokes all its credentials, a suspended one none', async () => {
    await given();
    await jobs.changeLicense({ id: 1, change: { holds: ['operator'] } });
    expect(await facts()).toEqual([none, none, none, over]);
    await jobs.changeLicense({ id: 1, change: { revokedAt: 2_000 } });
    const requested = { at: 2_000, reason: 'requested' };
    expect(await facts()).toEqual([requested, none, requested, over]);
    expect(await entries('credential_revoked')).toHaveLength(2);
  });
});

test('an old expired credential is deleted except its row, and its place stays taken', async () => {
  const [old, young] = [
    await issue(wanted({ listIndex: 3 })),
    await issue(wanted({ basis: '8', expiresAt: 9 * DAY_MS })),
  ];
  const forget = () => jobs.forgetCredentials({ expiredBefore: 2 * DAY_MS });
  expect([await forget(), await forget()]).toEqual([1, 0]);
  const { find } = readCredentials(db);
  expect([(await find(1, old.publicId))?.token, (await find(1, young.publicId))?.token]).toEqual([
    '',
    'a.b.c',
  ]);
  expect(await readStatusLists(db).isFree({ listId, listIndex: 3 })).toBe(false);
});

test('a page lists the newest first, by domain and by each status alone', async () => {
  const now = 3_000;
  const made = {
    valid: await issue(wanted({ basis: 'valid' })),
    expired: await issue(ofLicense({ basis: 'expired', expiresAt: now })),
    revoked: await issue(wanted({ basis: 'revoked' })),
    key_revoked: await issue(wanted({ basis: 'key', kid: 'k2' })),
  };
  await issue(wanted({ licenseId: 2 }));
  for (const { publicId } of [made.revoked, made.key_revoked])
    await jobs.revokeCredential({ licenseId: 1, publicId, reason: 'requested', now: 5 });
  await exec("update credential_keys set revoked_at = 6 where kid = 'k2'");
  const { page } = readCredentials(db);
  const query = { licenseId: 1, domain: null, status: null, beforeId: 1_000, limit: 10, now };
  const idsOf = async (more: object) => (await page({ ...query, ...more })).credentials.map(({ id }) => id);
  const newest = Object.values(made)
    .map(({ id }) => id)
    .reverse();
  expect(await idsOf({})).toEqual(newest);
  for (const [status, { id }] of Object.entries(made))
    expect([status, await idsOf({ status })]).toEqual([status, [id]]);
  expect(await idsOf({ domain: DOMAIN })).toEqual(newest.filter((id) => id !== made.expired.id));
  expect(await idsOf({ beforeId: made.revoked.id, limit: 1 })).toEqual([made.expired.id]);
});

test('a page reads at most 2,000 hidden rows more than it shows, and continues past any number', async () => {
  const { id: oldest } = await issue(ofLicense());
  await exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000)
    insert into credentials (public_id, license_id, type, domain, basis, kid, list_id, list_index, token, issued_at, expires_at, revoked_at)
    select 'p' || i, 1 + i % 5 / 4, 'license', null, i, 'k1', ${listId}, 1000 + i, '', 0, 9000, 5 from n`);
  const { page } = readCredentials(db);
  const pages: number[][] = [];
  let beforeId: number | undefined = Number.MAX_SAFE_INTEGER;
  while (beforeId !== undefined) {
    const query = { licenseId: 1, domain: null, status: 'valid', limit: 10, now: 3_000 } as const;
    const found = await page({ ...query, beforeId });
    pages.push(found.credentials.map(({ id }) => id));
    beforeId = found.nextBeforeId;
  }
  expect(pages).toEqual([[], [oldest]]);
  const whole = { licenseId: 1, domain: null, status: null, beforeId: 1e9, limit: 4_001, now: 3_000 };
  expect(await page(whole)).toMatchObject({ nextBeforeId: undefined });
  if (engine.name !== 'SQLite') return;
  const plan = await all(
    'explain query plan select id from credentials where license_id = 1 and id < 9 order by id desc limit 1 offset 9',
  );
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringContaining('credentials_page (license_id=?'),
  ]);
});
