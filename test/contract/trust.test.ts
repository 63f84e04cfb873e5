import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { API, call, type Reply } from '../support/client.ts';
import {
  type Env,
  type RunningService,
  run,
  SURE,
  sharedService,
  start,
  TARGETS,
  until,
} from '../support/service.ts';
import { rows, stored } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { assess, type TrustTenant as Tenant, tenantOf } from '../support/trust.ts';
import { untilLimited } from '../support/until-limited.ts';

// Needs more time than the others.

const ISSUER = 'https://redoubt.example';
const SETTINGS = {
  SERVICE_BASE_URL: ISSUER,
  SERVICE_RATE_KEY_PER_MINUTE: '100000',
  SERVICE_RATE_IP_PER_MINUTE: '100000',
};
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const TRUST_ID = /^[0-9A-Za-z]{22}$/;

const hourOf = (atMs: number) => atMs - (atMs % HOUR_MS);
const trustPath = ({ sites }: Tenant, domain: string) => `${API}/sites/${sites[domain]}/trust`;
const change = (on: RunningService, tenant: Tenant, domain: string, body: unknown = { enabled: true }) =>
  call(on.url, trustPath(tenant, domain), { key: tenant.key, body });
/** @returns the answer to a change that must succeed */
async function show(on: RunningService, tenant: Tenant, domain: string, body?: unknown) {
  const reply = await change(on, tenant, domain, body);
  expect([reply.status, reply.json.error]).toEqual([200, undefined]);
  return reply.json.data;
}
const read = async (on: RunningService, tenant: Tenant, domain: string) =>
  (await call(on.url, trustPath(tenant, domain), { key: tenant.key })).json.data;
const state = (on: RunningService, id: string, headers: Record<string, string> = {}) =>
  call(on.url, `${API}/trust/${id}`, { headers });
const badge = (on: RunningService, id: string, query = '', headers: Record<string, string> = {}) =>
  call(on.url, `${API}/trust/${id}/badge.svg${query}`, { headers });
const page = (on: RunningService, id: string) => call(on.url, `/trust/${id}`);
const shown = async (on: RunningService, id: string) => (await state(on, id)).json.data;
const codeOf = ({ status, json }: Reply) => [status, json.error?.code];
/** The state of a site after the second in which the public sees it. */
const becomes = (on: RunningService, id: string, expected: string) =>
  until(async () => (await shown(on, id))?.state === expected);
const isGone = (on: RunningService, id: string) => until(async () => (await state(on, id)).status === 404);

