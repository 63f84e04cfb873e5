import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { API, call, type Reply } from '../support/client.ts';
import { engineOf } from '../support/engines.ts';
import { type RunningService, SURE, sharedService, start, TARGETS, until } from '../support/service.ts';
import { refuseEach, rows, stored } from '../support/store.ts';

const ISSUER = 'https://redoubt.example';
const SETTINGS = {
  SERVICE_BASE_URL: ISSUER,
  SERVICE_RATE_KEY_PER_MINUTE: '100000',
  SERVICE_RATE_IP_PER_MINUTE: '100000',
};
const DAY_MS = 86_400_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface Tenant {
  readonly key: string;
  readonly license: string;
  readonly number: number;
  /** Control of shop.com, attested by the operator. */
  readonly site: string;
}

async function tenantOf(on: RunningService, ...options: string[]): Promise<Tenant> {
  const { key, license_id } = await on.issue('--plan', 'pro', '--domain', 'shop.com', ...options);
  await on.command('license', 'verify-domain', license_id, '--domain', 'shop.com');
  return { key, license: license_id, number: Number(license_id.slice(4)), site: await siteOf(on, key) };
}

/** The site of a license, which exists from its first heartbeat on. */
async function siteOf(on: RunningService, key: string): Promise<string> {
  await call(on.url, `${API}/telemetry`, { key, body: { site_url: 'https://shop.com', license_key: key } });
  return (await call(on.url, `${API}/sites`, { key })).json.data.sites[0].id;
}

const PARTS = {
  telemetry: { score: 91, at: 1, complete: true },
  surface: { score: 100, at: 2, complete: false },
  vulnerabilities: null,
};
let assessments = 0;
/** The result of a scan of shop.com. */
function assess(
  on: RunningService,
  { number }: Pick<Tenant, 'number'>,
  parts: object = PARTS,
  madeAt = Date.now(),
) {
  const leaf = `leaf-${++assessments}`;
  const assessedAt = madeAt - 5 * DAY_MS;
  rows(
    on,
    `insert into assessments (license_id, domain, scan_id, grade, score, parts, assessed_at, made_at, leaf_hash)
      values (?, 'shop.com', 1, 'A', 91, ?, ?, ?, ?)`,
    ...[number, JSON.stringify(parts), assessedAt, madeAt, leaf],
  );
  return { leaf, assessedAt };
}

const ask = (on: RunningService, key: string, body: unknown) =>
  call(on.url, `${API}/credentials`, { key, method: 'POST', body });
const posture = ({ site }: Pick<Tenant, 'site'>, more: object = {}) => ({
  type: 'site_posture',
  site_id: site,
  ...more,
});
const LICENSE = { type: 'license' };
/** @returns the fields of a credential that must be issued */
const issue = async (on: RunningService, { key }: Pick<Tenant, 'key'>, body: object) => {
  const reply = await ask(on, key, body);
  expect([reply.status, reply.json.error]).toEqual([200, undefined]);
  return reply.json.data;
};
const read = (on: RunningService, key: string, id: string) =>
  call(on.url, `${API}/credentials/${id}`, { key });
const list = async (on: RunningService, key: string, query = '') =>
  (await call(on.url, `${API}/credentials${query}`, { key })).json;
const revoke = (on: RunningService, key: string, id: string, body: unknown = { reason: 'requested' }) =>
  call(on.url, `${API}/credentials/${id}/revoke`, { key, method: 'POST', body });
const check = async (on: RunningService, key: string, credential: unknown) =>
  (await call(on.url, `${API}/credentials/verify`, { key, body: { credential } })).json.data;
const codeOf = ({ status, json }: Reply) => [status, json.error?.code];
const statusOf = async (on: RunningService, { key }: Tenant, id: string) =>
  (await read(on, key, id)).json.data.status;
const evidence = (on: RunningService, type: string) =>
  rows(on, 'select entry from evidence_entries where type = ? order by at', type).map(({ entry }) =>
    JSON.parse(String(entry)),
  );

const bytesOf = (part = '') => Buffer.from(part, 'base64url');
const decoded = (part?: string) => JSON.parse(bytesOf(part).toString());

