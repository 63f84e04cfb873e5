import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SERVER_LOCK } from '../../src/storage/engine/postgres/generations.ts';
import { prepare } from '../../src/storage/engine/statement.ts';
import { API, call } from '../support/client.ts';
import { emptyDatabase, inDatabase, startNodes } from '../support/nodes.ts';
import { isPgBouncerThere, startPgBouncer } from '../support/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { run, SURE } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Runs with the whole matrix: it starts three nodes behind each kind of pooling.

if (!isPgBouncerThere) console.warn('nothing is tested behind PgBouncer: it is not installed');

describe.skipIf(!isPgBouncerThere)('behind PgBouncer', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop('SIGQUIT'));

  /** The address of a new database through a pooler. */
  const through = async (port: number) => {
    const { pathname } = new URL(await emptyDatabase(server));
    return `postgres://redoubt@127.0.0.1:${port}${pathname}`;
  };

  test('with session pooling, three nodes exchange notifications and keep their guarantees', async () => {
    const pooler = await startPgBouncer(server, 'session');
    const nodes = await startNodes(server, { SERVICE_DATABASE_URL: await through(pooler.port) });
    const { key, license_id } = await nodes.services[0].issue('--plan', 'pro');
    const valid = () =>
      Promise.all(
        nodes.services.map(
          async ({ url }) => (await call(url, `${API}/license/verify`, { key, body: {} })).json.valid,
        ),
      );
    expect(await valid()).toEqual([true, true, true]);
    await nodes.services[1].command('license', 'revoke', license_id, ...SURE);
    expect(await valid()).toEqual([false, false, false]);
    // Locks that prevent a command from exclusive use of a served database.
    const [lock] = await inDatabase(nodes.env, (db) =>
      prepare<{ taken: number }>(db, `select pg_try_advisory_lock(${SERVER_LOCK})::int as taken`).all(),
    );
    expect(lock?.taken).toBe(0);
    await nodes.end();
    await pooler.stop();
  });

  test.each(['transaction', 'statement'] as const)(
    'with session sharing by %s, servers and commands refuse in one line with the remedy',
    async (mode) => {
      const pooler = await startPgBouncer(server, mode);
      const env = {
        SERVICE_DATABASE_URL: await through(pooler.port),
        SERVICE_DATA_DIR: temporaryDirectory(),
        SERVICE_PORT: '0',
        SERVICE_ADMIN_PORT: 'off',
      };
      for (const command of ['serve', 'init', 'migrate']) {
        const { exitCode, stderr } = await run('binary', env, command);
        expect([command, exitCode, stderr.trim().split('\n').at(-1)]).toEqual([
          command,
          2,
          expect.stringMatching(/^redoubt: SERVICE_DATABASE_URL: .*pool_mode = session$/),
        ]);
      }
      await pooler.stop();
    },
  );
});
