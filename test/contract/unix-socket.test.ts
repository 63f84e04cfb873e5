import { afterEach, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { tokenOf } from '../support/admin.ts';
import { tlsSettings } from '../support/certificate.ts';
import { API, expectHeaders } from '../support/client.ts';
import { type Env, type RunningService, run, SEAM_TARGETS, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Each test has its own service, because it changes where that listens.

let service: RunningService;
afterEach(() => service?.end('SIGKILL'));

const PUBLIC = { SERVICE_BASE_URL: 'https://redoubt.example', SERVICE_ADMIN_PORT: 'off' };

const overSocket = async (path: string, target: string, init: RequestInit = {}) => {
  const response = await fetch(`http://localhost${target}`, { ...init, unix: path });
  expectHeaders(response.headers);
  return response;
};
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** The answer to raw bytes. */
const raw = (path: string, text: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = '';
    const socket = connect(path, () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
  });

test.each([...SEAM_TARGETS])(
  '%s: a Unix socket serves requests as a port does, and limits callers by the forwarded address',
  async (target) => {
    const path = join(temporaryDirectory(), 'http.sock');
    // Its own process: where it listens is what is tested.
    service = await start(target, {
      ...PUBLIC,
      SERVICE_HOST: path,
      SERVICE_TRUSTED_PROXIES: '127.0.0.1',
      SERVICE_RATE_IP_PER_MINUTE: '2',
    });
    expect([service.url, modeOf(path)]).toEqual([`unix:${path}`, '660']);
    const { key } = await service.issue('--plan', 'pro', '--domain', 'shop.com');
    const me = await overSocket(path, `${API}/me`, { headers: { authorization: `Bearer ${key}` } });
    expect(me.status).toBe(200);
    const verify = (address: string) =>
      overSocket(path, `${API}/license/verify`, {
        method: 'POST',
        headers: { 'x-forwarded-for': address },
        body: JSON.stringify({ api_key: key, domain: 'shop.com' }),
      });
    const first = await verify('192.0.2.1');
    expect([first.status, ((await first.json()) as { valid: boolean }).valid]).toEqual([200, true]);
    expect((await verify('192.0.2.1')).status).toBe(200);
    expect((await verify('192.0.2.1')).status).toBe(429);
    expect((await verify('192.0.2.2')).status).toBe(200);
    expect(await raw(path, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.[01] 200 /);
    for (const host of ['xn--a9a9a9a9a9a9a9', 'x', 'a.example:8080'])
      expect(
        await raw(path, `GET ${API}/status?x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      ).toStartWith('HTTP/1.1 200');
    expect((await overSocket(path, '/metrics')).status).toBe(200);
    expect((await overSocket(path, '/metrics', { headers: { 'x-forwarded-for': '192.0.2.1' } })).status).toBe(
      404,
    );
    expect((await run('binary', service.env, 'reload')).exitCode).toBe(0);
    expect((await overSocket(path, '/readyz')).status).toBe(200);
    expect(await service.end()).toBe(0);
    expect(existsSync(path)).toBe(false);
  },
);

test.each([...SEAM_TARGETS])(
  '%s: the admin API listens on a Unix socket with the configured mode, also after a kill',
  async (target) => {
    const path = join(temporaryDirectory(), 'admin.sock');
    service = await start(target, { SERVICE_ADMIN_HOST: path, SERVICE_ADMIN_SOCKET_MODE: '600' });
    expect([service.adminUrl, modeOf(path)]).toEqual([`unix:${path}`, '600']);
    const headers = { authorization: `Bearer ${await tokenOf(service)}` };
    const status = async () => (await overSocket(path, '/admin/v1/status', { headers })).status;
    expect(await status()).toBe(200);
    await service.end('SIGKILL');
    expect(existsSync(path)).toBe(true);
    service = await start(target, service.env);
    expect([await status(), modeOf(path)]).toEqual([200, '600']);
  },
);

/** A start that must fail. */
async function startingWith(settings: Env): Promise<[number, string]> {
  const { exitCode, stderr } = await run(
    'binary',
    { SERVICE_DATA_DIR: temporaryDirectory(), SERVICE_PORT: '0', SERVICE_ADMIN_PORT: '0', ...settings },
    'serve',
  );
  return [exitCode, stderr.trim().split('\n').at(-1) ?? ''];
}

test("a socket of another listening program is a failed start with exit code 1, and stays that program's", async () => {
  const path = join(temporaryDirectory(), 'http.sock');
  service = await start('binary', { ...PUBLIC, SERVICE_HOST: path });
  for (const settings of [{ ...PUBLIC, SERVICE_HOST: path }, { SERVICE_ADMIN_HOST: path }]) {
    const [exitCode, line] = await startingWith(settings);
    expect([exitCode, line]).toEqual([1, expect.stringContaining(`unix:${path} (SERVICE_`)]);
    expect(line).toContain('the socket is already in use');
  }
  expect((await overSocket(path, '/readyz')).status).toBe(200);
});

test('a path that another user could own is refused with exit code 2, and its file stays', async () => {
  const base = temporaryDirectory();
  const folder = (name: string, mode: number) => {
    const path = join(base, name);
    mkdirSync(path, { recursive: true });
    chmodSync(path, mode);
    return path;
  };
  const file = join(folder('file', 0o700), 'http.sock');
  writeFileSync(file, 'mine');
  const directory = folder('directory/http.sock', 0o700);
  const below = join(folder('open', 0o777), 'closed');
  mkdirSync(below, { mode: 0o700 });
  for (const [path, why] of [
    [join(folder('all', 0o777), 'http.sock'), 'other users can write to'],
    [join(folder('sticky', 0o1777), 'http.sock'), 'other users can write to'],
    [join(folder('group', 0o770), 'http.sock'), 'chmod go-w'],
    [join(below, 'http.sock'), `other users can write to ${join(base, 'open')}`],
    [join(base, 'missing/http.sock'), 'does not exist'],
    [file, 'exists and is not a socket'],
    [directory, 'exists and is not a socket'],
  ] as const)
    for (const setting of ['SERVICE_HOST', 'SERVICE_ADMIN_HOST']) {
      const admin = setting === 'SERVICE_HOST' ? PUBLIC : {};
      const [exitCode, line] = await startingWith({ ...admin, [setting]: path });
      expect([path, exitCode, line]).toEqual([path, 2, expect.stringContaining(`unix:${path} (${setting})`)]);
      expect(line).toContain(why);
    }
  expect([statSync(file).size, statSync(directory).isDirectory()]).toEqual([4, true]);
});

test('settings that contradict a Unix socket are refused with exit code 2', async () => {
  const path = join(temporaryDirectory(), 'http.sock');
  const { SERVICE_TLS_CERT, SERVICE_TLS_KEY } = tlsSettings();
  for (const [settings, why] of [
    [{ SERVICE_HOST: path }, 'Set SERVICE_BASE_URL'],
    [{ ...PUBLIC, SERVICE_HOST: path, SERVICE_TLS_CERT, SERVICE_TLS_KEY }, 'Unset SERVICE_TLS_CERT'],
    [
      {
        SERVICE_ADMIN_HOST: path,
        SERVICE_ADMIN_TLS_CERT: SERVICE_TLS_CERT,
        SERVICE_ADMIN_TLS_KEY: SERVICE_TLS_KEY,
      },
      'Unset SERVICE_ADMIN_TLS_CERT',
    ],
    [
      { ...PUBLIC, SERVICE_ADMIN_PORT: '0', SERVICE_HOST: path, SERVICE_ADMIN_HOST: path },
      'are the same Unix socket',
    ],
    [{ ...PUBLIC, SERVICE_HOST: `/${'x'.repeat(107)}` }, 'at most 107 bytes'],
    [{ SERVICE_ADMIN_HOST: `/${'x'.repeat(107)}` }, 'at most 107 bytes'],
    [{ SERVICE_HOST: 'run/http.sock' }, 'SERVICE_HOST'],
    [{ SERVICE_HOST: '/run/' }, 'SERVICE_HOST'],
    [{ SERVICE_ADMIN_HOST: 'unix:/run/http.sock' }, 'SERVICE_ADMIN_HOST'],
    [{ SERVICE_SOCKET_MODE: '0888' }, 'SERVICE_SOCKET_MODE'],
    [{ SERVICE_ADMIN_SOCKET_MODE: 'rw-rw----' }, 'SERVICE_ADMIN_SOCKET_MODE'],
    [{ SERVICE_ADMIN_SOCKET_MODE: '4755' }, 'SERVICE_ADMIN_SOCKET_MODE'],
  ] as const) {
    const [exitCode, line] = await startingWith(settings);
    expect([settings, exitCode, line]).toEqual([settings, 2, expect.stringContaining(why)]);
  }
  expect(existsSync(path)).toBe(false);
});

test('an operator reaches the admin API over its socket by the address that commands print', async () => {
  const path = join(temporaryDirectory(), 'admin.sock');
  service = await start('binary', { SERVICE_ADMIN_HOST: path, SERVICE_ADMIN_PORT: '8081' });
  const link =
    /http:\S+/.exec(await service.command('operator', 'add', 'alice', '--role', 'owner'))?.[0] ?? '';
  const { origin, pathname } = new URL(link);
  expect(origin).toBe('http://localhost:8081');
  expect((await overSocket(path, pathname, { headers: { host: 'localhost:8081' } })).status).toBe(200);
});
