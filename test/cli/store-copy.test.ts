import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { disconnect } from '../../src/storage/engine/database.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { API, call } from '../support/client.ts';
import { emptyInstallation, everyRow, keyedDirectory } from '../support/copies.ts';
import { type KnownTenant, knownTenant } from '../support/known-tenant.ts';
import { importDemo } from '../support/mirror.ts';
import { openPostgres, type PostgresServer, postgresUrl, startPostgres } from '../support/postgres.ts';
import {
  binary,
  type Env,
  type Outcome,
  type RunningService,
  run,
  start,
  until,
} from '../support/service.ts';
import { type SmallDisk, smallDisk } from '../support/small-disk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let server: PostgresServer;
let made = 0;
beforeAll(async () => {
  server = await startPostgres();
  const admin = openPostgres({ ...server.address, database: 'postgres' });
  // A copy needs no superuser.
  await execute(admin, 'create role plain login');
  await disconnect(admin);
});
afterAll(() => server.stop('SIGQUIT'));

async function newUrl(): Promise<string> {
  const database = `copy_${++made}`;
  const admin = openPostgres({ ...server.address, database: 'postgres' });
  await execute(admin, `create database ${database} owner plain`);
  await disconnect(admin);
  return postgresUrl({ ...server.address, database, user: 'plain' });
}

const copy = (env: Env, ...args: string[]): Promise<Outcome> => run('binary', env, 'store', 'copy', ...args);
const failed = ({ exitCode, stdout, stderr }: Outcome) => [exitCode, stdout, stderr];
const refusal = (words: string) => expect.stringMatching(new RegExp(`^redoubt: [^\n]*${words}[^\n]*\n$`));

