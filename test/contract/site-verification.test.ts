import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { createServer as createTlsServer, type Server } from 'node:tls';
import { API, call } from '../support/client.ts';
import { certificate, wire } from '../support/fake-site.ts';
import { type RunningService, run, sharedService, start, TARGETS } from '../support/service.ts';
import { rows, stored } from '../support/store.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface Site {
  readonly key: string;
  readonly license: string;
  readonly id: string;
}

/** A license and a site of it that has reported. */
async function siteOf(on: RunningService, domain: string, ...options: string[]): Promise<Site> {
  const { key, license_id } = await on.issue('--plan', 'starter', ...options);
  await call(on.url, `${API}/telemetry`, { key, body: { site_url: `https://${domain}`, license_key: key } });
  const { sites } = (await call(on.url, `${API}/sites`, { key })).json.data;
  return { key, license: license_id, id: sites[0].id };
}

const read = (on: RunningService, { key, id }: Site) =>
  call(on.url, `${API}/sites/${id}/verification`, { key });
const ask = (on: RunningService, { key, id }: Site, body: unknown) =>
  call(on.url, `${API}/sites/${id}/verification`, { key, method: 'POST', body });
const scanSurface = (on: RunningService, { key }: Site, site_url: string) =>
  call(on.url, `${API}/scan`, { key, body: { site_url, scan_type: 'surface' } });
const numberOf = ({ license }: Pick<Site, 'license'>) => Number(license.slice('lic_'.length));
const controls = (on: RunningService, site: Pick<Site, 'license'>) =>
  rows(on, 'select * from domain_controls where license_id = ?', numberOf(site));

describe.each(TARGETS)('under %s', (target) => {
  let service: RunningService;
  let site: Site;
  beforeAll(async () => {
    service = await sharedService(target);
    site = await siteOf(service, 'shop.com');
  });
  afterAll(() => {
    expect(service.log()).not.toContain('unexpected error');
  });

  test('a site gets instructions, always the same, different from other licenses, and nothing is stored', async () => {
    const before = stored(service);
    const { data } = (await ask(service, site, { method: 'dns' })).json;
    expect(data).toEqual({
      state: 'unverified',
      method: null,
      token: expect.stringMatching(TOKEN),
      http_url: 'https://shop.com/.well-known/redoubt-challenge.txt',
      dns_name: '_redoubt-challenge.shop.com',
      dns_value: `token=${data.token} expiry=never`,
      verified_at: null,
      checked_at: null,
      next_check_at: null,
      problem: null,
    });
    expect((await read(service, site)).json.data).toEqual(data);
    expect((await ask(service, site, { method: 'http', check: false })).json.data).toEqual(data);
    expect(stored(service)).toEqual(before);

    const other = await siteOf(service, 'www.shop.com');
    const others = (await read(service, other)).json.data;
    expect(others).toMatchObject({ dns_name: data.dns_name, token: expect.stringMatching(TOKEN) });
    expect(others.token).not.toBe(data.token);
    expect((await read(service, { ...other, id: site.id })).json.error.code).toBe('SITE_NOT_FOUND');
    expect((await ask(service, { ...other, id: site.id }, { method: 'dns' })).json.error.code).toBe(
      'SITE_NOT_FOUND',
    );
  });

  test('the operator can attest control, which every scan needs, and withdraw that', async () => {
    const own = await siteOf(service, 'vouched.com');
    const scan = () => scanSurface(service, own, 'vouched.com');
    const refused = await scan();
    expect([refused.status, refused.json.error.code]).toEqual([403, 'DOMAIN_NOT_VERIFIED']);
    expect(refused.json.error.message).toContain('/verification');

    const command = (...args: string[]) =>
      service.command(
        'license',
        'verify-domain',
        own.license,
        '--domain',
        'https://www.vouched.com/',
        ...args,
      );
    await command('--reason', 'we host it');
    const vouched = await ask(service, own, { method: 'http', check: true });
    expect(vouched.json.data).toMatchObject({
      state: 'verified',
      method: 'operator',
      next_check_at: null,
      problem: null,
    });
    expect((await scan()).json.error?.code).not.toBe('DOMAIN_NOT_VERIFIED');

    await command('--withdraw');
    expect((await read(service, own)).json.data).toMatchObject({ state: 'unverified', method: null });
    expect((await scan()).json.error.code).toBe('DOMAIN_NOT_VERIFIED');
    const entries = JSON.parse(await service.command('audit', '--json')) as Record<string, unknown>[];
    expect(
      entries.filter(({ action }) => action === 'license.verify-domain').map(({ reason }) => reason),
    ).toEqual(expect.arrayContaining(['we host it', null]));
  });

  test.each([
    ['no body', ''],
    ['no method', {}],
    ['an unknown method', { method: 'email' }],
    ['the operator’s attestation', { method: 'operator' }],
    ['a check that is not a boolean', { method: 'dns', check: 'planted' }],
    ['an unknown field', { method: 'dns', planted: 1 }],
    ['a list', [{ method: 'dns' }]],
  ])('%s is refused without an echo, and nothing is stored', async (_, body) => {
    const before = stored(service);
    const reply = await ask(service, site, body);
    expect([reply.status, reply.json.error.code]).toEqual([400, 'INVALID_PAYLOAD']);
    expect(reply.text).not.toContain('planted');
    expect(stored(service)).toEqual(before);
  });

  test('a body over 8 KiB, a development host and an address are refused', async () => {
    expect((await ask(service, site, `{"method":"dns","x":"${'x'.repeat(8 * 1024)}"}`)).status).toBe(413);
    const local = await siteOf(service, 'shop.test');
    const mismatch = await ask(service, local, { method: 'dns', check: true });
    expect([mismatch.status, mismatch.json.error.code]).toEqual([403, 'DOMAIN_MISMATCH']);
    const address = await siteOf(service, '203.0.114.9');
    const nobodys = await ask(service, address, { method: 'http', check: true });
    expect([nobodys.status, nobodys.json.error.code]).toEqual([403, 'DOMAIN_NOT_VERIFIED']);
  });
});

