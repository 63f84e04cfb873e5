import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { API, call } from '../support/client.ts';
import { openPostgres, type PostgresServer, postgresUrl, startPostgres } from '../support/postgres.ts';
import { run, runAlone, start, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// A separate server: roles and rights are common to all of its databases.

let server: PostgresServer;
let admin: Database;
let made = 0;
beforeAll(async () => {
  server = await startPostgres();
  admin = openPostgres({ ...server.address, database: 'postgres' });
  await execute(admin, 'create role tenant login; create role stranger nologin');
});
afterAll(async () => {
  await disconnect(admin);
  await server.stop('SIGQUIT');
});

interface Place {
  readonly env: Readonly<Record<string, string>>;
  /** As the owner of the database. */
  readonly db: Database;
}

/** A migrated database that the role `tenant` uses with every right. */
async function place(): Promise<Place> {
  const database = `place_${++made}`;
  await execute(admin, `create database ${database}`);
  const db = openPostgres({ ...server.address, database });
  const env = { SERVICE_DATA_DIR: temporaryDirectory() };
  const asOwner = { ...env, SERVICE_DATABASE_URL: postgresUrl({ ...server.address, database }) };
  expect((await run('binary', asOwner, 'init')).exitCode).toBe(0);
  await execute(
    db,
    'grant select, insert, update, delete on all tables in schema public to tenant; ' +
      'grant select, update on all sequences in schema public to tenant',
  );
  const url = postgresUrl({ ...server.address, database, user: 'tenant' });
  return { env: { ...env, SERVICE_DATABASE_URL: url }, db };
}

/** A change to a database, the resulting message, and the operator's remedy. */
const TROUBLES: Readonly<Record<string, readonly [broken: string, said: string, repaired: string]>> = {
  'one right on one table': [
    'revoke update on licenses from tenant',
    'its user lacks UPDATE on licenses. As the owner of the tables, run GRANT UPDATE ON public.licenses TO tenant',
    '',
  ],
  'rights on two tables': [
    'revoke all on sites from tenant; revoke delete on operator_sessions from tenant',
    'its user lacks DELETE on operator_sessions; SELECT, INSERT, UPDATE, DELETE on sites. As the owner of the tables, run ' +
      'GRANT DELETE ON public.operator_sessions TO tenant; GRANT SELECT, INSERT, UPDATE, DELETE ON public.sites TO tenant',
    '',
  ],
  'the right to read the version': [
    'revoke all on redoubt_version from tenant',
    'lacks SELECT, INSERT, UPDATE, DELETE on redoubt_version',
    '',
  ],
  'the right to read what has changed': [
    'revoke select on generations from tenant',
    'GRANT SELECT ON public.generations TO tenant',
    '',
  ],
  'the right to number its rows': [
    'revoke update on sequence licenses_id_seq from tenant',
    'its user lacks UPDATE on licenses_id_seq. As the owner of the tables, run GRANT UPDATE ON SEQUENCE public.licenses_id_seq TO tenant',
    '',
  ],
  'the right to make temporary tables': [
    "do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$",
    'its user cannot create temporary tables. Run GRANT TEMPORARY ON DATABASE place_',
    '',
  ],
  'all rights': [
    'revoke all on all tables in schema public from tenant',
    'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO tenant',
    '',
  ],
  'its schema': [
    'revoke usage on schema public from public',
    'its user cannot use any schema of its search_path. Run GRANT USAGE, CREATE ON SCHEMA public TO tenant',
    'grant usage, create on schema public to tenant',
  ],
  'another search_path': [
    'alter role tenant set search_path = elsewhere',
    'its user cannot use any schema of its search_path',
    'alter role tenant reset search_path',
  ],
  'the right to log in': [
    'alter role tenant nologin',
    'this role cannot log in. Run ALTER ROLE ... LOGIN',
    'alter role tenant login',
  ],
  'a connection': [
    'alter role tenant connection limit 0',
    'accepts no more connections. Raise max_connections, or the limit of this role',
    'alter role tenant connection limit -1',
  ],
};
/** The statements that an error message recommends. */
const grantsIn = (said: string): string => /GRANT .*/.exec(said)?.[0] ?? '';

test.each(Object.entries(TROUBLES))(
  'the error for a user without %s names the right and the statement that grants it',
  async (what, [broken, said, repaired]) => {
    const { env, db } = await place();
    await execute(db, broken);
    const { exitCode, stdout, stderr } = await run('binary', env, 'license', 'list');
    expect([what, exitCode === 1 || exitCode === 2, stdout]).toEqual([what, true, '']);
    expect(stderr).toContain(said);
    expect(stderr).toContain('SERVICE_DATABASE_URL');
    expect(stderr).not.toMatch(/does not respond|\n {4}at /);
    await execute(db, repaired === '' ? grantsIn(stderr) : repaired);
    await disconnect(db);
    const again = await run('binary', env, 'license', 'list');
    expect([what, again.exitCode, again.stderr]).toEqual([what, 0, '']);
  },
);

test.each([
  ['nobody_at_all', 'the server has no such role'],
  ['stranger', 'this role cannot log in'],
])('the user %s gets the message: %s', async (user, said) => {
  const url = postgresUrl({ ...server.address, database: 'postgres', user });
  const env = { SERVICE_DATA_DIR: temporaryDirectory(), SERVICE_DATABASE_URL: url };
  const { exitCode, stderr } = await runAlone('binary', env, 'serve');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said)]);
});

test('the error for a user who must not create tables in an empty database reports that', async () => {
  await execute(admin, 'create database empty');
  const url = postgresUrl({ ...server.address, database: 'empty', user: 'tenant' });
  const env = { SERVICE_DATA_DIR: temporaryDirectory(), SERVICE_DATABASE_URL: url };
  const { exitCode, stderr } = await runAlone('binary', env, 'serve');
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining(
      'cannot create tables in the schema public. Run GRANT CREATE ON SCHEMA public TO tenant',
    ),
  ]);
});

test('a server does not start without a right, and doctor names it', async () => {
  const { env, db } = await place();
  await execute(db, 'revoke insert on audit_log from tenant');
  const { exitCode, stderr } = await runAlone('binary', env, 'serve');
  const grant = 'GRANT INSERT ON public.audit_log TO tenant';
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(grant)]);
  const doctor = await run('binary', env, 'doctor');
  expect([doctor.exitCode, doctor.stdout]).toEqual([1, expect.stringContaining(grant)]);
  await disconnect(db);
});

test('a right that is revoked while a server runs is 503, and works again without a restart', async () => {
  const { env, db } = await place();
  // Its own process: its database loses rights.
  const service = await start('binary', env);
  const { key } = await service.issue('--plan', 'pro');
  const me = async () => (await call(service.url, `${API}/me`, { key })).status;
  expect(await me()).toBe(200);
  for (const table of ['licenses', 'generations', 'sites']) {
    await execute(db, `revoke select on ${table} from tenant`);
    const sites = async () => (await call(service.url, `${API}/sites`, { key })).status;
    await until(async () => (await sites()) === 503);
    await execute(db, `grant select on ${table} to tenant`);
    await until(async () => (await sites()) === 200);
  }
  expect(service.log()).not.toContain('unexpected error');
  await service.end();
  await disconnect(db);
});