/** A third party's verification of a JWT: only with node:crypto and the public keys. */
async function opened(on: RunningService, token: string, typ: string) {
  const [head, payload, signature] = token.split('.');
  const { keys } = (await call(on.url, '/.well-known/jwks.json')).json;
  const header = decoded(head);
  const key = createPublicKey({
    format: 'jwk',
    key: keys.find(({ kid }: { kid: string }) => kid === header.kid) as JsonWebKey,
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    bytesOf(signature),
  );
  expect([header.alg, header.typ, isSigned]).toEqual(['ES256', typ, true]);
  return decoded(payload);
}

/** The same party's check for a revocation. */
async function isListed(
  on: RunningService,
  { status_list: { idx, uri } }: { status_list: { idx: number; uri: string } },
) {
  const reply = await call(on.url, uri.replace(ISSUER, ''));
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/statuslist+jwt']);
  const claims = await opened(on, reply.text, 'statuslist+jwt');
  expect(claims).toMatchObject({ iss: ISSUER, sub: uri, ttl: 3_600, status_list: { bits: 1 } });
  const bits = inflateSync(bytesOf(claims.status_list.lst));
  expect(bits.length).toBe(131_072 / 8);
  return (((bits[idx >> 3] ?? 0) >> (idx & 7)) & 1) === 1;
}

describe.each(TARGETS)('under %s', (target) => {
  let service: RunningService;
  beforeAll(async () => {
    service = await sharedService(target, 'issuer');
  });
  afterAll(() => {
    expect(service.log()).not.toContain('unexpected error');
  });

  test('a third party verifies a credential and its revocation with the public keys and the list only', async () => {
    const tenant = await tenantOf(service);
    const { leaf, assessedAt } = assess(service, tenant);
    const issued = await issue(service, tenant, posture(tenant, { valid_days: 30 }));
    const issuedAt = Date.parse(issued.issued_at);
    const expiresAt = new Date(issuedAt + 30 * DAY_MS).toISOString();
    expect(issued).toEqual({
      credential_id: expect.stringMatching(UUID),
      type: 'site_posture',
      site_id: tenant.site,
      status: 'valid',
      issued_at: expect.stringMatching(/000Z$/),
      expires_at: expiresAt,
      revoked_at: null,
      revocation_reason: null,
      credential: expect.any(String),
    });
    expect(Date.now() - issuedAt).toBeWithin(0, 10_000);

    const claims = await opened(service, issued.credential, 'vc+jwt');
    expect(claims).toMatchObject({
      id: `urn:uuid:${issued.credential_id}`,
      type: ['VerifiableCredential', 'SitePostureCredential'],
      iss: ISSUER,
      sub: 'https://shop.com/',
      exp: Date.parse(expiresAt) / 1_000,
      evidence: [{ type: ['EvidenceLogEntry'], leafHash: leaf }],
    });
    expect(claims.credentialSubject).toEqual({
      id: 'https://shop.com/',
      grade: 'A',
      score: 91,
      assessedAt: new Date(assessedAt).toISOString(),
      assessed: ['telemetry'],
      vulnerabilityDataAt: null,
    });
    expect(await isListed(service, claims.status)).toBe(false);
    const verified = await check(service, tenant.key, issued.credential);
    expect(verified).toEqual({
      valid: true,
      reason: null,
      type: 'site_posture',
      issuer: ISSUER,
      subject: 'https://shop.com/',
      issued_at: issued.issued_at,
      expires_at: expiresAt,
      claims,
    });

    const revoked = (await revoke(service, tenant.key, issued.credential_id, { reason: 'posture_changed' }))
      .json.data;
    expect(revoked).toEqual({
      ...issued,
      status: 'revoked',
      revoked_at: expect.any(String),
      revocation_reason: 'posture_changed',
    });
    const again = await revoke(service, tenant.key, issued.credential_id, { reason: 'requested' });
    expect([again.status, again.json.data]).toEqual([200, revoked]);
    await until(() => isListed(service, claims.status));
    expect(await check(service, tenant.key, issued.credential)).toEqual({
      ...verified,
      valid: false,
      reason: 'revoked',
    });
  });

  test('concurrent requests for the same credential get one', async () => {
    const tenant = await tenantOf(service);
    assess(service, tenant);
    const before = Number(stored(service).credentials);
    for (const body of [posture(tenant), LICENSE]) {
      const issued = await Promise.all(Array.from({ length: 8 }, () => issue(service, tenant, body)));
      expect(new Set(issued.map(({ credential }) => credential)).size).toBe(1);
    }
    expect(stored(service).credentials).toBe(before + 2);
  });
});

describe('a credential', () => {
  let service: RunningService;
  let tenant: Tenant;
  beforeAll(async () => {
    // Its own process: its signing keys are revoked, and its settings change.
    service = await start('binary', { ...SETTINGS, SERVICE_CREDENTIAL_DAYS: '7' });
    tenant = await tenantOf(service);
  });
  afterAll(async () => {
    expect(service.log()).not.toContain('unexpected error');
    await service.end();
  });

  test('of a license states its plan and no personal data', async () => {
    const sentinels = { email: 'owner@sentinel.example', note: 'zq7sentinelnote', customer: 'Zq7Customer' };
    const own = await tenantOf(
      service,
      '--email',
      sentinels.email,
      '--note',
      sentinels.note,
      '--customer',
      sentinels.customer,
    );
    assess(service, own);
    for (const body of [LICENSE, posture(own)]) {
      const { credential } = await issue(service, own, body);
      const text = (credential as string)
        .split('.')
        .slice(0, 2)
        .map((part) => bytesOf(part))
        .join('');
      for (const planted of [
        ...Object.values(sentinels),
        own.key.slice(0, 12),
        own.key.slice(-4),
        own.license,
      ])
        expect([planted, text.includes(planted)]).toEqual([planted, false]);
    }
    const issued = await issue(service, own, LICENSE);
    expect(issued.site_id).toBeNull();
    const claims = await opened(service, issued.credential, 'vc+jwt');
    const { license_id_hash } = (await call(service.url, `${API}/me`, { key: own.key })).json.data;
    expect(claims).toMatchObject({
      sub: `urn:redoubt:license:${license_id_hash}`,
      exp: claims.iat + 7 * 86_400,
    });
    expect(claims.credentialSubject).toEqual({
      id: claims.sub,
      plan: 'pro',
      status: 'active',
      sitesAllowed: 25,
    });
    expect(claims).not.toHaveProperty('evidence');
  });

  test('is the same for the same assessment and different for a newer one, and both stay valid', async () => {
    const own = await tenantOf(service);
    assess(service, own);
    const first = await issue(service, own, posture(own));
    expect(await issue(service, own, posture(own, { valid_days: 2 }))).toEqual(first);
    assess(service, own, {
      ...PARTS,
      vulnerabilities: { score: 84, at: 1, complete: true, dataAt: 86_400_000 },
    });
    const second = await issue(service, own, posture(own));
    expect(second.credential_id).not.toBe(first.credential_id);
    const { credentialSubject } = await opened(service, second.credential, 'vc+jwt');
    expect(credentialSubject).toMatchObject({
      assessed: ['telemetry', 'vulnerabilities'],
      vulnerabilityDataAt: '1970-01-02T00:00:00.000Z',
    });
    expect(await statusOf(service, own, first.credential_id)).toBe('valid');
    await revoke(service, own.key, second.credential_id);
    const third = await issue(service, own, posture(own));
    expect([first.credential_id, second.credential_id]).not.toContain(third.credential_id);
  });

  test('is recorded in the log of its license, and so is its revocation', async () => {
    const own = await tenantOf(service);
    assess(service, own);
    const { credential_id } = await issue(service, own, posture(own));
    await revoke(service, own.key, credential_id, { reason: 'superseded' });
    const recorded = (type: string) =>
      evidence(service, type).filter(({ data }) => data.credential_id === credential_id);
    expect(recorded('credential_issued')).toMatchObject([
      { site_id: own.site, data: { credential_type: 'site_posture' } },
    ]);
    expect(recorded('credential_revoked')).toMatchObject([
      { site_id: own.site, data: { reason: 'superseded' } },
    ]);
  });

  test('is revoked with the domain and with the license, but not while the license is suspended', async () => {
    const own = await tenantOf(service);
    assess(service, own);
    const [site, license] = [await issue(service, own, posture(own)), await issue(service, own, LICENSE)];
    await service.command('license', 'suspend', own.license, '--hold', 'operator');
    expect(codeOf(await ask(service, own.key, LICENSE))).toEqual([403, 'PLAN_REQUIRED']);
    for (const { credential_id } of [site, license])
      expect(await statusOf(service, own, credential_id)).toBe('valid');
    await service.command('license', 'resume', own.license, '--hold', 'operator');

    await service.command('license', 'unbind', own.license, '--domain', 'shop.com');
    const removed = (await read(service, own.key, site.credential_id)).json.data;
    expect(removed).toMatchObject({ status: 'revoked', revocation_reason: 'site_removed' });
    expect(await statusOf(service, own, license.credential_id)).toBe('valid');
    expect(codeOf(await ask(service, own.key, posture(own)))).toEqual([403, 'DOMAIN_NOT_VERIFIED']);

    await service.command('license', 'revoke', own.license, ...SURE);
    expect(await check(service, tenant.key, license.credential)).toMatchObject({
      valid: false,
      reason: 'revoked',
    });
    const claims = await opened(service, license.credential, 'vc+jwt');
    await until(() => isListed(service, claims.status));
  });

  test('of a suspended license can be revoked by it', async () => {
    const own = await tenantOf(service);
    const { credential_id } = await issue(service, own, LICENSE);
    await service.command('license', 'suspend', own.license, '--hold', 'payment');
    expect((await revoke(service, own.key, credential_id)).json.data.status).toBe('revoked');
  });

  test('of another license looks like an unknown one', async () => {
    const other = await tenantOf(service);
    const { credential_id } = await issue(service, tenant, LICENSE);
    const names = [credential_id, credential_id.toUpperCase(), '0', '%00', '..%2f', 'A'.repeat(300)];
    const replies = await Promise.all(
      names.flatMap((name) => [read(service, other.key, name), revoke(service, other.key, name)]),
    );
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(codeOf(replies[0] as Reply)).toEqual([404, 'CREDENTIAL_NOT_FOUND']);
    expect((await list(service, other.key)).data).toEqual({ credentials: [], next_cursor: null });
    expect(codeOf(await ask(service, other.key, posture(tenant)))).toEqual([404, 'SITE_NOT_FOUND']);
    expect(await statusOf(service, tenant, credential_id)).toBe('valid');
  });

  test('is listed by status and site, a page at a time', async () => {
    const own = await tenantOf(service);
    const ids: string[] = [];
    for (const body of [posture(own), LICENSE, posture(own)]) {
      assess(service, own);
      ids.unshift((await issue(service, own, body)).credential_id);
    }
    await revoke(service, own.key, ids[2] ?? '');
    const idsOf = async (query: string) =>
      (await list(service, own.key, query)).data.credentials.map(
        (each: { credential_id: string }) => each.credential_id,
      );
    expect(await idsOf('')).toEqual(ids);
    expect(await idsOf(`?site=${own.site}`)).toEqual([ids[0], ids[2]]);
    for (const unknown of ['unknown', 'x'.repeat(65)]) expect(await idsOf(`?site=${unknown}`)).toEqual([]);
    expect(await idsOf('?status=valid')).toEqual([ids[0], ids[1]]);
    expect(await idsOf('?status=revoked')).toEqual([ids[2]]);
    for (const query of ['?status=expired', '?status=key_revoked']) expect(await idsOf(query)).toEqual([]);
    const page = (await list(service, own.key, '?limit=2')).data;
    expect(page.credentials).toHaveLength(2);
    expect(await idsOf(`?limit=2&cursor=${page.next_cursor}`)).toEqual([ids[2]]);
    for (const query of ['?status=over', '?limit=0', '?limit=201', '?cursor=x', '?type=license'])
      expect([query, (await list(service, own.key, query)).error.code]).toEqual([query, 'INVALID_QUERY']);
  });

  test('that expired is shown as such, and is later deleted without losing its place', async () => {
    const own = await tenantOf(service);
    const { credential_id, credential } = await issue(service, own, LICENSE);
    rows(service, "update credentials set expires_at = 5000, token = '' where public_id = ?", credential_id);
    expect((await read(service, own.key, credential_id)).json.data).toMatchObject({
      status: 'expired',
      credential: null,
    });
    // The signed text contains its own expiry.
    expect(await check(service, own.key, credential)).toMatchObject({ valid: true });
  });

  test('is refused without proof of control, a fresh assessment, or a site of the license, and nothing is stored', async () => {
    const own = await tenantOf(service);
    const before = stored(service);
    expect(codeOf(await ask(service, own.key, posture(own)))).toEqual([409, 'ASSESSMENT_REQUIRED']);
    assess(service, own, PARTS, Date.now() - DAY_MS);
    const old = await ask(service, own.key, posture(own));
    expect(codeOf(old)).toEqual([409, 'ASSESSMENT_REQUIRED']);
    expect(old.json.error.message).toContain('POST /scans with scan_type assessment');
    assess(service, own);
    await service.command('license', 'verify-domain', own.license, '--domain', 'shop.com', '--withdraw');
    expect(codeOf(await ask(service, own.key, posture(own)))).toEqual([403, 'DOMAIN_NOT_VERIFIED']);
    expect(codeOf(await ask(service, own.key, posture({ site: 'planted' })))).toEqual([
      404,
      'SITE_NOT_FOUND',
    ]);
    expect(stored(service)).toEqual(before);
  });

  const deep = `{"type":${'['.repeat(40)}${']'.repeat(40)}}`;
  test.each<[string, unknown]>([
    ['no body', ''],
    ['no JSON', '{"type":"license"'],
    ['nothing', {}],
    ['an unknown type', { type: 'planted' }],
    ['a list', [LICENSE]],
    ['an unknown field', { ...LICENSE, planted: 1 }],
    ['a site for the license', { ...LICENSE, site_id: 'planted' }],
    ['no site', { type: 'site_posture' }],
    ['a site that is not a string', { type: 'site_posture', site_id: 7 }],
    ['no days', { ...LICENSE, valid_days: 0 }],
    ['more than a year', { ...LICENSE, valid_days: 366 }],
    ['half a day', { ...LICENSE, valid_days: 0.5 }],
    ['deep nesting', deep],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
  ])('is not issued for %s; nothing is echoed or stored', async (_, body) => {
    const before = stored(service);
    const reply = await ask(service, tenant.key, body);
    expect(codeOf(reply)).toEqual([400, 'INVALID_PAYLOAD']);
    expect(reply.text).not.toContain('planted');
    expect(stored(service)).toEqual(before);
  });

  test.each<[string, unknown]>([
    ['no body', ''],
    ['no reason', {}],
    ['an unknown reason', { reason: 'planted' }],
    ['an unknown field', { reason: 'requested', planted: 1 }],
    ['deep nesting', deep],
  ])('is not revoked for %s', async (_, body) => {
    const { credential_id } = await issue(service, tenant, LICENSE);
    const reply = await revoke(service, tenant.key, credential_id, body);
    expect(codeOf(reply)).toEqual([400, 'INVALID_PAYLOAD']);
    expect(reply.text).not.toContain('planted');
    expect(await statusOf(service, tenant, credential_id)).toBe('valid');
  });
});

describe('verification', () => {
  let service: RunningService;
  let tenant: Tenant;
  let credential: string;
  beforeAll(async () => {
    service = await sharedService('binary', 'issuer');
    tenant = await tenantOf(service);
    ({ credential } = await issue(service, tenant, LICENSE));
  });
  afterAll(() => {
    expect(service.log()).not.toContain('unexpected error');
  });
  const changed = (claims: object) => {
    const [head, payload, signature] = credential.split('.');
    const other = Buffer.from(JSON.stringify({ ...decoded(payload), ...claims })).toString('base64url');
    return [head, other, signature].join('.');
  };
  const NOTHING = {
    type: null,
    issuer: null,
    subject: null,
    issued_at: null,
    expires_at: null,
    claims: null,
  };

  test('ignores white space around a credential', async () => {
    for (const wrapped of [` ${credential}\n`, `\ufeff${credential}\u200b`])
      expect(await check(service, tenant.key, wrapped)).toMatchObject({ valid: true });
  });

  test('is open to any tenant of any plan, and stores nothing', async () => {
    const { key } = await service.issue('--plan', 'free');
    const before = stored(service);
    expect(await check(service, key, credential)).toMatchObject({ valid: true, type: 'license' });
    expect(stored(service)).toEqual(before);
  });

  test.each<[string, () => unknown, string]>([
    ['nothing', () => '', 'malformed'],
    ['words', () => 'planted', 'malformed'],
    ['three dots', () => '...', 'malformed'],
    ['a lone surrogate', () => `${credential.slice(0, 20)}\ud800`, 'malformed'],
    ['a credential with a space inside', () => credential.replace('.', '. '), 'malformed'],
    ['a credential with more claims than were signed', () => changed({ planted: 1 }), 'bad_signature'],
    [
      'another issuer',
      () => changed({ iss: 'https://planted.example', issuer: 'https://planted.example' }),
      'unknown_issuer',
    ],
    ['an issuer with two names', () => changed({ iss: 'https://planted.example' }), 'malformed'],
  ])('of %s returns %s, and no content', async (_, make, reason) => {
    expect(await check(service, tenant.key, make())).toEqual({ valid: false, reason, ...NOTHING });
  });

  test.each<[string, unknown]>([
    ['no body', ''],
    ['no JSON', '{"credential":'],
    ['no credential', {}],
    ['a value that is not a string', { credential: { planted: 1 } }],
    ['an unknown field', { credential: 'x', planted: 1 }],
  ])('refuses %s without an echo', async (_, body) => {
    const reply = await call(service.url, `${API}/credentials/verify`, {
      key: tenant.key,
      method: 'POST',
      body,
    });
    expect(codeOf(reply)).toEqual([400, 'INVALID_PAYLOAD']);
    expect(reply.text).not.toContain('planted');
  });

  test('accepts exactly 16 KiB', async () => {
    const send = (bytes: number) =>
      call(service.url, `${API}/credentials/verify`, {
        key: tenant.key,
        body: `{"credential":"${'x'.repeat(bytes - 17)}"}`,
      });
    expect((await send(16_384)).json.data).toEqual({ valid: false, reason: 'malformed', ...NOTHING });
    expect((await send(16_385)).status).toBe(413);
  });

  test('uses the place in the database, and recognises no credential without one', async () => {
    const own = await tenantOf(service);
    const issued = await issue(service, own, LICENSE);
    const set = (sql: string) =>
      rows(service, `update credentials set ${sql} where license_id = ?`, own.number);
    set("public_id = '00000000-0000-4000-8000-000000000000'");
    expect(await check(service, own.key, issued.credential)).toMatchObject({
      valid: false,
      reason: 'malformed',
    });
    set(`public_id = '${issued.credential_id}', list_index = (list_index + 1) % 131072`);
    expect(await check(service, own.key, issued.credential)).toMatchObject({
      valid: false,
      reason: 'malformed',
    });
  });
});

test('a list is cached by its reader, revalidated, and available nowhere else', async () => {
  const service = await sharedService('binary', 'issuer');
  const tenant = await tenantOf(service);
  const { credential } = await issue(service, tenant, LICENSE);
  const { uri } = decoded(credential.split('.')[1]).status.status_list;
  const path = (uri as string).replace(ISSUER, '');
  const first = await call(service.url, path);
  const headers = ['cache-control', 'access-control-allow-origin'].map((name) => first.headers.get(name));
  expect(headers).toEqual(['public, max-age=3600', '*']);
  const etag = first.headers.get('etag') ?? '';
  const again = await call(service.url, path, { headers: { 'if-none-match': etag } });
  expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, '*']);
  const unknown = await call(service.url, '/nowhere');
  for (const other of ['0', '01', '2', '1e0', '-1', '1.0', 'x', '9'.repeat(15), '9'.repeat(40)]) {
    const reply = await call(service.url, `/status-lists/${other}`);
    expect([other, reply.status, reply.text]).toEqual([other, 404, unknown.text]);
  }
});

