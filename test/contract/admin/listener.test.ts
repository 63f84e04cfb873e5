import { afterEach, expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { connect as connectOverTls } from 'node:tls';
import { ADMIN, adminContract, adminOf, adminOperations, tokenOf } from '../../support/admin.ts';
import { tlsSettings } from '../../support/certificate.ts';
import { API, call, expectHeaders } from '../../support/client.ts';
import { type Contract, paths } from '../../support/conformance.ts';
import {
  type Env,
  type RunningService,
  run,
  SEAM_TARGETS,
  start,
  type Target,
  until,
} from '../../support/service.ts';
import { rotating } from '../../support/suite.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

let service: RunningService;
afterEach(() => service?.end('SIGKILL'));

const adminTls = () => {
  const { SERVICE_TLS_CERT: cert, SERVICE_TLS_KEY: key } = tlsSettings();
  return { SERVICE_ADMIN_TLS_CERT: cert, SERVICE_ADMIN_TLS_KEY: key };
};
const served = async ({ url }: RunningService) => (await call(url, `${API}/status`)).status;
/** A request that has sent one byte of its body. */
const hanging = (token: string) =>
  `POST ${ADMIN}/licenses HTTP/1.1\r\nHost: x.test\r\nAuthorization: Bearer ${token}\r\nContent-Length: 9\r\n\r\n{`;

test.each([...SEAM_TARGETS])('%s: a path of one listener is an unknown path of the other', async (target) => {
  // Its own process: its ports and addresses are tested.
  service = await start(target, { SERVICE_THREAT_FEED_ENABLED: '1', SERVICE_ADMIN_RATE_PER_MINUTE: '1000' });
  const key = await tokenOf(service);
  const meet = async (base: string, path: string, method: string, contract?: Contract) => {
    const { status, json } = await call(base, path.replaceAll(/\{\w+\}/g, '1'), { key, method }, contract);
    return [path, status, json.error?.code ?? json.error];
  };
  for (const { path, method } of adminOperations)
    expect(await meet(service.url, path, method)).toEqual([path, 404, 'NOT_FOUND']);
  for (const path of [...paths, '/docs', '/metrics', '/healthz', '/readyz'])
    expect(await meet(service.adminUrl, path, 'GET', adminContract)).toEqual([path, 404, 'NOT_FOUND']);
});

test('SERVICE_ADMIN_PORT=off disables the interface only', async () => {
  service = await start('binary', { SERVICE_ADMIN_PORT: 'off' });
  expect([service.adminUrl, await served(service)]).toEqual(['', 200]);
});

const startingWith = (more: Env, target: Target = 'binary') =>
  run(
    target,
    { SERVICE_DATA_DIR: temporaryDirectory(), SERVICE_PORT: '0', SERVICE_ADMIN_PORT: '0', ...more },
    'serve',
  );

/** A port with one address taken by another program. */
async function taken(host: string) {
  const server = createServer().listen({ host, port: 0, exclusive: true });
  await once(server, 'listening');
  return { port: String((server.address() as AddressInfo).port), free: () => server.close() };
}

test.each(SEAM_TARGETS.flatMap((target) => ['127.0.0.1', '::1'].map((host) => [target, host] as const)))(
  '%s: a taken port at %s is a failed start with exit code 1, in one line with its setting and address',
  async (target, host) => {
    const { port, free } = await taken(host);
    const ways = [
      [{ SERVICE_ADMIN_PORT: port }, 'SERVICE_ADMIN_PORT', host],
      [{ SERVICE_ADMIN_PORT: port, SERVICE_ADMIN_HOST: '[::1]' }, 'SERVICE_ADMIN_PORT', host],
      [{ SERVICE_ADMIN_PORT: port, SERVICE_ADMIN_HOST: 'localhost' }, 'SERVICE_ADMIN_PORT', host],
      [{ SERVICE_PORT: port }, 'SERVICE_PORT', host],
      [{ SERVICE_PORT: port, SERVICE_HOST: '[::1]' }, 'SERVICE_PORT', host],
      [{ SERVICE_PORT: port, SERVICE_HOST: 'localhost' }, 'SERVICE_PORT', host],
    ] as const;
    // Each is one start, which takes Deno a second.
    for (const [settings, setting, at] of target === 'binary' ? ways : rotating(ways, 3)) {
      const { exitCode, stderr } = await startingWith(settings, target);
      const line = stderr.trim().split('\n').at(-1);
      expect([exitCode, line]).toEqual([1, expect.stringContaining(setting)]);
      expect(line).toContain(`${at === '::1' ? '[::1]' : at}:${port} `);
    }
    free();
  },
  60_000,
);

test('a port of all addresses includes both loopback addresses', async () => {
  const { port, free } = await taken('::1');
  const { exitCode, stderr } = await startingWith({ SERVICE_HOST: '0.0.0.0', SERVICE_PORT: port });
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining(`[::1]:${port} (SERVICE_HOST, SERVICE_PORT)`),
  ]);
  free();
  service = await start('binary', { SERVICE_HOST: '0.0.0.0' });
  const own = new URL(service.url).port;
  for (const host of ['127.0.0.1', '[::1]', 'localhost'])
    expect((await call(`http://${host}:${own}`, '/healthz')).status).toBe(200);
  const second = createServer().listen({ host: '::1', port: Number(own), exclusive: true });
  expect((await once(second, 'error'))[0]).toMatchObject({ code: 'EADDRINUSE' });
});

