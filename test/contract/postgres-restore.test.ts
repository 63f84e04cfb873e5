import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { API, call } from '../support/client.ts';
import { debianPostgres, debianProgram, startCopy, startDebianPostgres } from '../support/debian-postgres.ts';
import { type FakeSite, openQuietSite } from '../support/fake-site.ts';
import { emptyDatabase } from '../support/nodes.ts';
import { type PostgresServer, postgresUrl, runPostgres } from '../support/postgres.ts';
import { askScan, endedScan, issueControlled } from '../support/scans.ts';
import { type Env, type RunningService, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Runs with the whole matrix: it dumps and restores a PostgreSQL server.

if (debianPostgres === undefined)
  console.warn('restoring with the tools of PostgreSQL is not tested: they are not installed');

describe.skipIf(debianPostgres === undefined)(
  'a database restored from backups with the tools of PostgreSQL',
  () => {
    const servers: PostgresServer[] = [];
    const sites: FakeSite[] = [];
    let env: Env;
    let database: string;
    let site_url: string;
    let tenant: Awaited<ReturnType<typeof issueControlled>>;

    beforeAll(async () => {
      servers.push(await startDebianPostgres());
      const url = await emptyDatabase(first());
      database = new URL(url).pathname.slice(1);
      env = {
        SERVICE_RATE_KEY_PER_MINUTE: '100000',
        SERVICE_RATE_IP_PER_MINUTE: '100000',
        SERVICE_SCAN_ALLOW_PRIVATE: '1',
        SERVICE_DATABASE_URL: url,
        SERVICE_KEYS_DIR: temporaryDirectory(),
        SERVICE_DATA_DIR: temporaryDirectory(),
      };
      // Its own process: its database is lost and restored.
      const service = await start('binary', env);
      tenant = await issueControlled(service);
      const events = ['one', 'two'].map((event_id) => ({ type: 'login_failed', event_id }));
      const body = { domain: 'localhost', events };
      expect((await call(service.url, `${API}/telemetry`, { key: tenant.key, body })).status).toBe(200);
      site_url = await openQuietSite(sites);
      await grow(service);
      await service.end();
    });
    afterAll(async () => {
      for (const site of sites) site.close();
      await Promise.all(servers.map((server) => server.stop('SIGQUIT')));
    });

    const first = () => servers[0] as PostgresServer;
    const on = (server: PostgresServer): Env => ({
      ...env,
      SERVICE_DATABASE_URL: postgresUrl({ ...server.address, database }),
    });
    const answerOf = async ({ url }: RunningService, path: string) =>
      (await call(url, API + path, { key: tenant.key })).json.data;
    /** Causes an evidence entry of the license, signed as for a proof. */
    async function grow(service: RunningService) {
      const { scan_id } = (await askScan(service, tenant.key, { site_url, scan_type: 'surface' })).json.data;
      await endedScan(service, tenant.key, scan_id);
      const { size, pending } = await answerOf(service, '/evidence');
      const proof = await fetch(`${service.url}${API}/evidence/entries/${size + pending - 1}/proof`, {
        headers: { authorization: `Bearer ${tenant.key}` },
      });
      expect(proof.status).toBe(200);
    }
    const everything = async (service: RunningService) => ({
      events: (await answerOf(service, '/events')).events,
      sites: (await answerOf(service, '/sites')).sites,
      scans: await answerOf(service, '/scans'),
      evidence: await answerOf(service, '/evidence'),
      entries: (await answerOf(service, '/evidence/entries')).entries,
      license: (await call(service.url, `${API}/license/verify`, { key: tenant.key, body: {} })).json,
    });

    test('with pg_dump and pg_restore on another server has the same answers and the same keys', async () => {
      const before = await start('binary', env);
      const answers = await everything(before);
      await before.end();
      const archive = join(temporaryDirectory(), 'redoubt.dump');
      const { host, user } = first().address;
      runPostgres(debianProgram('pg_dump'), '-h', host, '-U', user, '-Fc', '-f', archive, database);
      const other = await startDebianPostgres();
      servers.push(other);
      const there = ['-h', other.address.host, '-U', user];
      runPostgres(
        debianProgram('createdb'),
        ...there,
        '--encoding',
        'UTF8',
        '--template',
        'template0',
        database,
      );
      runPostgres(debianProgram('pg_restore'), ...there, '-d', database, archive);
      const restored = await start('binary', on(other));
      expect(await everything(restored)).toEqual(answers);
      await restored.end();
    });

    test('from a base backup older than the last signature continues with another evidence log', async () => {
      const backup = await startCopy(first());
      servers.push(backup);
      const service = await start('binary', env);
      await grow(service);
      const signed = await answerOf(service, '/evidence');
      await service.end();

      const restored = await start('binary', on(backup));
      const now = await answerOf(restored, '/evidence');
      expect(now.origin).toBe(`${signed.origin}/2`);
      const [entry] = (await answerOf(restored, '/evidence/entries')).entries;
      expect(JSON.parse(entry.entry)).toMatchObject({
        type: 'restored',
        data: {
          origin: signed.origin,
          signed: [{ number: 1, size: signed.size, root_hash: signed.root_hash }],
        },
      });
      expect((await answerOf(restored, '/events')).events.length).toBe(2);
      await restored.end();
    });
  },
);
