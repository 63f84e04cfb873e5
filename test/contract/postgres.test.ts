import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_PURPOSES, PURPOSES } from '../../src/domain/signing/purposes.ts';
import { disconnect } from '../../src/storage/engine/database.ts';
import { SERVER_LOCK } from '../../src/storage/engine/postgres/generations.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { API, call } from '../support/client.ts';
import { openPostgres, type PostgresServer, postgresUrl, startPostgres } from '../support/postgres.ts';
import { PACE_MS } from '../support/senders.ts';
import { type RunningService, run, SURE, start, TARGETS, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const UNLIMITED = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_RATE_IP_PER_MINUTE: '100000' };

let server: PostgresServer;
/** The address of a new database. */
let url: string;
let made = 0;
beforeAll(async () => {
  server = await startPostgres();
});
beforeEach(async () => {
  const database = `test_${++made}`;
  const admin = openPostgres({ ...server.address, database: 'postgres' });
  await execute(admin, `create database ${database}`);
  await disconnect(admin);
  url = postgresUrl({ ...server.address, database });
});
afterAll(() => server.stop('SIGQUIT'));
afterEach(() => server.start());

/** Every request of the contract with a key, with its example; the ids do not exist. */
async function everyRequest(service: RunningService) {
  const { paths } = (await call(service.url, `${API}/openapi`)).json;
  return Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, 'nobodys'),
      body: operation.requestBody?.content['application/json']?.example,
    })),
  );
}

interface Operation {
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
}

/**
 * Statuses of requests that need no data: without Stripe purchases are mocked, and such an id is not found.
 */
const FROM_MEMORY: Readonly<Record<string, number>> = {
  [`${API}/status`]: 200,
  [`${API}/openapi`]: 200,
  [`${API}/checkout`]: 200,
  [`${API}/trust/nobodys`]: 404,
  [`${API}/trust/nobodys/badge.svg`]: 200,
};

describe.each([...TARGETS])('%s on PostgreSQL', (target) => {
  test('answers 503 at every route that needs an unavailable database, calls no license invalid, and recovers', async () => {
    // Its own process: its database is stopped and killed.
    const service = await start(target, {
      ...UNLIMITED,
      SERVICE_DATABASE_URL: url,
      SERVICE_THREAT_FEED_ENABLED: '1',
    });
    const { key } = await service.issue('--plan', 'enterprise');
    const me = () => call(service.url, `${API}/me`, { key });
    expect((await me()).status).toBe(200);
    const requests = await everyRequest(service);
    expect(requests.length).toBeGreaterThan(40);

    await server.stop('SIGQUIT');
    // A cached license is valid for a quarter of a second.
    const verify = () => call(service.url, `${API}/license/verify`, { key, body: {} });
    await until(async () => (await verify()).status === 503);
    const answered: unknown[][] = [];
    for (const { method, path, body } of requests) {
      // Its example has a mistyped key, which needs no query.
      const asked = path === `${API}/license/verify` ? {} : body;
      const reply = await call(service.url, path, { method, key, body: asked });
      const { status, headers, json } = reply;
      if (path in FROM_MEMORY) answered.push([path, status, FROM_MEMORY[path]]);
      else {
        answered.push([path, status, 503]);
        answered.push([path, json?.error?.code ?? json?.error, 'STORE_UNAVAILABLE']);
        answered.push([path, headers.get('retry-after'), '1']);
        answered.push([path, json?.valid, undefined]);
      }
    }
    expect(answered.filter(([, given, expected]) => given !== expected)).toEqual([]);
    const { status, json } = await call(service.url, '/readyz');
    expect([status, json.status]).toEqual([503, 'not ready']);
    expect((await call(service.url, '/healthz')).status).toBe(200);

    await server.start();
    await until(async () => (await me()).status === 200);
    await until(async () => (await call(service.url, '/readyz')).status === 200);
    expect(service.log()).not.toMatch(/postgres:|unexpected error/);
    await service.end();
  });

  test('has lost nothing acknowledged when the database was killed under load', async () => {
    const service = await start(target, { ...UNLIMITED, SERVICE_DATABASE_URL: url });
    const { key } = await service.issue(
      '--plan',
      'enterprise',
      '--domain',
      'a.example.com',
      '--daily-events',
      '0',
    );
    const acknowledged: string[] = [];
    let isOver = false;
    const sending = Array.from({ length: 4 }, async (_, sender) => {
      for (let index = 0; !isOver; index++) {
        const event_id = `${sender}-${index}`;
        const body = { domain: 'a.example.com', events: [{ type: 'login_failed', event_id }] };
        const { status } = await call(service.url, `${API}/telemetry`, { key, body });
        if (status === 200) acknowledged.push(event_id);
        else expect(status).toBe(503);
        await Bun.sleep(PACE_MS);
      }
    });
    for (let kill = 0; kill < 2; kill++) {
      const before = acknowledged.length;
      await until(() => acknowledged.length > before + 20);
      await server.stop('SIGQUIT');
      await server.start();
    }
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 20);
    isOver = true;
    await Promise.all(sending);

    const kept = new Set<string>();
    let cursor = '';
    do {
      const { json } = await call(service.url, `${API}/events?limit=100${cursor}`, { key });
      for (const { event_id } of json.data.events) kept.add(event_id);
      cursor = json.data.next_cursor ? `&cursor=${encodeURIComponent(json.data.next_cursor)}` : '';
    } while (cursor);
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    await service.end();
  });

  test('refuses a license as soon as the command that ends it has returned', async () => {
    const service = await start(target, { ...UNLIMITED, SERVICE_DATABASE_URL: url });
    for (let round = 0; round < 5; round++) {
      const { key, license_id } = await service.issue('--plan', 'pro');
      const verify = async () =>
        (await call(service.url, `${API}/license/verify`, { key, body: {} })).json.valid;
      expect(await verify()).toBe(true);
      await service.command('license', 'revoke', license_id, ...SURE);
      expect(await verify()).toBe(false);
    }
    await service.end();
  });
});