test('a changed public address is a new issuer; earlier credentials stay valid and can be checked', async () => {
  const first = await start('binary', SETTINGS);
  const tenant = await tenantOf(first);
  const old = await issue(first, tenant, LICENSE);
  await first.end();
  const issuer = 'https://moved.example';
  const second = await start('binary', { ...first.env, SERVICE_BASE_URL: issuer });
  expect(await check(second, tenant.key, old.credential)).toMatchObject({ valid: true, issuer: ISSUER });
  const claims = await opened(second, old.credential, 'vc+jwt');
  expect(await isListed(second, claims.status)).toBe(false);
  const renewed = await issue(second, tenant, LICENSE);
  expect(renewed.credential_id).not.toBe(old.credential_id);
  expect(decoded(renewed.credential.split('.')[1])).toMatchObject({
    iss: issuer,
    status: { status_list: { uri: expect.stringContaining(`${issuer}/status-lists/`) } },
  });
  expect(await check(second, tenant.key, renewed.credential)).toMatchObject({ valid: true, issuer });
  await revoke(second, tenant.key, old.credential_id);
  await until(() => isListed(second, claims.status));
  await second.end();
});

test('a key that a command revokes revokes all its credentials, and another key signs afterwards', async () => {
  const service = await start('binary', SETTINGS);
  const tenant = await tenantOf(service);
  const before = await issue(service, tenant, LICENSE);
  const { status } = await opened(service, before.credential, 'vc+jwt');
  expect(await isListed(service, status)).toBe(false);
  const { kid } = decoded(before.credential.split('.')[0]);
  await service.command('keys', 'revoke', kid, '--reason', 'it was copied', '--yes');
  expect(await statusOf(service, tenant, before.credential_id)).toBe('key_revoked');
  expect(await check(service, tenant.key, before.credential)).toMatchObject({
    valid: false,
    reason: 'key_revoked',
  });
  await until(() => isListed(service, status));
  const after = await issue(service, tenant, LICENSE);
  expect(after).toMatchObject({ status: 'valid' });
  expect((await opened(service, after.credential, 'vc+jwt')).jti).not.toBe(
    `urn:uuid:${before.credential_id}`,
  );
  expect((await list(service, tenant.key, '?status=key_revoked')).data.credentials).toHaveLength(1);
  await service.end();
});