test('without surface scans no challenge is offered, and the operator can attest control', async () => {
  // Its own process: surface scans are switched off.
  const service = await start('binary', { SERVICE_SURFACE_SCANS: '0' });
  const site = await siteOf(service, 'shop.com');
  const reply = await ask(service, site, { method: 'http', check: true });
  expect([reply.status, reply.json.error.code]).toEqual([403, 'SURFACE_SCAN_DISABLED']);
  expect((await ask(service, site, { method: 'http' })).status).toBe(200);
  await service.command('license', 'verify-domain', site.license, '--domain', 'shop.com');
  expect((await ask(service, site, { method: 'http', check: true })).json.data.state).toBe('verified');
  await service.end();
});

describe('the operator’s command', () => {
  test('refuses an unregistered domain, and a withdrawal without an attestation, each with the remedy', async () => {
    const service = await sharedService();
    const { license } = await siteOf(service, 'shop.com');
    const command = (...args: string[]) =>
      run('binary', service.env, 'license', 'verify-domain', license, ...args);
    const results = [
      await command('--domain', 'other.com'),
      await command('--domain', 'shop.com', '--withdraw'),
      await command('--domain', 'not a domain'),
      await command(),
    ];
    expect(results.map(({ exitCode }) => exitCode)).toEqual([1, 1, 2, 2]);
    expect(results[0]?.stderr).toContain(`redoubt license bind ${license} --domain <domain>`);
    expect(results[1]?.stderr).toContain('is not attested');
    expect(controls(service, { license })).toEqual([]);
  });
});

const OF_FILE = 'GET /.well-known/redoubt-challenge.txt HTTP/1.1';

/** HTTPS requests use its own port, which needs a privilege. */
const canListen = await new Promise<boolean>((resolve) => {
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen(443, '127.0.0.1', () => server.close(() => resolve(true)));
});
if (!canListen) console.warn('the tests of files on port 443 are skipped: it may not be listened on');

describe.if(canListen)('a file on the site', () => {
  let server: Server | undefined;
  let file: string | undefined;
  /** Requests for the file. Scans by other test files reach this port as well. */
  let requests = 0;
  beforeAll(async () => {
    server = createTlsServer(certificate('localhost'), (socket) => {
      socket.on('error', () => {});
      socket.once('data', (bytes) => {
        if (bytes.toString().startsWith(`${OF_FILE}\r\n`)) requests++;
        socket.end(file === undefined ? wire(404) : wire(200, {}, file));
      });
    });
    await new Promise<void>((resolve) => server?.listen(443, '127.0.0.1', resolve));
  });
  afterAll(() => server?.close());
  afterEach(() => {
    [file, requests] = [undefined, 0];
  });

  test.each(TARGETS)(
    'proves control, and its absence takes that away only after 72 hours (%s)',
    async (target) => {
      const service = await sharedService(target, 'private sites');
      const own = await siteOf(service, 'localhost');
      await service.command('license', 'bind', own.license, '--domain', 'localhost');
      const check = async () => (await ask(service, own, { method: 'http', check: true })).json.data;
      const state = async () => (await read(service, own)).json.data.state;
      const isScanned = async () => (await scanSurface(service, own, 'http://localhost:1')).status === 200;

      expect(await check()).toMatchObject({ state: 'unverified', problem: 'not_found', verified_at: null });
      file = 'something else';
      expect(await check()).toMatchObject({ state: 'unverified', problem: 'wrong_token' });
      expect(await isScanned()).toBe(false);

      file = `${(await read(service, own)).json.data.token}\n`;
      const found = await check();
      expect(found).toMatchObject({ state: 'verified', method: 'http', problem: null });
      expect(Date.parse(found.next_check_at) - Date.parse(found.checked_at)).toBe(86_400_000);
      expect(requests).toBe(3);
      expect(await isScanned()).toBe(true);

      file = undefined;
      expect(await check()).toMatchObject({ state: 'verified', problem: 'not_found' });
      expect(await isScanned()).toBe(true);
      rows(
        service,
        'update domain_controls set failed_since = failed_since - 72 * 3600 * 1000 where license_id = ?',
        numberOf(own),
      );
      expect([await state(), await isScanned()]).toEqual(['lapsed', false]);

      await service.command('license', 'unbind', own.license, '--domain', 'localhost');
      expect(controls(service, own)).toEqual([]);
    },
  );

  test('is checked at most ten times an hour', async () => {
    const service = await sharedService('binary', 'private sites');
    const own = await siteOf(service, 'localhost');
    await service.command('license', 'bind', own.license, '--domain', 'localhost');
    const statuses: number[] = [];
    for (let again = 0; again < 11; again++)
      statuses.push((await ask(service, own, { method: 'http', check: true })).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    const before = stored(service);
    const reply = await ask(service, own, { method: 'http', check: true });
    expect(reply.json.error.code).toBe('RATE_LIMITED');
    expect(Number(reply.headers.get('retry-after'))).toBeWithin(300, 361);
    expect([requests, stored(service)]).toEqual([10, before]);
  });
});