describe.each(TARGETS)('under %s', (target) => {
  let service: RunningService;
  beforeAll(async () => {
    service = await sharedService(target, 'issuer');
  });
  afterAll(() => {
    expect(service.log()).not.toContain('unexpected error');
  });

  test('changes have a daily volume, unchanged ones do not count, and switching off is always possible', async () => {
    const tenant = await tenantOf(service, 'capped.com');
    const first = await show(service, tenant, 'capped.com');
    const today = new Date().toISOString().slice(0, 10);
    const used = () =>
      rows(
        service,
        'select accepted from daily_usage where license_id = ? and day = ?',
        tenant.number,
        today,
      );
    await show(service, tenant, 'capped.com');
    expect(used()).toEqual([{ accepted: 1 }]);
    rows(service, 'update daily_usage set accepted = 1000000 where license_id = ?', tenant.number);
    const entries = () =>
      rows(service, "select count(*) as found from evidence_entries where type = 'trust_changed'")[0]?.found;
    const before = entries();
    const refused = await change(service, tenant, 'capped.com', { enabled: true, rotate: true });
    expect([...codeOf(refused), Number(refused.headers.get('retry-after')) > 0]).toEqual([
      429,
      'DAILY_CAP_EXCEEDED',
      true,
    ]);
    expect((await read(service, tenant, 'capped.com')).trust_id).toBe(first.trust_id);
    expect(entries()).toBe(before);
    expect((await show(service, tenant, 'capped.com', { enabled: false })).enabled).toBe(false);
    for (const body of [{ enabled: true }, { enabled: false, rotate: true }])
      expect(codeOf(await change(service, tenant, 'capped.com', body))).toEqual([429, 'DAILY_CAP_EXCEEDED']);
  });

  test('a tenant publishes its assessment as a state, a badge and a page, until it stops', async () => {
    const tenant = await tenantOf(service, 'shop.com');
    expect(await read(service, tenant, 'shop.com')).toEqual({
      enabled: false,
      show_grade: true,
      trust_id: null,
      state: null,
      problem: null,
      current_until: null,
      page_url: null,
      badge_url: null,
      embed_html: null,
    });
    const first = await show(service, tenant, 'shop.com');
    const id = first.trust_id;
    expect(first).toEqual({
      enabled: true,
      show_grade: true,
      trust_id: expect.stringMatching(TRUST_ID),
      state: 'not_current',
      problem: 'never_assessed',
      current_until: null,
      page_url: `${ISSUER}/trust/${id}`,
      badge_url: `${ISSUER}${API}/trust/${id}/badge.svg`,
      embed_html:
        `<a href="${ISSUER}/trust/${id}" referrerpolicy="no-referrer"><img src="${ISSUER}${API}/trust/${id}/badge.svg" ` +
        'alt="Security assessment of shop.com" height="20" loading="lazy" referrerpolicy="no-referrer"></a>',
    });
    expect(await shown(service, id)).toEqual({
      trust_id: id,
      domain: 'shop.com',
      state: 'not_current',
      grade: null,
      assessed_at: null,
      valid_until: null,
      assessed: [],
      issuer: ISSUER,
      credential: null,
    });

    const assessedAt = hourOf(assess(service, tenant, 'shop.com', 'A'));
    await becomes(service, id, 'assessed');
    const validUntil = new Date(assessedAt + 8 * DAY_MS).toISOString();
    expect(await shown(service, id)).toEqual({
      trust_id: id,
      domain: 'shop.com',
      state: 'assessed',
      grade: 'A',
      assessed_at: new Date(assessedAt).toISOString(),
      valid_until: validUntil,
      assessed: ['telemetry', 'surface'],
      issuer: ISSUER,
      credential: null,
    });
    expect(await read(service, tenant, 'shop.com')).toMatchObject({
      state: 'assessed',
      problem: null,
      current_until: validUntil,
    });

    const day = new Date(assessedAt).toISOString().slice(0, 10);
    const picture = await badge(service, id);
    expect(picture.status).toBe(200);
    expect(picture.text).toContain(`aria-label="Security assessment of shop.com: grade A on ${day}"`);
    expect((await badge(service, id, '?style=domain')).text).toContain(`>shop.com · A · ${day}</text>`);
    const html = await page(service, id);
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html;charset=utf-8']);
    for (const words of [
      '<h1>shop.com</h1>',
      'Compare this domain with the address bar',
      'not fully examined',
    ])
      expect(html.text).toContain(words);

    const off = await show(service, tenant, 'shop.com', { enabled: false });
    expect(off).toMatchObject({ enabled: false, trust_id: id, state: null, problem: null });
    expect([(await state(service, id)).status, (await page(service, id)).status]).toEqual([404, 404]);
    expect((await show(service, tenant, 'shop.com')).trust_id).toBe(id);
    expect((await shown(service, id)).state).toBe('assessed');
  });

  test('an unknown id and a disabled one have the same bytes in every answer', async () => {
    const tenant = await tenantOf(service, 'quiet.com');
    assess(service, tenant, 'quiet.com', 'A');
    const { trust_id: id } = await show(service, tenant, 'quiet.com');
    await show(service, tenant, 'quiet.com', { enabled: false });
    const unknown = ['5kQ2vXo8ZtRb1LmN7yWcHd', 'x', '%00', '0'.repeat(4_000), '..%2f', "'--", 'é'];
    for (const ask of [state, badge, page]) {
      const off = await ask(service, id);
      for (const each of unknown) {
        const reply = await ask(service, each);
        expect([each, reply.status, reply.text]).toEqual([each, ask === badge ? 200 : 404, off.text]);
        const kept = (headers: Headers) =>
          [...headers].filter(([name]) => !/^(x-request-id|x-ratelimit-remaining|date)$/.test(name));
        expect(kept(reply.headers)).toEqual(kept(off.headers));
      }
    }
    expect(codeOf(await state(service, id))).toEqual([404, 'TRUST_NOT_FOUND']);
    const grey = await badge(service, id);
    expect(grey.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(grey.text).toContain('aria-label="Security assessment: not current"');
    expect(grey.headers.get('cache-control')).toBe('public, max-age=300');
    expect((await badge(service, id, '?style=domain')).text).toBe(grey.text);
    const etag = grey.headers.get('etag') ?? '';
    expect((await badge(service, 'x', '', { 'if-none-match': etag })).status).toBe(304);
    const head = await fetch(`${service.url}${API}/trust/x/badge.svg`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('the public', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await sharedService('binary', 'issuer');
  });
  afterAll(() => {
    expect(service.log()).not.toContain('unexpected error');
  });

  test('sees no current state during an open critical alert, and sees it again afterwards', async () => {
    const tenant = await tenantOf(service, 'alert.com');
    assess(service, tenant, 'alert.com', 'A');
    const { trust_id: id } = await show(service, tenant, 'alert.com');
    const report = (type: string, severity: string) =>
      call(service.url, `${API}/telemetry`, {
        key: tenant.key,
        body: {
          site_url: 'alert.com',
          license_key: tenant.key,
          events: [{ type, severity, occurred_at: new Date().toISOString() }],
        },
      });
    await report('malware_found', 'critical');
    await becomes(service, id, 'not_current');
    expect((await read(service, tenant, 'alert.com')).problem).toBe('critical_alert');
    await report('malware_removed', 'info');
    await becomes(service, id, 'assessed');
  });

  test('learns of a lesser assessment only 72 hours later; the tenant learns immediately', async () => {
    const tenant = await tenantOf(service, 'lesser.com');
    assess(service, tenant, 'lesser.com', 'A', 80);
    const { trust_id: id } = await show(service, tenant, 'lesser.com');
    const before = (await state(service, id)).text;
    assess(service, tenant, 'lesser.com', 'D', 71);
    await until(async () => {
      const { current_until } = await read(service, tenant, 'lesser.com');
      return Date.parse(current_until) - Date.now() < 2 * HOUR_MS;
    });
    await Bun.sleep(1_001);
    expect((await state(service, id)).text).toBe(before);
    rows(
      service,
      'update assessments set made_at = made_at - ? where license_id = ? and grade = ?',
      ...[2 * HOUR_MS, tenant.number, 'D'],
    );
    await becomes(service, id, 'not_current');
    expect((await read(service, tenant, 'lesser.com')).problem).toBe('grade_too_low');
  });

  test('sees the same for a site that failed, was never assessed, or has a suspended license', async () => {
    const tenant = await tenantOf(service, 'one.com', 'two.com', 'three.com');
    assess(service, tenant, 'one.com', 'F');
    assess(service, tenant, 'two.com', 'A', 9 * 24);
    const texts: string[] = [];
    for (const domain of ['one.com', 'two.com', 'three.com']) {
      const { trust_id } = await show(service, tenant, domain);
      const anonymous = (text: string) => text.replaceAll(trust_id, 'ID').replaceAll(domain, 'DOMAIN');
      texts.push(anonymous((await state(service, trust_id)).text));
      texts.push(anonymous((await badge(service, trust_id)).text));
      texts.push(anonymous((await page(service, trust_id)).text));
    }
    expect(new Set(texts).size).toBe(3);
    const held = await tenantOf(service, 'held.com');
    assess(service, held, 'held.com', 'A');
    const { trust_id: id } = await show(service, held, 'held.com');
    await service.command('license', 'suspend', held.license, '--hold', 'operator');
    await becomes(service, id, 'not_current');
    // Its tenant can still see why, and stop it.
    expect((await read(service, held, 'held.com')).problem).toBe('license_not_valid');
    expect(codeOf(await change(service, held, 'held.com'))).toEqual([403, 'PLAN_REQUIRED']);
    expect((await change(service, held, 'held.com', { enabled: false })).status).toBe(200);
    expect((await state(service, id)).status).toBe(404);
    rows(service, 'update trust_sites set enabled = 1 where trust_id = ?', id);
    await becomes(service, id, 'not_current');
    expect(texts).toContain(
      (await state(service, id)).text.replaceAll(id, 'ID').replaceAll('held.com', 'DOMAIN'),
    );
    await service.command('license', 'resume', held.license, '--hold', 'operator');
    await becomes(service, id, 'assessed');
  });

  test('sees nothing of a license that is revoked, has expired, or has a lower plan', async () => {
    for (const end of [
      ['revoke', ...SURE],
      ['change', '--plan', 'starter'],
    ]) {
      const tenant = await tenantOf(service, 'ended.com');
      assess(service, tenant, 'ended.com', 'A');
      const { trust_id: id } = await show(service, tenant, 'ended.com');
      const [act = '', ...options] = end;
      await service.command('license', act, tenant.license, ...options);
      await isGone(service, id);
    }
    const tenant = await tenantOf(service, 'over.com');
    const { trust_id: id } = await show(service, tenant, 'over.com');
    rows(service, 'update licenses set expires_at = 1 where id = ?', tenant.number);
    await isGone(service, id);
    rows(service, 'update licenses set expires_at = null where id = ?', tenant.number);
    await becomes(service, id, 'not_current');
  });

  test('sees nothing of a released domain, also once it is registered again', async () => {
    const tenant = await tenantOf(service, 'left.com');
    assess(service, tenant, 'left.com', 'A');
    const { trust_id: id } = await show(service, tenant, 'left.com');
    await service.command('license', 'unbind', tenant.license, '--domain', 'left.com');
    await isGone(service, id);
    await service.command('license', 'bind', tenant.license, '--domain', 'left.com');
    await service.command('license', 'verify-domain', tenant.license, '--domain', 'left.com');
    expect((await read(service, tenant, 'left.com')).enabled).toBe(false);
    expect((await state(service, id)).status).toBe(404);
    expect((await show(service, tenant, 'left.com')).state).toBe('assessed');
  });

  test('sees nothing current of a domain with a lapsed proof', async () => {
    const tenant = await tenantOf(service, 'lapsed.com');
    assess(service, tenant, 'lapsed.com', 'A');
    const { trust_id: id } = await show(service, tenant, 'lapsed.com');
    await service.command('license', 'verify-domain', tenant.license, '--domain', 'lapsed.com', '--withdraw');
    await becomes(service, id, 'not_current');
    expect((await read(service, tenant, 'lapsed.com')).problem).toBe('domain_not_verified');
    expect((await change(service, tenant, 'lapsed.com', { enabled: false })).status).toBe(200);
    expect(codeOf(await change(service, tenant, 'lapsed.com'))).toEqual([403, 'DOMAIN_NOT_VERIFIED']);
  });

  test('cannot link two sites of one tenant by anything but the service itself', async () => {
    const tenant = await tenantOf(service, 'alpha.com', 'beta.org');
    const seen: string[][] = [];
    for (const domain of ['alpha.com', 'beta.org']) {
      assess(service, tenant, domain, 'A', domain === 'alpha.com' ? 1 : 2);
      const { trust_id: id } = await show(service, tenant, domain);
      const issued = await call(service.url, `${API}/credentials`, {
        key: tenant.key,
        body: { type: 'site_posture', site_id: tenant.sites[domain] },
      });
      expect(issued.status).toBe(200);
      await until(async () => (await shown(service, id)).credential === issued.json.data.credential);
      const { credential, ...rest } = await shown(service, id);
      const claims = JSON.parse(Buffer.from(credential.split('.')[1], 'base64url').toString());
      const { iss, issuer, '@context': context, type, status, ...own } = claims;
      expect([iss, issuer, context.length, type.length, Object.keys(status)]).toEqual([
        ...[ISSUER, ISSUER, 2, 2],
        ['status_list'],
      ]);
      seen.push(leaves({ ...rest, issuer: null, own }));
    }
    const [one = [], other = []] = seen;
    const common = ['assessed', 'A', 'telemetry', 'surface', '91', 'EvidenceLogEntry', 'leaf'];
    const isTime = (leaf: string) => /^\d{10}$|^\d{4}-/.test(leaf);
    expect(one.filter((leaf) => other.includes(leaf) && !common.includes(leaf) && !isTime(leaf))).toEqual([]);
  });

  test('sees no grade, nor what states it, where the tenant hides it', async () => {
    const tenant = await tenantOf(service, 'modest.com');
    assess(service, tenant, 'modest.com', 'A');
    await call(service.url, `${API}/credentials`, {
      key: tenant.key,
      body: { type: 'site_posture', site_id: tenant.sites['modest.com'] },
    });
    const { trust_id: id } = await show(service, tenant, 'modest.com', { enabled: true, show_grade: false });
    expect(await shown(service, id)).toMatchObject({ state: 'assessed', grade: null, credential: null });
    expect((await badge(service, id)).text).not.toContain('A ·');
    expect((await page(service, id)).text).not.toContain('the grade A');
    // Fields omitted from a later change stay unchanged.
    const rotated = await show(service, tenant, 'modest.com', { enabled: true, rotate: true });
    expect([rotated.show_grade, rotated.trust_id === id]).toEqual([false, false]);
    expect((await state(service, id)).status).toBe(404);
    expect((await shown(service, rotated.trust_id)).grade).toBeNull();
  });

  test('sees no revoked credential', async () => {
    const tenant = await tenantOf(service, 'signed.com');
    assess(service, tenant, 'signed.com', 'A');
    const body = { type: 'site_posture', site_id: tenant.sites['signed.com'] };
    const issued = (await call(service.url, `${API}/credentials`, { key: tenant.key, body })).json.data;
    const { trust_id: id } = await show(service, tenant, 'signed.com');
    expect((await shown(service, id)).credential).toBe(issued.credential);
    await call(service.url, `${API}/credentials/${issued.credential_id}/revoke`, {
      key: tenant.key,
      body: { reason: 'requested' },
    });
    await until(async () => (await shown(service, id)).credential === null);
  });

  test('gets a 304 for a cached answer, answers readable by any site, and pictures that load nothing', async () => {
    const tenant = await tenantOf(service, 'cached.com');
    assess(service, tenant, 'cached.com', 'B');
    const { trust_id: id } = await show(service, tenant, 'cached.com');
    for (const ask of [
      (headers = {}) => state(service, id, headers),
      (headers = {}) => badge(service, id, '', headers),
      (headers = {}) => badge(service, id, '?style=domain', headers),
    ]) {
      const whole = await ask();
      const etag = whole.headers.get('etag') ?? '';
      expect([whole.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)]);
      const again = await ask({ 'if-none-match': etag });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      for (const { headers } of [whole, again]) {
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(headers.has('set-cookie')).toBe(false);
      }
    }
    const { headers } = await badge(service, id);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cross-origin-resource-policy': 'cross-origin',
    });
    const html = await page(service, id);
    expect(html.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(html.text).not.toMatch(/<script|<img|<link|javascript:/);
  });

  test.each(['?style=plain', '?style=', '?style=domain&style=domain', '?size=9', '?'.padEnd(9, 'x')])(
    'is refused a badge with the query %s',
    async (query) => {
      expect(codeOf(await badge(service, 'x', query))).toEqual([400, 'INVALID_QUERY']);
    },
  );
});

describe('a tenant', () => {
  let service: RunningService;
  let tenant: Tenant;
  beforeAll(async () => {
    service = await sharedService('binary', 'issuer');
    tenant = await tenantOf(service, 'shop.com');
  });

  test.each([
    '{',
    '[]',
    {},
    { enabled: 1 },
    { enabled: 'true' },
    { enabled: true, rotate: 'yes' },
    { enabled: true, show_grade: null },
    { enabled: true, trust_id: 'mine' },
  ])('is refused %j, and nothing is stored', async (body) => {
    const before = stored(service);
    expect(codeOf(await change(service, tenant, 'shop.com', body))).toEqual([400, 'INVALID_PAYLOAD']);
    expect(stored(service)).toEqual(before);
  });

  test('finds no site of another tenant, byte for byte as a missing one', async () => {
    const other = await tenantOf(service, 'other.com');
    const before = stored(service);
    for (const send of [undefined, { enabled: true }]) {
      const ask = (id = '') => call(service.url, `${API}/sites/${id}/trust`, { key: other.key, body: send });
      const [foreign, unknown] = [await ask(tenant.sites['shop.com']), await ask('0')];
      expect(codeOf(foreign)).toEqual([404, 'SITE_NOT_FOUND']);
      expect(foreign.text).toBe(unknown.text);
    }
    expect(stored(service).trust_sites).toBe(before.trust_sites);
  });

  test('needs a registered and proven domain, and stores nothing without', async () => {
    const before = stored(service);
    await service.command('license', 'bind', tenant.license, '--domain', 'unproven.com');
    const body = { site_url: 'unproven.com', license_key: tenant.key };
    await call(service.url, `${API}/telemetry`, { key: tenant.key, body });
    const { sites } = (await call(service.url, `${API}/sites`, { key: tenant.key })).json.data;
    const { id } = sites.find(({ url }: { url: string }) => url === 'https://unproven.com');
    const ask = () =>
      call(service.url, `${API}/sites/${id}/trust`, { key: tenant.key, body: { enabled: true } });
    expect(codeOf(await ask())).toEqual([403, 'DOMAIN_NOT_VERIFIED']);
    await service.command('license', 'unbind', tenant.license, '--domain', 'unproven.com');
    expect(codeOf(await ask())).toEqual([403, 'DOMAIN_MISMATCH']);
    expect(stored(service).trust_sites).toBe(before.trust_sites);
  });

  test('adds an evidence entry with each change, and none where nothing changes', async () => {
    const entries = () =>
      rows(
        service,
        `select entry from evidence_entries join evidence_logs on id = log_id
          where type = 'trust_changed' and license_id = ? order by position`,
        tenant.number,
      ).map(({ entry }) => JSON.parse(String(entry)));
    const { trust_id: first } = await show(service, tenant, 'shop.com');
    await show(service, tenant, 'shop.com');
    await show(service, tenant, 'shop.com', { enabled: true, show_grade: true });
    const { trust_id: second } = await show(service, tenant, 'shop.com', { enabled: true, rotate: true });
    await service.command('license', 'unbind', tenant.license, '--domain', 'shop.com');
    const told = (trust_id: string, enabled: boolean) => ({
      type: 'trust_changed',
      site_id: tenant.sites['shop.com'],
      data: { domain: 'shop.com', enabled, trust_id, show_grade: true },
    });
    const [one, two, three, ...more] = entries();
    expect(one).toMatchObject(told(first, true));
    expect(two).toMatchObject(told(second, true));
    expect(three).toMatchObject(told(second, false));
    expect(more).toEqual([]);
  });
});

describe('an operator', () => {
  const settled = async (settings: Record<string, string>, use: (on: RunningService) => Promise<void>) => {
    // Its own process: it restarts with other settings.
    const own = await start('binary', { ...SETTINGS, ...settings });
    await use(own);
    await own.end();
  };

  test.each([
    ['has switched trust states off', { SERVICE_TRUST_ENABLED: '0' }],
    ['has set no public address', { SERVICE_BASE_URL: '' }],
  ])('who %s publishes none, and refusals name the setting', async (_, off) => {
    let [id, tenant, env]: [string, Tenant, Env] = ['', {} as Tenant, {}];
    await settled({}, async (on) => {
      env = on.env;
      tenant = await tenantOf(on, 'shop.com');
      assess(on, tenant, 'shop.com', 'A');
      id = (await show(on, tenant, 'shop.com')).trust_id;
    });
    await settled({ ...env, ...off }, async (on) => {
      for (const ask of [state, page]) expect((await ask(on, id)).status).toBe(404);
      expect((await badge(on, id)).text).toContain('not current');
      for (const body of [undefined, { enabled: true }, { enabled: false }]) {
        const reply = await call(on.url, trustPath(tenant, 'shop.com'), { key: tenant.key, body });
        expect(codeOf(reply)).toEqual([403, 'TRUST_DISABLED']);
        expect(reply.json.error.message).toContain('SERVICE_BASE_URL');
      }
    });
    await settled({ ...env, SERVICE_TRUST_MIN_GRADE: 'A' }, async (on) => {
      expect((await shown(on, id)).state).toBe('assessed');
    });
  });

  test('who has switched surface scans off, or requires better grades, publishes nothing as current', async () => {
    for (const settings of [{ SERVICE_SURFACE_SCANS: '0' }, { SERVICE_TRUST_MIN_GRADE: 'A' }])
      await settled(settings, async (on) => {
        const tenant = await tenantOf(on, 'shop.com');
        assess(on, tenant, 'shop.com', 'B');
        expect((await show(on, tenant, 'shop.com')).state).toBe('not_current');
      });
  });

  test('learns nothing about visitors: the log has only the pattern of the path', async () => {
    const own = await start('binary', { ...SETTINGS, SERVICE_LOG_LEVEL: 'debug' });
    const tenant = await tenantOf(own, 'shop.com');
    const { trust_id: id } = await show(own, tenant, 'shop.com');
    const headers = { referer: 'https://visited.example/secret', cookie: 'a=b', 'user-agent': 'Agent-77' };
    await badge(own, id, '?style=domain', headers);
    await until(() => own.log().includes('/trust/:trustId/badge.svg'));
    expect(own.log()).not.toMatch(new RegExp(`${id}|visited|Agent-77|127\\.0\\.0\\.1:\\d+.*badge`));
    await own.end();
  });

  test('limits the requests of one address to all trust states together', async () => {
    const own = await start('binary', { SERVICE_BASE_URL: ISSUER });
    const ask = () => state(own, 'x');
    const ways = [ask, () => badge(own, 'x'), () => page(own, 'x')];
    const { refused } = await untilLimited(120, (asked) => (asked < 120 ? (ways[asked % 3] ?? ask) : ask)());
    expect(codeOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect((await call(own.url, `${API}/status`)).status).toBe(200);
    await own.end();
  });

  const SECURITY_TXT = 'Contact: mailto:security@redoubt.example\nExpires: 2099-12-31T00:00:00Z\n';
  test('has a custom security.txt served unchanged, and read again with the settings', async () => {
    const path = join(temporaryDirectory(), 'security.txt');
    await Bun.write(path, SECURITY_TXT);
    await settled({ SERVICE_SECURITY_TXT: path }, async (on) => {
      const reply = await call(on.url, '/.well-known/security.txt');
      expect([reply.status, reply.headers.get('content-type'), reply.text]).toEqual([
        ...[200, 'text/plain; charset=utf-8', SECURITY_TXT],
      ]);
      await Bun.write(path, `${SECURITY_TXT}Policy: https://redoubt.example/policy\n`);
      await on.command('reload');
      expect((await call(on.url, '/.well-known/security.txt')).text).toContain('Policy: ');
    });
    await settled({}, async (on) => {
      expect((await call(on.url, '/.well-known/security.txt')).status).toBe(404);
    });
  });

  test.each([
    ['security@redoubt.example', 'mailto:security@redoubt.example'],
    ['https://redoubt.example/report', 'https://redoubt.example/report'],
  ])(
    'publishes a security.txt with the contact %s, which is valid for half a year on each day',
    async (contact, uri) => {
      await settled({ SERVICE_SECURITY_CONTACT: contact }, async (on) => {
        const { status, text } = await call(on.url, '/.well-known/security.txt');
        const [, expires = ''] = /^Expires: (.+)$/m.exec(text) ?? [];
        expect([status, text]).toEqual([200, `Contact: ${uri}\nExpires: ${expires}\n`]);
        const days = (Date.parse(expires) - Date.now()) / DAY_MS;
        expect([days > 178, days < 181]).toEqual([true, true]);
      });
    },
  );

  test('sees the problem with a security.txt before it is served', async () => {
    const path = join(temporaryDirectory(), 'security.txt');
    const env = { SERVICE_DATA_DIR: temporaryDirectory(), SERVICE_SECURITY_TXT: path };
    const contents: [string | Uint8Array, string][] = [
      ['Expires: 2099-12-31T00:00:00Z\n', 'no Contact field'],
      ['Contact: mailto:a@b.example\n', 'one Expires field'],
      ['Contact: mailto:a@b.example\nExpires: soon\n', 'one Expires field'],
      ['Contact: mailto:a@b.example\nExpires: 2027\n', 'one Expires field'],
      [`${SECURITY_TXT}Expires: some day\n`, 'one Expires field'],
      ['Contact: somebody\nExpires: 2099-12-31T00:00:00Z\n', 'no Contact field'],
      [`\ufeff${SECURITY_TXT}`, 'byte order mark'],
      [`${SECURITY_TXT}\0`, 'control characters'],
      [`${SECURITY_TXT}${SECURITY_TXT}`, 'one Expires field'],
      [new Uint8Array([0xff, 0xfe]), 'is not UTF-8'],
      [SECURITY_TXT.padEnd(33 * 1024, '#'), 'larger than 32768 bytes'],
    ];
    for (const [content, words] of contents) {
      await Bun.write(path, content);
      const { exitCode, stderr } = await run('binary', env, 'serve');
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
    const both = { ...env, SERVICE_SECURITY_CONTACT: 'security@redoubt.example' };
    expect(await run('binary', both, 'serve')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('are both set'),
    });
    for (const contact of ['security', 'http://redoubt.example', 'a@b\nExpires: never'])
      expect(
        await run('binary', { ...env, SERVICE_SECURITY_TXT: '', SERVICE_SECURITY_CONTACT: contact }, 'serve'),
      ).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('must be a mail address') });
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect((await run('binary', env, 'serve')).stderr).toContain('is not a file');
    const missing = await run('binary', { ...env, SERVICE_SECURITY_TXT: `${path}.no` }, 'serve');
    expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining('no such file')]);
  });
});

/** Every text and number in a value. */
function leaves(value: unknown): string[] {
  if (value === null || typeof value === 'boolean') return [];
  return typeof value === 'object' ? Object.values(value as object).flatMap(leaves) : [String(value)];
}