// On PostgreSQL another node may have the key, so that none is created there.
test.if(engineOf(import.meta).name === 'SQLite')(
  'a key that cannot be stored causes a warning and 503 for lists, never 500, and is created later',
  async () => {
    const before = await start('binary', SETTINGS);
    const tenant = await tenantOf(before);
    const { credential } = await issue(before, tenant, LICENSE);
    const { kid } = decoded(credential.split('.')[0]);
    const accept = refuseEach(before, 'insert', 'credential_keys');
    rmSync(join(before.env.SERVICE_DATA_DIR ?? '', 'signing', `credential-${kid}.pem`));
    await before.end();
    const service = await start('binary', before.env);
    const { uri } = decoded(credential.split('.')[1]).status.status_list;
    const listed = () => call(service.url, (uri as string).replace(ISSUER, ''));
    const reply = await listed();
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '60']);
    expect((await call(service.url, '/readyz')).json).toMatchObject({
      status: 'ready',
      warnings: ['no key can sign credentials. The log has the reason'],
    });
    expect((await ask(service, tenant.key, { type: 'license' })).status).toBe(200);
    expect((await call(service.url, '/status-lists/2')).status).toBe(404);
    accept();
    expect((await listed()).status).toBe(200);
    expect((await call(service.url, '/readyz')).json.warnings).toEqual([]);
    expect(await check(service, tenant.key, credential)).toMatchObject({ valid: true });
    await service.end();
  },
);

