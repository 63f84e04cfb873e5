import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execute } from '../../src/storage/engine/statement.ts';
import { debianPostgres, startDebianPostgres } from '../support/debian-postgres.ts';
import { emptyDatabase, inDatabase } from '../support/nodes.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { run, startOn } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Runs with the whole matrix: it starts the oldest supported PostgreSQL.

if (debianPostgres === undefined)
  console.warn('the oldest PostgreSQL that is served is not tested: none is installed');

describe.skipIf(debianPostgres === undefined)('on the PostgreSQL of Debian', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startDebianPostgres();
    startOn({
      name: 'the PostgreSQL of Debian',
      settings: async () => ({ SERVICE_DATABASE_URL: await emptyDatabase(server) }),
    });
  });
  afterAll(async () => {
    startOn();
    await server.stop('SIGQUIT');
  });

  require('./story.test.ts?postgres-15' as string);

  test('doctor completes every check', async () => {
    const env = { SERVICE_DATABASE_URL: await emptyDatabase(server), SERVICE_DATA_DIR: temporaryDirectory() };
    expect((await run('binary', env, 'init')).exitCode).toBe(0);
    const { stdout } = await run('binary', { ...env, SERVICE_PORT: '0' }, 'doctor', '--json');
    const ids = JSON.parse(stdout).findings.map(({ id }: { id: string }) => id);
    expect(ids).not.toContain('examination-failed');
  });

  test('a server older than 15 is refused in one line', async () => {
    const env = { SERVICE_DATABASE_URL: await emptyDatabase(server), SERVICE_DATA_DIR: temporaryDirectory() };
    const database = new URL(env.SERVICE_DATABASE_URL).pathname.slice(1);
    await inDatabase(env, (db) =>
      execute(
        db,
        `create schema old;
        create function old.current_setting(name text) returns text language sql
          as $$ select case name when 'server_version_num' then '140011' else pg_catalog.current_setting(name) end $$;
        alter database ${database} set search_path = old, pg_catalog, public`,
      ),
    );
    const ports = { SERVICE_PORT: '0', SERVICE_ADMIN_PORT: 'off' };
    for (const command of ['serve', 'init', 'migrate']) {
      const { exitCode, stderr } = await run('binary', { ...env, ...ports }, command);
      expect([command, exitCode, stderr]).toEqual([
        command,
        2,
        'redoubt: SERVICE_DATABASE_URL: the server is PostgreSQL 14, older than 15. Upgrade it\n',
      ]);
    }
  });
});
