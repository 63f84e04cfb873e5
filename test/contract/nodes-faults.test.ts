import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { migratePostgres } from '../../src/storage/engine/postgres/migrate.ts';
import { POSTGRES_MIGRATIONS } from '../../src/storage/engine/postgres/migrations.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { API, call } from '../support/client.ts';
import { type FakeSite, openQuietSite } from '../support/fake-site.ts';
import { freePort } from '../support/free-port.ts';
import { emptyDatabase, inDatabase, type Nodes, startNodes } from '../support/nodes.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { askScan, issueControlled } from '../support/scans.ts';
import { type Senders, startSenders } from '../support/senders.ts';
import { type Env, type RunningService, run, SURE, start, UNLIMITED, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** The time until others are asked instead of a node that is stopping. */
const LEAVE_SECONDS = 3;
/** With the ten seconds for running requests. */
const ENDED_MS_MAX = 15_000;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop('SIGQUIT'));
afterEach(() => server.start());

describe('three nodes under load', () => {
  let nodes: Nodes;
  let services: RunningService[];
  let key: string;
  let senders: Senders;

  beforeAll(async () => {
    nodes = await startNodes(server, UNLIMITED);
    services = [...nodes.services];
    const options = ['--plan', 'enterprise', '--domain', 'a.example.com', '--daily-events', '0'];
    ({ key } = await nodes.services[0].issue(...options));
    senders = startSenders(() => services, key);
  });
  afterAll(async () => {
    await senders.end();
    await Promise.all(services.map((service) => service.end()));
  });

  const allReady = () =>
    until(
      async () =>
        (await Promise.all(services.map(({ url }) => call(url, '/readyz')))).every(
          ({ status }) => status === 200,
        ),
      20_000,
    );

  test('continue when one is killed, and it returns automatically', async () => {
    await senders.more(20);
    const [first, ...others] = services as [RunningService, ...RunningService[]];
    await first.end('SIGKILL');
    services = others;
    await senders.more(20);
    // Its own process: nodes are killed.
    services = [await start('binary', first.env), ...others];
    await allReady();
    await senders.more(20);
  });

  test('survive a kill and a restart of the database', async () => {
    await server.stop('SIGQUIT');
    await until(async () => (await call(services[0]?.url ?? '', '/readyz')).status === 503);
    await server.start();
    await allReady();
    await senders.more(20);
  });

  test('survive a frozen database', async () => {
    server.freeze('SIGSTOP');
    try {
      await until(async () => (await call(services[0]?.url ?? '', '/readyz')).status === 503);
      const { status, json } = await call(services[0]?.url ?? '', `${API}/license/verify`, { key, body: {} });
      expect([status, json.error, json.valid]).toEqual([503, 'STORE_UNAVAILABLE', undefined]);
    } finally {
      server.freeze('SIGCONT');
    }
    await allReady();
    await senders.more(20);
  });

  test('survive the loss of every database connection, and of the notifications with them', async () => {
    for (let round = 0; round < 3; round++) {
      await inDatabase(nodes.env, async (db) => {
        const ended = await prepare<object>(
          db,
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'redoubt' and pid <> pg_backend_pid()",
        ).all();
        expect(ended.length).toBeGreaterThan(10);
      });
      const { key: other, license_id } = await (services[0] as RunningService).issue('--plan', 'pro');
      await services[0]?.command('license', 'revoke', license_id, ...SURE);
      for (const { url } of services) {
        const { json } = await call(url, `${API}/license/verify`, { key: other, body: {} });
        expect(json.valid ?? false).toBe(false);
      }
    }
    await allReady();
    await senders.more(20);
  });

  test('have lost nothing acknowledged, stored nothing twice, and answered every request in time', async () => {
    await senders.loseNothing(nodes.env);
    for (const { log } of services) expect(log()).not.toMatch(/postgres:|unexpected error/);
  });
});

describe('a scan on a node', () => {
  test('that died is reported as interrupted by another, and waiting scans run', async () => {
    const nodes = await startNodes(server, UNLIMITED);
    const { key, license_id } = await nodes.services[0].issue('--plan', 'pro');
    const id = license_id.slice('lic_'.length);
    const startedAt = Date.now() - 91_000;
    await inDatabase(nodes.env, (db) =>
      execute(
        db,
        `insert into scans (public_id, license_id, domain, site_url, type, trigger, queued_at, started_at) values
          ('left000000000000000000', ${id}, 'a.example.com', 'https://a.example.com/', 'posture', 'api', ${startedAt}, ${startedAt}),
          ('waits00000000000000000', ${id}, 'b.example.com', 'https://b.example.com/', 'posture', 'api', ${startedAt}, null)`,
      ),
    );
    const read = async (name: string) =>
      (await call(nodes.services[1].url, `${API}/scans/${name}`, { key })).json.data;
    await until(async () => (await read('left000000000000000000')).status !== 'running');
    expect(await read('left000000000000000000')).toMatchObject({ status: 'failed', failure: 'interrupted' });
    await until(async () => (await read('waits00000000000000000')).finished_at !== null);
    await nodes.end();
  });
});