describe('redoubt store copy', () => {
  test('moves a store to PostgreSQL and back, and tenants get the same answers', async () => {
    const settings = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_RATE_IP_PER_MINUTE: '100000' };
    // Its own process: its whole database is copied.
    const first = await start('binary', {
      ...settings,
      SERVICE_BASE_URL: 'https://redoubt.example',
      SERVICE_SURFACE_SCANS: '0',
    });
    // The command asks for the current address of the service.
    const service: RunningService = { ...first };
    await importDemo(service);
    const tenant = await knownTenant(service, 'kingfisher');
    const before = await answersOf(service, tenant);
    const url = await newUrl();
    const file = join(temporaryDirectory(), 'url');
    writeFileSync(file, `${url}\n`);
    expect(failed(await copy(first.env, '--to-file', file))).toEqual([
      1,
      '',
      refusal('another redoubt is using .*. Stop it first'),
    ]);
    await first.end();
    // This process has used the directory, and prevents exclusive use by others.
    const env = { ...first.env, SERVICE_DATA_DIR: filesOf(first.env, /[.]lock$/) };

    const there = await copy(env, '--to-file', file, '--json');
    expect([there.exitCode, there.stderr]).toEqual([0, '']);
    const { rows, tables, to, seconds, texts_changed } = JSON.parse(there.stdout);
    expect([tables.events, tables.licenses, tables.generations, texts_changed]).toEqual([4, 1, 1, 0]);
    expect([rows > 40, seconds > 0, to]).toEqual([true, true, expect.stringContaining('copy_')]);

    const onPostgres = await start('binary', { ...env, SERVICE_DATABASE_URL: url });
    Object.assign(service, { url: onPostgres.url });
    expect(await answersOf(service, tenant)).toEqual(before);
    const served = refusal('a redoubt is serving or copying the database that --(?:from|to) names');
    expect(
      failed(await copy({ SERVICE_DATA_DIR: emptyInstallation() }, '--to', url, '--replace', '--yes')),
    ).toEqual([1, '', served]);
    const back = filesOf(env, /redoubt[.](?:sqlite|lock|control)/);
    expect(failed(await copy({ SERVICE_DATA_DIR: back }, '--from', url))).toEqual([1, '', served]);
    // Ids continue.
    const { license_id } = JSON.parse(
      (
        await run(
          'binary',
          { ...env, SERVICE_DATABASE_URL: url },
          'license',
          'issue',
          '--plan',
          'pro',
          '--json',
        )
      ).stdout,
    );
    expect(license_id).toBe('lic_2');
    await onPostgres.end();

    expect((await copy({ SERVICE_DATA_DIR: back }, '--from', url)).stdout).toMatch(
      /^copied \d+ rows of \d+ tables from .* to .* in [\d.]+ s and verified them\n$/,
    );
    const again = await start('binary', { ...env, SERVICE_DATA_DIR: back });
    Object.assign(service, { url: again.url });
    expect(await answersOf(service, tenant)).toEqual(before);
    expect((await again.issue('--plan', 'pro')).license_id).toBe('lic_3');
    await again.end();
  });

  test('that is killed leaves a database that everything refuses, and --replace repairs it', async () => {
    const dataDir = storeOfMany();
    const env = { SERVICE_DATA_DIR: dataDir, SERVICE_PORT: '0', SERVICE_ADMIN_PORT: 'off' };
    const before = everyRow(databasePath(dataDir));
    const url = await newUrl();
    const db = openPostgres({ ...server.address, database: `copy_${made}` });
    const begun = prepare<{ name: string }>(
      db,
      "select tablename as name from pg_tables where tablename = 'redoubt_copy'",
    );
    const child = spawn(await binary(), ['store', 'copy', '--to', url], { env, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await until(async () => (await begun.get())?.name);
    child.kill('SIGKILL');
    await ended;

    const onPostgres = { ...env, SERVICE_DATABASE_URL: url };
    const sentence =
      'is incomplete. Wait until it is done, or start it again with "redoubt store copy ... --replace"';
    const serve = await run('binary', onPostgres, 'serve');
    expect([serve.exitCode, serve.stderr]).toEqual([1, expect.stringContaining(sentence)]);
    const list = await run('binary', onPostgres, 'license', 'list');
    expect(failed(list)).toEqual([1, '', expect.stringContaining(sentence)]);
    // The server may take a moment to notice the disconnect.
    await until(async () => (await copy(env, '--to', url)).stderr.includes('is not empty'));
    expect(failed(await copy(env, '--to', url, '--replace'))).toEqual([
      2,
      '',
      expect.stringContaining('--yes'),
    ]);
    expect((await copy(env, '--to', url, '--replace', '--yes')).exitCode).toBe(0);
    expect(everyRow(databasePath(dataDir))).toEqual(before);
    expect(await begun.get()).toBeUndefined();
    expect(failed(await copy(env, '--to', url))).toEqual([
      1,
      '',
      refusal('is not empty. Name an empty database, or add --replace'),
    ]);
    await disconnect(db);

    const back = keyedDirectory(dataDir);
    const partial = `${databasePath(back)}.partial`;
    const other = spawn(await binary(), ['store', 'copy', '--from', url], {
      env: { SERVICE_DATA_DIR: back },
      stdio: 'ignore',
    });
    const code = new Promise((resolve) => other.once('exit', resolve));
    await until(() => existsSync(partial));
    other.kill('SIGTERM');
    expect(await code).toBe(143);
    expect(readdirSync(back).filter((name) => name.startsWith('redoubt.sqlite'))).toEqual([]);
    expect((await copy({ SERVICE_DATA_DIR: back }, '--from', url)).exitCode).toBe(0);
    expect(everyRow(databasePath(back))).toEqual(before);
    expect(failed(await copy({ SERVICE_DATA_DIR: back }, '--from', url))).toEqual([
      1,
      '',
      refusal('redoubt.sqlite is not empty'),
    ]);
    expect((await copy({ SERVICE_DATA_DIR: back }, '--from', url, '--replace', '--yes')).exitCode).toBe(0);
    expect(everyRow(databasePath(back))).toEqual(before);
  });

  test('copies into the result of a first start, but not into foreign tables, nor with another key', async () => {
    const env = { SERVICE_DATA_DIR: emptyInstallation(), SERVICE_THREAT_FEED_ENABLED: '1' };
    const url = await newUrl();
    await (await start('binary', { ...env, SERVICE_DATABASE_URL: url })).end();
    expect((await copy(env, '--to', url)).exitCode).toBe(0);
    const onPostgres = { ...env, SERVICE_DATABASE_URL: url };
    expect((await copy(onPostgres, '--to', await newUrl())).exitCode).toBe(0);
    expect(failed(await copy(onPostgres, '--to', url, '--replace', '--yes'))).toEqual([
      ...[1, ''],
      refusal('--to and SERVICE_DATABASE_URL name the same database'),
    ]);
    const other = emptyInstallation();
    expect(failed(await copy({ SERVICE_DATA_DIR: other }, '--from', url, '--replace', '--yes'))).toEqual([
      ...[2, ''],
      refusal('installation.key is not the key that the database was used with'),
    ]);
    const foreign = await newUrl();
    const db = openPostgres({ ...server.address, database: `copy_${made}` });
    await execute(db, 'create table theirs (id int)');
    expect(failed(await copy(env, '--to', foreign, '--replace', '--yes'))).toEqual([
      1,
      '',
      refusal('do not belong to redoubt. Use an empty one'),
    ]);
    expect(await prepare<{ n: number }>(db, 'select count(*) as n from theirs').get()).toMatchObject({
      n: 0,
    });
    await disconnect(db);
  });

  const disk: SmallDisk | undefined = smallDisk(24 * 1024 * 1024);
  if (!disk) console.warn('that a copy needs room is not tested: it takes a file system that may be mounted');
  afterAll(() => disk?.unmount());
  test.if(disk !== undefined)(
    'into SQLite is refused where the disk has no space for it, with nothing changed',
    async () => {
      const dataDir = storeOfMany();
      const url = await newUrl();
      expect((await copy({ SERVICE_DATA_DIR: dataDir }, '--to', url)).exitCode).toBe(0);
      const small = join(disk?.directory ?? '', 'data');
      cpSync(keyedDirectory(dataDir), small, { recursive: true });
      const before = readdirSync(small);
      expect(failed(await copy({ SERVICE_DATA_DIR: small }, '--from', url))).toEqual([
        1,
        '',
        refusal(
          'nothing was copied: the disk of .* requires \\d+ MB of free space, but has \\d+ MB. Free some space',
        ),
      ]);
      expect(readdirSync(small).filter((name) => !name.endsWith('.lock'))).toEqual(before);
    },
  );

  test.each([
    [[], 'use one of --to, --to-file, --from and --from-file'],
    [['--to', 'postgres://a/b', '--from', 'postgres://a/b'], 'use one of'],
    [['--to', 'postgres://user:hunter2@host/'], '--to is malformed: it has no database'],
    [['--from', 'mysql://user:hunter2@a/x'], '--from is malformed: it is not a PostgreSQL URL'],
    [['--to-file', '/nowhere/url'], 'cannot read --to-file /nowhere/url'],
  ])('with %p is wrong usage, and repeats no password', async (args, words) => {
    const outcome = await copy({ SERVICE_DATA_DIR: temporaryDirectory() }, ...args);
    expect(failed(outcome)).toEqual([2, '', refusal(words)]);
    expect(outcome.stderr).not.toContain('hunter2');
  });

  test('warns about a password on the command line, and never repeats it', async () => {
    const url = (await newUrl())
      .replace('postgres:///', 'postgres://plain:hunter2@localhost/')
      .replace('&user=plain', '');
    const { exitCode, stdout, stderr } = await copy({ SERVICE_DATA_DIR: emptyInstallation() }, '--to', url);
    expect([exitCode, stderr]).toEqual([
      0,
      refusal('a password on the command line is visible to other users. --to-file'),
    ]);
    expect(stdout).not.toContain('hunter2');
  });
});

/** All answers to a tenant, except the time of counts. */
async function answersOf({ url }: RunningService, tenant: KnownTenant): Promise<Record<string, unknown>> {
  const { json } = await call(url, `${API}/analytics/metrics`, { key: tenant.key, method: 'POST' });
  const { generatedAt: _, ...metrics } = json.data;
  return { ...(await tenant.answers()), metrics };
}

/** A copy of a data directory without some of its files. */
function filesOf({ SERVICE_DATA_DIR = '' }: Env, without: RegExp): string {
  const other = temporaryDirectory();
  cpSync(SERVICE_DATA_DIR, other, { recursive: true, filter: (path) => !without.test(path) });
  return other;
}

function storeOfMany(): string {
  const directory = emptyInstallation();
  const db = new DatabaseSync(databasePath(directory));
  db.exec(`
    insert into licenses (key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
      values ('h', 'p', 'l', 'paid', 'live', 'pro', '[]', '[]', '[]', 0);
    insert into sites (license_id, domain, first_seen_at, last_seen_at) values (1, 'shop.test', 0, 0);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
      insert into events (license_id, site_id, type, severity, occurred_at, received_at, event_id)
        select 1, 1, 'login_failed', 'low', i, i, 'event-' || i from n`);
  db.close();
  return directory;
}