test.each([
  ['no-such-host.invalid', 'does not resolve to an address of this host. Set an address'],
  ['192.0.2.1', 'has no such address. Set another one'],
])('the start gives the remedy for the host %s, without the wording of the runtime', async (host, words) => {
  const { exitCode, stderr } = await startingWith({ SERVICE_HOST: host });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(words)]);
  expect(stderr).not.toContain(' | ');
});

test('the default port of the admin API is no exception', async () => {
  service = await start('binary', { SERVICE_ADMIN_PORT: '' });
  expect(new URL(service.adminUrl).port).toBe('8081');
  const { exitCode, stderr } = await startingWith({ SERVICE_ADMIN_PORT: '' });
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining('127.0.0.1:8081 (SERVICE_ADMIN_HOST, SERVICE_ADMIN_PORT)'),
  ]);
  const same = await startingWith({ SERVICE_ADMIN_PORT: '', SERVICE_PORT: '8081' });
  expect([same.exitCode, same.stderr]).toEqual([2, expect.stringContaining('are both 8081')]);
});

test.each([...SEAM_TARGETS])(
  '%s: each listener has both loopback addresses, also after a reload, and closes them at its end',
  async (target) => {
    service = await start(target);
    const headers = { authorization: `Bearer ${await tokenOf(service)}` };
    const ask = (host: string, base: string, path: string) => {
      const { port } = new URL(base);
      return fetch(`http://${host}:${port}${path}`, { headers }).then(
        ({ status }) => status,
        () => 'refused',
      );
    };
    const all = async () => {
      const answers = new Set();
      for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
        answers.add(await ask(host, service.adminUrl, `${ADMIN}/status`));
        answers.add(await ask(host, service.url, `${API}/status`));
      }
      return [...answers];
    };
    expect(await all()).toEqual([200]);
    expect((await run('binary', service.env, 'reload')).exitCode).toBe(0);
    expect(await all()).toEqual([200]);
    await service.end();
    expect(await all()).toEqual(['refused']);
  },
);

test('an IPv6 address is shown in one pair of brackets, in either form of the setting', async () => {
  for (const host of ['::1', '[::1]']) {
    service = await start('binary', { SERVICE_HOST: host, SERVICE_ADMIN_HOST: host });
    expect([service.url, service.adminUrl].map((url) => url.replace(/\d+$/, ''))).toEqual([
      'http://[::1]:',
      'http://[::1]:',
    ]);
    expect(await served(service)).toBe(200);
    await service.end();
  }
});