describe('a start', () => {
  const refused = (settings: Record<string, string>) =>
    run(
      'binary',
      { SERVICE_PORT: '0', SERVICE_ADMIN_PORT: 'off', SERVICE_DATA_DIR: temporaryDirectory(), ...settings },
      'serve',
    );

  test.each([
    ['is not an address', 'nonsense', 'must be an address'],
    ['names a missing database', 'nobodys', 'no such database'],
    ['names an unknown user', 'user', 'has no such role'],
  ])('with a setting that %s ends immediately, with exit code 2 and the remedy', async (_, kind, words) => {
    const address = { ...server.address, database: kind === 'nobodys' ? 'nobodys' : 'postgres' };
    const wrong = kind === 'user' ? postgresUrl({ ...address, user: 'nobody' }) : postgresUrl(address);
    const { exitCode, stderr } = await refused({ SERVICE_DATABASE_URL: kind === 'nonsense' ? kind : wrong });
    expect(exitCode).toBe(2);
    expect(stderr.trim().split('\n').at(-1)).toMatch(new RegExp(`SERVICE_DATABASE_URL.*(?:${words})`));
  });

  test("with other keys than the database's changes nothing, reports that, and creates none", async () => {
    const service = await start('binary', { SERVICE_DATABASE_URL: url });
    const missing = await refused({ SERVICE_DATABASE_URL: url });
    expect([missing.exitCode, missing.stderr]).toEqual([
      2,
      expect.stringContaining('installation.key is missing'),
    ]);
    const half = copyOfKey(service);
    const second = await refused({ SERVICE_DATABASE_URL: url, SERVICE_DATA_DIR: half });
    expect([second.exitCode, second.stderr]).toEqual([2, expect.stringContaining('evidence.pem is missing')]);
    expect(readdirSync(half).toSorted()).toEqual(['installation.key', 'redoubt.lock']);
    const other = temporaryDirectory();
    await run('binary', { SERVICE_DATA_DIR: other }, 'init');
    const third = await refused({ SERVICE_DATABASE_URL: url, SERVICE_KEYS_DIR: other });
    expect([third.exitCode, third.stderr]).toEqual([
      2,
      expect.stringContaining('installation.key is not the key'),
    ]);
    await service.end();
  });

  test('while a command has exclusive use of the database names that command', async () => {
    const keys = temporaryDirectory();
    const env = { SERVICE_DATABASE_URL: url, SERVICE_KEYS_DIR: keys, SERVICE_DATA_DIR: temporaryDirectory() };
    expect((await run('binary', env, 'init')).exitCode).toBe(0);
    const db = openPostgres({ ...server.address, database: `test_${made}` });
    await execute(db, `select pg_advisory_lock(${SERVER_LOCK})`);
    const { exitCode, stderr } = await refused(env);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('exclusive use')]);
    await disconnect(db);
    await (await start('binary', env)).end();
  });

  test('redoubt init creates tables and keys once, and --new-key creates other keys where those are lost', async () => {
    const keys = temporaryDirectory();
    const env = {
      SERVICE_DATABASE_URL: url,
      SERVICE_KEYS_DIR: keys,
      SERVICE_DATA_DIR: temporaryDirectory(),
      SERVICE_BASE_URL: 'https://nodes.example.com',
    };
    const init = async (...options: string[]) =>
      JSON.parse((await run('binary', env, 'init', '--json', ...options)).stdout).made as string[];
    expect(await init()).toEqual([
      'the tables of the database',
      join(keys, 'installation.key'),
      join(keys, 'signing', 'evidence.pem'),
      ...['credentials', ...KEY_PURPOSES.map((purpose) => PURPOSES[purpose].signs)].map((what) =>
        expect.stringContaining(`signs ${what}`),
      ),
    ]);
    expect(await init()).toEqual([]);
    const service = await start('binary', env);
    expect(service.log()).not.toMatch(/"level":"(?:warn|error)"/);
    await service.end();
    rmSync(join(keys, 'installation.key'));
    const { exitCode, stderr } = await refused(env);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('init --new-key')]);
    expect(await init('--new-key')).toEqual([join(keys, 'installation.key')]);
    await (await start('binary', env)).end();
  });
});

function copyOfKey({ env }: RunningService): string {
  const directory = temporaryDirectory();
  copyFileSync(join(env.SERVICE_DATA_DIR ?? '', 'installation.key'), join(directory, 'installation.key'));
  return directory;
}