test.each<[string, Record<string, string>]>([
  ['no public address', {}],
  ['an address without https', { SERVICE_BASE_URL: 'http://redoubt.example' }],
])('with %s no credential is issued, nothing is stored, and the remedy is returned', async (_, settings) => {
  const service = await start('binary', settings);
  const tenant = await tenantOf(service);
  assess(service, tenant);
  const before = stored(service);
  for (const body of [LICENSE, posture(tenant)]) {
    const reply = await ask(service, tenant.key, body);
    expect(codeOf(reply)).toEqual([403, 'CREDENTIALS_DISABLED']);
    expect(reply.json.error.message).toContain('SERVICE_BASE_URL');
  }
  expect(await check(service, tenant.key, 'x')).toMatchObject({ valid: false, reason: 'malformed' });
  expect((await list(service, tenant.key)).data.credentials).toEqual([]);
  expect((await call(service.url, '/status-lists/1')).status).toBe(404);
  expect(stored(service)).toEqual(before);
  await service.end();
});

test('the daily limit covers new credentials only; existing ones are still returned', async () => {
  const service = await start('binary', { ...SETTINGS, SERVICE_DAILY_CAP: '1' });
  const tenant = await tenantOf(service);
  assess(service, tenant);
  const issued = await issue(service, tenant, LICENSE);
  const before = stored(service);
  expect(codeOf(await ask(service, tenant.key, posture(tenant)))).toEqual([429, 'DAILY_CAP_EXCEEDED']);
  expect(await issue(service, tenant, LICENSE)).toEqual(issued);
  expect(stored(service)).toEqual(before);
  await service.end();
});