test('a public address without TLS ends the start with exit code 2', async () => {
  for (const host of ['0.0.0.0', '::', '[::]', '192.0.2.1']) {
    const open = await startingWith({ SERVICE_ADMIN_HOST: host });
    expect([open.exitCode, open.stderr]).toEqual([2, expect.stringContaining('SERVICE_ADMIN_TLS_CERT')]);
  }
});

test.each([...SEAM_TARGETS])(
  '%s: over TLS only SERVICE_ADMIN_ALLOW is allowed, independent of forwarded headers; a reload renews both',
  async (target) => {
    const [file, tls] = [join(temporaryDirectory(), 'settings.env'), adminTls()];
    const allow = (addresses: string) => writeFileSync(file, `SERVICE_ADMIN_ALLOW=${addresses}\n`);
    allow('203.0.113.0/24');
    service = await start(target, {
      ...tls,
      SERVICE_CONFIG: file,
      SERVICE_ADMIN_HOST: '0.0.0.0',
      SERVICE_ADMIN_TRUSTED_PROXIES: '127.0.0.1',
    });
    const token = await tokenOf(service);
    const base = service.adminUrl.replace('0.0.0.0', '127.0.0.1');
    const ask = async (path: string, method = 'GET') => {
      const answer = await fetch(base + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9' },
        tls: { rejectUnauthorized: false },
      });
      expectHeaders(answer.headers);
      const { error } = (await answer.json()) as { error?: { code: string } };
      return [answer.status, error?.code];
    };
    for (const { path, method } of [...adminOperations, { path: '/', method: 'GET' }])
      expect(await ask(path, method)).toEqual([403, 'ADDRESS_NOT_ALLOWED']);
    const certificate = () =>
      new Promise<string>((resolve, reject) => {
        const port = Number(new URL(base).port);
        const socket = connectOverTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
          resolve(String(new X509Certificate(socket.getPeerCertificate().raw)));
          socket.destroy();
        });
        socket.on('error', reject);
      });
    const before = readFileSync(tls.SERVICE_ADMIN_TLS_CERT, 'utf8');
    expect(await certificate()).toBe(before);
    const renewed = adminTls();
    copyFileSync(renewed.SERVICE_ADMIN_TLS_CERT, tls.SERVICE_ADMIN_TLS_CERT);
    expect((await run('binary', service.env, 'reload')).exitCode).toBe(1);
    expect([await certificate(), (await ask('/healthz'))[0]]).toEqual([before, 403]);
    copyFileSync(renewed.SERVICE_ADMIN_TLS_KEY, tls.SERVICE_ADMIN_TLS_KEY);
    allow('127.0.0.1');
    expect((await run('binary', service.env, 'reload')).exitCode).toBe(0);
    expect(await certificate()).toBe(readFileSync(renewed.SERVICE_ADMIN_TLS_CERT, 'utf8'));
    expect([await ask(`${ADMIN}/status`), await ask('/healthz')]).toEqual([
      [200, undefined],
      [404, 'NOT_FOUND'],
    ]);
  },
);

test.each([
  ['200 idle connections', 200, () => ''],
  ['20 that stop within a body', 20, hanging],
])('%s of the admin API block no client of either listener', async (_, count, textWith) => {
  service = await start('binary', { SERVICE_CONNECTIONS: '50' });
  const token = await tokenOf(service);
  const { hostname, port } = new URL(service.adminUrl);
  let tried = 0;
  let open = 0;
  const sockets = Array.from({ length: count }, () => {
    let isOpen = false;
    const socket = connect(Number(port), hostname, () => {
      isOpen = true;
      tried += 1;
      open += 1;
      socket.write(textWith(token));
    });
    return socket
      .on('error', () => {})
      .on('close', () => {
        if (isOpen) open -= 1;
        else tried += 1;
      });
  });
  // Some may be reset before they are open, and the first may be closed before the last is opened.
  await until(() => tried === count);
  if (count > 50) await until(() => service.log().includes('too many connections'));
  // While one listener replaces another, new connections to that are reset.
  await until(() => open <= 50);
  for (let again = 0; again < 10; again++) expect(await served(service)).toBe(200);
  expect((await adminOf(service, token)('/status')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});
