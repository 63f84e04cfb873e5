import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { API, call } from '../support/client.ts';
import { type Answers, certificate, type FakeSite, fakeSite, wire } from '../support/fake-site.ts';
import {
  binary,
  type RunningService,
  run,
  sharedService,
  start,
  TARGETS,
  until,
} from '../support/service.ts';
import { DECOY_TRIP, signalAt } from '../support/signals.ts';
import { rows, stored } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { integrationStates } from '../support/tenant.ts';

const PRIVATE = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_SCAN_ALLOW_PRIVATE: '1' };

let service: RunningService;
let privately: RunningService;
beforeAll(async () => {
  [service, privately] = await Promise.all([sharedService(), sharedService('binary', 'private sites')]);
});

const sites: FakeSite[] = [];
afterEach(() => {
  for (const site of sites.splice(0)) site.close();
});
const site = async (answers: Answers, tls?: Parameters<typeof fakeSite>[1]) => {
  const started = await fakeSite(answers, tls);
  sites.push(started);
  return started;
};

const idOf = (licenseId: string) => Number(licenseId.replace('lic_', ''));

const scan = (on: RunningService, key: string | undefined, body: unknown, route = 'scan') =>
  call(on.url, `${API}/${route}`, { key, body, method: 'POST' });

const idsOf = ({ json }: Awaited<ReturnType<typeof scan>>): string[] =>
  json.data.findings.map(({ id }: { id: string }) => id);

/** Shows one page for every path, compressed unrequested, in a chunk with a trailer, and stays open. */
const sound: Answers = (_, socket) => {
  const csp = `<meta http-equiv="Content-Security-Policy" content="script-src 'self'">`;
  const body = gzipSync(`<!doctype html><head>${csp}<meta name=referrer content=same-origin></head>`);
  const head = [
    ...['HTTP/1.1 200 OK', 'Content-Type: text/html', 'Content-Encoding: gzip', 'Transfer-Encoding: chunked'],
    ...['Strict-Transport-Security: max-age=31536000', "Content-Security-Policy: frame-ancestors 'self'"],
    ...['X-Content-Type-Options: nosniff', 'Permissions-Policy: camera=()', 'Server: nginx'],
    ...['Set-Cookie: language=en', 'Set-Cookie: sid=; Max-Age=0', '', ''],
  ].join('\r\n');
  socket.write(Buffer.concat([Buffer.from(`${head}${body.length.toString(16)}\r\n`), body]));
  socket.write('\r\n0\r\nX: y\r\n\r\n');
  return undefined;
};

/** An operator's command with private addresses allowed, which the server may not allow. */
const commandWherePrivate = ({ env }: RunningService, ...args: string[]) =>
  run('binary', { ...env, SERVICE_SCAN_ALLOW_PRIVATE: '1' }, 'license', ...args);

/** The key of a license with control of names of this host, attested by the operator. */
async function issueForThisHost(on: RunningService, plan = 'starter', ...names: string[]): Promise<string> {
  const domains = ['localhost', ...names];
  const issue = ['issue', '--json', '--plan', plan, ...domains.flatMap((name) => ['--domain', name])];
  const { key, license_id } = JSON.parse((await commandWherePrivate(on, ...issue)).stdout);
  for (const name of domains) await on.command('license', 'verify-domain', license_id, '--domain', name);
  return key;
}

const heartbeat = (key: string, more: object = {}) =>
  call(service.url, `${API}/telemetry`, {
    key,
    body: { site_url: 'https://shop.com', license_key: key, plugin_version: '1.0.0', ...more },
  });

