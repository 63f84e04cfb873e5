import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Client } from 'pg';
import { disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { API, call } from '../support/client.ts';
import { debianPostgres, promote, startCopy, startDebianPostgres } from '../support/debian-postgres.ts';
import { type Forwarder, startForwarder } from '../support/forwarder.ts';
import { emptyDatabase, type Nodes, startNodes } from '../support/nodes.ts';
import { openPostgres, type PostgresServer } from '../support/postgres.ts';
import { type Senders, startSenders } from '../support/senders.ts';
import { type RunningService, run, SURE, UNLIMITED, until } from '../support/service.ts';

// Runs with the whole matrix: it copies a PostgreSQL server and promotes the copy.

if (debianPostgres === undefined)
  console.warn('failing over to a standby is not tested: no PostgreSQL 15 or later is installed');

describe.skipIf(debianPostgres === undefined)(
  'three nodes under load and a database with a synchronous standby',
  () => {
    let primary: PostgresServer;
    let standby: PostgresServer;
    let forwarder: Forwarder;
    let nodes: Nodes;
    let senders: Senders;
    let key: string;
    let revoked: string;

    beforeAll(async () => {
      primary = await startDebianPostgres();
      standby = await startCopy(primary, [], 'standby');
      const admin = openPostgres({ ...primary.address, database: 'postgres' });
      await execute(admin, "alter system set synchronous_standby_names = 'standby'");
      await execute(admin, 'select pg_reload_conf()');
      await disconnect(admin);
      forwarder = await startForwarder(primary.directory);
      const { pathname } = new URL(await emptyDatabase(primary));
      const SERVICE_DATABASE_URL = `postgres://redoubt@127.0.0.1:${forwarder.port}${pathname}`;
      nodes = await startNodes(primary, { ...UNLIMITED, SERVICE_DATABASE_URL });
      const options = ['--plan', 'enterprise', '--domain', 'a.example.com', '--daily-events', '0'];
      ({ key } = await nodes.services[0].issue(...options));
      senders = startSenders(() => nodes.services, key);
    });
    afterAll(async () => {
      await senders?.end();
      await nodes?.end();
      forwarder?.end();
      await standby?.stop('SIGQUIT');
      await primary?.stop('SIGQUIT');
    });

    const everyNode = async (holds: (service: RunningService) => Promise<boolean>) =>
      until(async () => (await Promise.all(nodes.services.map(holds))).every(Boolean), 20_000);
    const readiness = (status: number) =>
      everyNode(async ({ url }) => (await call(url, '/readyz')).status === status);
    const verify = ({ url }: RunningService, of: string) =>
      call(url, `${API}/license/verify`, { key: of, body: {} });

    test('acknowledge nothing without the standby, and continue automatically when it returns', async () => {
      await senders.more(20);
      await standby.stop();
      await readiness(503);
      expect((await verify(nodes.services[0], key)).json.valid).toBe(true);
      await standby.start();
      await readiness(200);
      await senders.more(20);
    });

    test('refuse every request that would depend on a lagging standby', async () => {
      const license = await nodes.services[0].issue('--plan', 'pro');
      revoked = license.key;
      const behind = new Client({ ...standby.address, database: 'postgres' });
      await behind.connect();
      await behind.query('select pg_wal_replay_pause()');
      await behind.end();
      await nodes.services[0].command('license', 'revoke', license.license_id, ...SURE);
      await primary.kill();
      forwarder.leadTo(standby.directory);
      await everyNode(async (service) => {
        expect((await verify(service, revoked)).json.valid).not.toBe(true);
        return (await call(service.url, '/readyz')).status === 503;
      });
      await everyNode(async (service) => (await verify(service, key)).status === 503);
      for (const service of nodes.services) {
        const { status, headers, json } = await verify(service, revoked);
        expect([status, headers.get('retry-after'), json.error, json.valid]).toEqual([
          503,
          '1',
          'STORE_UNAVAILABLE',
          undefined,
        ]);
      }
    });

    test('report to an operator that the server is a standby', async () => {
      const [{ env }] = nodes.services;
      const listed = await run('binary', env, 'license', 'list');
      expect([listed.exitCode, listed.stderr]).toEqual([1, expect.stringContaining('is a standby')]);
      const { findings } = JSON.parse((await run('binary', env, 'doctor', '--json')).stdout);
      expect(findings).toContainEqual(expect.objectContaining({ id: 'database-read-only' }));
    });

    test('continue automatically after its promotion, and still refuse revoked licenses', async () => {
      promote(standby);
      await readiness(200);
      await senders.more(20);
      for (const service of nodes.services) expect((await verify(service, revoked)).json.valid).toBe(false);
    });

    test('have lost nothing acknowledged, and answered every request in time', async () => {
      await senders.loseNothing(nodes.env);
      for (const { log } of nodes.services) expect(log()).not.toMatch(/postgres:|unexpected error/);
    });
  },
);