describe('a node under load that is stopped', () => {
  test('announces that, answers requests on closing connections, ends its scan, and exits in time', async () => {
    const nodes = await startNodes(server, {
      ...UNLIMITED,
      SERVICE_SCAN_ALLOW_PRIVATE: '1',
      SERVICE_LEAVE_SECONDS: String(LEAVE_SECONDS),
    });
    const [leaving, other] = nodes.services;
    const { key } = await issueControlled(leaving);
    const sites: FakeSite[] = [];
    const never = Promise.withResolvers<void>();
    const site_url = await openQuietSite(sites, never.promise);
    const { scan_id } = (await askScan(leaving, key, { site_url, scan_type: 'surface' })).json.data;
    const scan = async () => (await call(other.url, `${API}/scans/${scan_id}`, { key })).json.data;
    await until(async () => (await scan()).status === 'running');

    const begun = performance.now();
    const ended = leaving.end('SIGTERM');
    const isTold = async () => (await call(leaving.url, '/readyz')).json.problems[0];
    await until(async () => (await isTold()) === 'this node is stopping');
    for (let asked = 0; asked < 20; asked++) {
      const { status, headers } = await call(leaving.url, `${API}/me`, { key });
      expect([status, headers.get('connection')]).toEqual([200, 'close']);
    }
    expect(await ended).toBe(0);
    expect(performance.now() - begun).toBeWithin(LEAVE_SECONDS * 1_000, ENDED_MS_MAX);
    await until(async () => (await scan()).status !== 'running', 5_000);
    expect(await scan()).toMatchObject({ status: 'failed', failure: 'interrupted' });
    never.resolve();
    for (const site of sites) site.close();
    await nodes.end();
  });
});

test('a node that is stopped while its database does not respond ends in time', async () => {
  // Its own process: it is stopped.
  const service = await start('binary', { ...UNLIMITED, SERVICE_DATABASE_URL: await emptyDatabase(server) });
  server.freeze('SIGSTOP');
  try {
    await until(async () => (await call(service.url, '/readyz')).status === 503);
    const begun = performance.now();
    expect(await service.end('SIGTERM')).toBe(0);
    expect(performance.now() - begun).toBeLessThan(ENDED_MS_MAX);
  } finally {
    server.freeze('SIGCONT');
  }
});

describe('a migration that is incompatible with older servers', () => {
  const migrations = [
    ...POSTGRES_MIGRATIONS,
    { name: 'further', version: MIGRATIONS.length + 1, sql: 'select 1;', stopsTheWorld: true },
  ];

  test('runs on request when no server is seen, and a disconnected old server serves no requests afterwards', async () => {
    const service = await start('binary', {
      ...UNLIMITED,
      SERVICE_DATABASE_URL: await emptyDatabase(server),
    });
    const { key } = await service.issue('--plan', 'pro');
    const verify = () => call(service.url, `${API}/license/verify`, { key, body: {} });
    expect((await verify()).status).toBe(200);
    await inDatabase(service.env, async (db) => {
      await expect(migratePostgres(db, { migrations })).rejects.toThrow('migrate --stop-the-world');
      const stopping = () => migratePostgres(db, { migrations, stopTheWorld: true });
      await expect(stopping()).rejects.toThrow('Stop all servers first');
      service.process.kill('SIGSTOP');
      await execute(
        db,
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'redoubt' and pid <> pg_backend_pid()",
      );
      expect(await until(() => stopping().catch(() => undefined))).toBe(MIGRATIONS.length);
    });
    service.process.kill('SIGCONT');
    await until(async () => (await verify()).status === 503);
    for (const path of ['/me', '/events']) {
      const { status, json } = await call(service.url, API + path, { key });
      expect([status, json.error.code]).toEqual([503, 'STORE_UNAVAILABLE']);
    }
    expect((await call(service.url, '/readyz')).status).toBe(503);
    await service.end();
  });
});

describe('a start', () => {
  test('on an older database waits for "redoubt migrate" and reports that, answering 503 meanwhile', async () => {
    const env: Env = {
      ...UNLIMITED,
      SERVICE_DATABASE_URL: await emptyDatabase(server),
      SERVICE_DATA_DIR: temporaryDirectory(),
      SERVICE_PORT: '0',
      SERVICE_ADMIN_PORT: 'off',
    };
    const made = await run('binary', env, 'init', '--json');
    expect(made.exitCode).toBe(0);
    const status = await run('next', env, 'migrate', '--status', '--json');
    expect([status.exitCode, JSON.parse(status.stdout).changes]).toEqual([3, ['further']]);

    const port = await freePort();
    const starting = start('next', { ...env, SERVICE_PORT: String(port) });
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.status === 200);
    const ready = await call(url, '/readyz');
    expect([ready.status, ready.json.status]).toEqual([503, 'not ready']);
    await until(async () => /redoubt migrate/.test((await call(url, '/readyz')).json.problems[0]));
    for (const path of ['/me', '/license/verify', '/status', '/nothing']) {
      const { status, headers, json } = await call(url, API + path, {
        method: path === '/license/verify' ? 'POST' : 'GET',
        ...(path === '/license/verify' ? { body: {} } : {}),
      });
      expect([status, json.error.code ?? json.error, headers.get('retry-after')]).toEqual([
        503,
        'STORE_UNAVAILABLE',
        '1',
      ]);
      expect(json.valid).toBeUndefined();
    }
    const migrated = await run('next', env, 'migrate', '--json');
    expect([migrated.exitCode, JSON.parse(migrated.stdout).migrated]).toEqual([0, true]);
    const service = await starting;
    expect((await call(url, '/readyz')).status).toBe(200);
    expect(service.log()).toContain('waiting for');
    await service.end();
  });
});