describe('refused requests', () => {
  let key: string;
  beforeAll(async () => {
    key = (await service.issue('--plan', 'pro', '--domain', 'shop.com')).key;
  });

  test.each<[string, unknown]>([
    ['no body', ''],
    ['no JSON', '{'],
    ['no site', {}],
    ['a site that is not a string', { site_url: 1 }],
    ['an empty site', { site_url: '' }],
    ['an invalid site', { site_url: 'user@shop.com' }],
    ['another scheme', { site_url: 'file:///etc/passwd' }],
    ['an unknown type', { site_url: 'shop.com', scan_type: 'deep' }],
    ['an unknown field', { site_url: 'shop.com', planted: 1 }],
    ['another port', { site_url: 'https://shop.com:8443', scan_type: 'surface' }],
  ])('%s, without an echo', async (_, body) => {
    const reply = await scan(service, key, body);
    expect([reply.status, reply.json.error.code]).toEqual([400, 'INVALID_PAYLOAD']);
    expect(reply.text).not.toMatch(/planted|passwd|user@|:8443/);
  });

  test('a body over 8 KiB', async () => {
    const reply = await scan(service, key, { site_url: 'x'.repeat(8 * 1024) });
    expect([reply.status, reply.json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test.each(['posture', 'surface'])('a %s scan of an unregistered site', async (scan_type) => {
    const other = await service.issue('--plan', 'pro', '--domain', 'other.com');
    await heartbeat(key);
    for (const site_url of [
      'other.com',
      'sub.shop.com',
      'notshop.com',
      '127.0.0.1',
      'localhost',
      '169.254.169.254',
    ]) {
      const reply = await scan(service, key, { site_url, scan_type });
      expect([site_url, reply.status, reply.json.error?.code]).toEqual([site_url, 404, 'SITE_NOT_FOUND']);
    }
    expect((await scan(service, other.key, { site_url: 'shop.com', scan_type })).status).toBe(404);
  });
});

describe('a posture scan', () => {
  test("is the default, and judges the tenant's data", async () => {
    const { key } = await service.issue('--plan', 'starter', '--domain', 'shop.com');
    const first = await scan(service, key, { site_url: 'https://www.shop.com/blog' });
    expect([first.json.data.scan_type, idsOf(first)]).toEqual(['posture', ['site_never_reported']]);

    await heartbeat(key);
    expect(idsOf(await scan(service, key, { site_url: 'shop.com', scan_type: 'posture' }))).toEqual([]);

    await heartbeat(key, {
      events: [{ type: 'webshell_found' }, { type: 'sql_injection' }, { type: 'started' }],
    });
    const { json } = await scan(service, key, { site_url: 'shop.com' }, 'scanner');
    expect(json.data.findings).toEqual([
      expect.objectContaining({
        id: 'open_alerts_critical',
        severity: 'critical',
        evidence: '1 open alert: webshell, last less than a day ago.',
      }),
      expect.objectContaining({
        id: 'open_alerts_high',
        severity: 'high',
        evidence: '1 open alert: sql_injection, last less than a day ago.',
      }),
    ]);
  });

  test('judges the latest signals, and the site’s page shows their scores', async () => {
    const { key } = await service.issue('--plan', 'starter', '--domain', 'shop.com');
    await heartbeat(key);
    const [site] = (await call(service.url, `${API}/sites`, { key })).json.data.sites;
    const send = async (path: string, body: object) =>
      expect((await call(service.url, API + path, { key, body })).status).toBe(200);
    const flags = { piiIncluded: false, contentIncluded: false, secretsIncluded: false };
    await send('/server-guard/signal', { ...flags, unexpectedFileChangeCount: 4 });
    await send('/pc-guard/signal', { ...flags, edrStatus: 'absent' });
    await send('/pc-guard/signal', { ...flags, edrStatus: 'running' });
    await send(DECOY_TRIP.path, DECOY_TRIP.body);
    const { body } = signalAt('/keyhygiene/signal');
    await send('/keyhygiene/signal', body);
    await send('/keyhygiene/signal', { ...body, siteIdHash: site.id, keys: [] });

    expect(idsOf(await scan(service, key, { site_url: 'shop.com' }))).toEqual([
      'decoy_tripped',
      'server_guard_unexpected_file_change_count',
    ]);
    const detail = await call(service.url, `${API}/sites/${site.id}`, { key });
    expect(detail.json.data.posture_scores).toEqual([
      { signal: 'key_hygiene', score: 0, meaning: 'risk', updated_at: expect.any(String) },
    ]);
  });

  test('also works for a development site, which needs no registration', async () => {
    const { key } = await service.issue('--plan', 'starter');
    await heartbeat(key, { site_url: 'https://shop.test' });
    expect(idsOf(await scan(service, key, { site_url: 'shop.test' }))).toEqual([]);
  });

  test('uses no data of another tenant with the same site', async () => {
    const [one, two] = [await service.issue('--plan', 'starter'), await service.issue('--plan', 'starter')];
    await heartbeat(one.key, { events: [{ type: 'webshell_found' }], plugin_version: '9.9.9' });
    await heartbeat(two.key);
    expect(idsOf(await scan(service, two.key, { site_url: 'shop.com' }))).toEqual([]);
  });
});

describe('a private name', () => {
  test('is registered by an operator who allows private addresses, and scanned where the server does as well', async () => {
    const { key, license_id } = await service.issue('--plan', 'starter');
    const domain = ['--domain', 'localhost'];
    const bind = ['license', 'bind', license_id, ...domain];
    const refused = await run('binary', service.env, ...bind);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('SERVICE_SCAN_ALLOW_PRIVATE=1'),
    ]);
    const surface = { site_url: 'localhost', scan_type: 'surface' };
    expect((await scan(service, key, surface)).json.error.code).toBe('SITE_NOT_FOUND');

    expect((await commandWherePrivate(service, 'bind', license_id, ...domain)).exitCode).toBe(0);
    await service.command('license', 'verify-domain', license_id, ...domain);
    expect(idsOf(await scan(service, key, surface))).toEqual(['site_unreachable']);
    await service.command('license', 'unbind', license_id, ...domain);
    expect((await scan(service, key, surface)).json.error.code).toBe('SITE_NOT_FOUND');
  });
});

describe('a surface scan', () => {
  test('is refused for an unproven domain, with any registration, and sends that host nothing', async () => {
    const { port, heads } = await site(() => wire(200));
    const surface = { site_url: `http://localhost:${port}`, scan_type: 'surface' };
    const { key, license_id } = await privately.issue('--plan', 'starter');
    for (const boundBy of ['first_use', 'order', 'operator']) {
      rows(
        privately,
        `insert into license_domains values (?, 'localhost', ?, 0)
          on conflict (license_id, domain) do update set bound_by = excluded.bound_by`,
        idOf(license_id),
        boundBy,
      );
      const before = stored(privately);
      const reply = await scan(privately, key, surface);
      expect([reply.status, reply.json.error?.code]).toEqual([403, 'DOMAIN_NOT_VERIFIED']);
      expect([heads, stored(privately)]).toEqual([[], before]);
      expect((await scan(privately, key, { site_url: 'localhost' })).status).toBe(200);
    }
    await privately.command('license', 'verify-domain', license_id, '--domain', 'localhost');
    expect((await scan(privately, key, surface)).status).toBe(200);
    expect(heads.length).toBeGreaterThan(0);
  });

  test.each(TARGETS)('checks a site over TLS (%s)', async (target) => {
    const own = await sharedService(target, 'private sites');
    const { port, heads } = await site(
      (path) =>
        path === '/.git/HEAD'
          ? wire(200, {}, 'ref: refs/heads/sentinel')
          : wire(path === '/' ? 200 : 404, {}, 'Hello'),
      { ...certificate('other.com', { days: 5 }), minVersion: 'TLSv1' },
    );
    const key = await issueForThisHost(own);
    const reply = await scan(own, key, { site_url: `https://localhost:${port}/`, scan_type: 'surface' });
    expect(reply.json.data.scan_type).toBe('surface');
    expect(idsOf(reply).toSorted()).toEqual(
      [
        ...['certificate_expires_soon', 'certificate_name_mismatch', 'certificate_self_signed'],
        ...['tls_legacy_version', 'git_repository_exposed', 'hsts_missing', 'framing_allowed', 'csp_missing'],
        ...['content_type_options_missing', 'referrer_policy_missing', 'permissions_policy_missing'],
      ].toSorted(),
    );
    expect(reply.text).not.toContain('sentinel');
    expect(heads[0]).toMatch(
      /\r\nUser-Agent: Redoubt\/[0-9.]+(?:-source)? \(site check requested by the site's owner\)\r\n/,
    );
    expect(heads.join()).not.toContain(key);
  });

  test.each(TARGETS)(
    'has no findings on a secure site, and accepts the authorities of this host (%s)',
    async (target) => {
      const issuer = certificate('authority', { authority: true });
      const file = join(temporaryDirectory(), 'authority.crt');
      writeFileSync(file, issuer.cert);
      // Its own process: it trusts a test authority, and loses network access.
      const own = await start(target, { ...PRIVATE, NODE_EXTRA_CA_CERTS: file, DENO_CERT: file });
      const key = await issueForThisHost(own);
      const findings = async (name: string) => {
        const { port } = await site(sound, certificate(name, { issuer }));
        return idsOf(await scan(own, key, { site_url: `https://localhost:${port}`, scan_type: 'surface' }));
      };
      expect(await findings('localhost')).toEqual([]);
      expect(await findings('other.com')).toEqual(['certificate_name_mismatch']);
      await own.end();
    },
  );

  test('runs once at a time per license, 16 times in all, and releases its place', async () => {
    const held: Socket[] = [];
    const { port } = await site((_, socket) => {
      if (held.length < 16) held.push(socket);
      else return wire(200);
      return undefined;
    });
    const body = { site_url: `http://localhost:${port}/`, scan_type: 'surface' };
    const keys = await Promise.all(Array.from({ length: 17 }, () => issueForThisHost(privately)));
    const running = keys.slice(0, 16).map((key) => scan(privately, key, body));
    await until(() => held.length === 16);

    for (const key of [keys[0], keys[16]]) {
      const reply = await scan(privately, key, body);
      expect([reply.status, reply.json.error.code]).toEqual([429, 'RATE_LIMITED']);
      expect(reply.headers.get('retry-after')).toBe('5');
    }
    expect((await scan(privately, keys[0], { site_url: 'localhost' })).status).toBe(200);

    for (const socket of held) socket.end(wire(200));
    expect((await Promise.all(running)).every(({ status }) => status === 200)).toBe(true);
    expect((await scan(privately, keys[16], body)).status).toBe(200);
  });

  test('is limited to ten requests a minute for a license', async () => {
    const key = await issueForThisHost(privately);
    const statuses: number[] = [];
    for (let again = 0; again < 11; again++) {
      // Without a listener, a scan ends before the next token returns.
      const reply = await scan(privately, key, { site_url: 'http://localhost:1', scan_type: 'surface' });
      statuses.push(reply.status);
      if (reply.status === 429) expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
  });
});

describe('where this service itself has no network', () => {
  /** The kernel refuses packets to this address, as it refuses all without a network. */
  const NO_WAY = '127.255.255.255';

  test.each(TARGETS)('there is no result for the site, and /connect reports that (%s)', async (target) => {
    const own = await start(target, PRIVATE);
    const key = await issueForThisHost(own, 'pro', NO_WAY);
    const state = async () => (await integrationStates(own.url, key)).surface_scans;
    const surface = (site_url: string) => scan(own, key, { site_url, scan_type: 'surface' });
    expect(await state()).toBe('available');

    const before = stored(own);
    const reply = await surface(NO_WAY);
    expect([reply.status, reply.json.error.code]).toEqual([503, 'SCAN_UNAVAILABLE']);
    expect(reply.headers.get('retry-after')).toBe('60');
    expect(reply.text).not.toContain(NO_WAY);
    expect(stored(own)).toEqual(before);
    expect(await state()).toBe('disabled');
    expect((await scan(own, key, { site_url: NO_WAY })).status).toBe(200);

    expect(idsOf(await surface('http://localhost:1'))).toEqual(['site_unreachable']);
    expect(await state()).toBe('active');
    await own.end();
  });

  const isolated = ['unshare', '-rn', 'true'] as const;
  const canIsolate = spawnSync(isolated[0], isolated.slice(1)).status === 0;
  if (!canIsolate) console.warn('the test without any network is skipped: it needs unshare -rn');

  test.if(canIsolate)('neither a name nor an address is a finding without any network', async () => {
    const directory = temporaryDirectory();
    const probe = join(import.meta.dir, '../support/no-network-probe.sh');
    const { stdout, stderr } = spawnSync('unshare', ['-rn', 'sh', probe, await binary(), directory], {
      encoding: 'utf8',
      env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    });
    expect([stdout, stderr]).toEqual(['shop-of-nobody.com 503\n93.184.216.34 503\nconnect disabled', '']);
  });
});
