import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { KEY_PURPOSES } from '../../src/domain/signing/purposes.ts';
import { disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { backupOf, membersOf } from '../support/backups.ts';
import { newEmptyDatabase, openPostgres, postgresUrl } from '../support/postgres.ts';
import { type Env, type Outcome, run, start, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const redoubt = (env: Env, ...words: string[]): Promise<Outcome> => run('binary', env, ...words);
const PORTS = { SERVICE_PORT: '0', SERVICE_ADMIN_PORT: 'off' };

/** A new installation on a new database, with a license. */
async function installed(settings: Env = {}) {
  const address = await newEmptyDatabase();
  const directory = join(temporaryDirectory(), 'data');
  const env = {
    ...PORTS,
    SERVICE_DATABASE_URL: postgresUrl(address),
    SERVICE_DATA_DIR: directory,
    ...settings,
  };
  expect(await redoubt(env, 'init')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await redoubt(env, 'license', 'issue', '--plan', 'pro')).toMatchObject({ exitCode: 0 });
  return { address, directory, env };
}

async function backedUp(env: Env): Promise<string> {
  const path = join(temporaryDirectory(), 'one.tar');
  expect(await redoubt(env, 'backup', 'create', '--to', path)).toMatchObject({ exitCode: 0, stderr: '' });
  return path;
}

const manifestOf = (path: string) => JSON.parse(membersOf(path).get('manifest.json')?.toString() ?? '');
const keysIn = (directory: string) =>
  ['installation.key', 'signing/evidence.pem'].map((name) => readFileSync(join(directory, name), 'utf8'));
const NOT_INSIDE =
  /the database \S+ \(PostgreSQL 18[^)]*\) is not included. Back it up with pg_dump, or base backups .*docs\/scaling.md/;

let one: Awaited<ReturnType<typeof installed>>;
let backup: string;
beforeAll(async () => {
  one = await installed();
  backup = await backedUp(one.env);
});

describe('redoubt backup create on PostgreSQL', () => {
  test("stores keys, settings and the database's identity, reports that the database is not included, and no password", async () => {
    const folder = temporaryDirectory();
    const env = { ...one.env, SERVICE_RETENTION_DAYS: '77' };
    writeFileSync(join(one.directory, 'signing', 'evidence.head'), 'of this node alone');
    const { exitCode, stdout } = await redoubt(env, 'backup', 'create', '--to', folder);
    const [, path = ''] = /^created (\S+): .*, with keys and settings\n/.exec(stdout) ?? [];
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(NOT_INSIDE)]);
    const members = membersOf(path);
    const named = [...members.keys()].map((name) => name.replace(/-[\w-]+[.]pem$/, '-KID.pem'));
    const signing = ['evidence', ...KEY_PURPOSES.map((purpose) => `${purpose}-KID`)];
    expect(new Set(named)).toEqual(
      new Set([
        'manifest.json',
        'installation.key',
        'settings.env',
        ...signing.map((name) => `signing/${name}.pem`),
      ]),
    );
    expect(members.get('installation.key')?.toString()).toBe(keysIn(one.directory)[0]);
    expect(members.get('settings.env')?.toString()).toContain('SERVICE_RETENTION_DAYS=77\n');
    expect(manifestOf(path)).toMatchObject({
      database: { engine: 'postgresql', version: expect.stringMatching(/^18/), name: one.address.database },
      counts: {},
      mirror: { current: null, kept: [] },
    });
    expect(readFileSync(path).includes(one.address.host)).toBe(false);
    rmSync(join(one.directory, 'signing', 'evidence.head'));
  });

  test('is checked by verify, also encrypted, and reports in JSON that the database is not included', async () => {
    const identity = await generateX25519Identity();
    const [path, key] = [join(temporaryDirectory(), 'one.tar.age'), join(temporaryDirectory(), 'key')];
    writeFileSync(key, identity);
    const recipient = ['--age-recipient', await identityToRecipient(identity)];
    const made = await redoubt(one.env, 'backup', 'create', '--to', path, '--json', ...recipient);
    expect(JSON.parse(made.stdout)).toMatchObject({ encrypted: true, database: { engine: 'postgresql' } });
    const looked = await redoubt({}, 'backup', 'verify', path, '--age-identity', key);
    expect(looked.stdout).toMatch(/is intact and can be restored\. .*, with keys and settings\n/);
    expect(looked.stdout).toMatch(NOT_INSIDE);
    const { stdout } = await redoubt({}, 'backup', 'verify', backup, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ sound: true, database: { name: one.address.database } });
  });

  test('retains the configured number, and fails with keys of another database or without the database', async () => {
    const folder = temporaryDirectory();
    for (const keep of [[], ['--keep-daily', '1']])
      await redoubt(one.env, 'backup', 'create', '--to', folder, ...keep);
    expect(readdirSync(folder)).toHaveLength(1);
    const other = await installed();
    const env = { ...one.env, SERVICE_DATA_DIR: other.directory };
    const wrong = await redoubt(env, 'backup', 'create', '--to', folder);
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('is not the key')]);
    const nowhere = { ...one.env, SERVICE_DATABASE_URL: 'postgres:///x?host=/nowhere&user=x' };
    const away = await redoubt(nowhere, 'backup', 'create', '--to', folder);
    expect([away.exitCode, away.stderr]).toEqual([1, expect.stringContaining('is unreachable')]);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test('is known to every node through the database, in /readyz, /metrics and doctor, until it is too old', async () => {
    const { address, directory, env } = await installed();
    const db = openPostgres(address);
    await execute(db, 'update licenses set created_at = created_at - 172800000');
    const node = join(temporaryDirectory(), 'node');
    // Its own process: its whole database is backed up and restored.
    const service = await start('binary', { ...env, SERVICE_DATA_DIR: node, SERVICE_KEYS_DIR: directory });
    // A busy machine may report other findings for a moment, or lack these.
    const warns = (words: string | undefined) =>
      until(async () => {
        const { warnings = [] } = (await (await fetch(`${service.url}/readyz`)).json()) as {
          warnings?: string[];
        };
        return warnings.find((one) => one.includes('backup')) === words;
      });
    const doctor = async () => (await redoubt(env, 'doctor')).stdout;
    await warns('there is no good backup of the keys');
    expect(await doctor()).toContain('there is no good backup of the keys');
    await backedUp(env);
    await warns(undefined);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/^redoubt_last_backup_timestamp_seconds \d+/m);
    await execute(db, 'update backups set at = at - 864000000');
    await warns('the last good backup of the keys is 10 days old');
    await disconnect(db);
    await service.end();
  });
});

describe('redoubt restore on PostgreSQL', () => {
  let directory: string;
  let env: Env;
  beforeEach(() => {
    directory = join(temporaryDirectory(), 'data');
    env = { ...one.env, SERVICE_DATA_DIR: directory };
  });
  const audited = async () =>
    JSON.parse((await redoubt(one.env, 'audit', '--json', '--limit', '1')).stdout)[0];

  test('writes keys and settings on another host, compares them with the database, and a node starts with them', async () => {
    const settings = join(temporaryDirectory(), 'redoubt.env');
    const { exitCode, stdout } = await redoubt(
      { ...env, SERVICE_CONFIG: `-${settings}` },
      ...['restore', backup, '--settings', '--reason', 'the host burned'],
    );
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(NOT_INSIDE)]);
    expect(stdout).toContain('its keys match the database that SERVICE_DATABASE_URL names');
    expect(keysIn(directory)).toEqual(keysIn(one.directory));
    expect(readFileSync(settings, 'utf8')).toContain('SERVICE_ADMIN_PORT=off\n');
    expect(await audited()).toMatchObject({ action: 'backup.restore', reason: 'the host burned' });
    await (await start('binary', env)).end();
  });

  test('without a database reports that, and the steps before a node can start', async () => {
    const nowhere = { ...env, SERVICE_DATABASE_URL: 'postgres:///x?host=/nowhere&user=x' };
    const { exitCode, stdout } = await redoubt(nowhere, 'restore', backup);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining('restore the database before a node starts'),
    ]);
    expect(stdout).toContain('error database-away');
    expect(keysIn(directory)).toEqual(keysIn(one.directory));
    const empty = postgresUrl(await newEmptyDatabase());
    const again = await redoubt({ ...env, SERVICE_DATABASE_URL: empty }, 'restore', backup, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({
      untold: 'it is still empty',
      kept: expect.any(String),
    });
  });

  test('retains the replaced files, and the other keys of a lost one', async () => {
    const other = await installed();
    const before = keysIn(other.directory);
    await redoubt({ ...one.env, SERVICE_DATA_DIR: other.directory }, 'restore', backup);
    expect(keysIn(other.directory)).toEqual(keysIn(one.directory));
    const [kept = ''] = readdirSync(other.directory).filter((name) => name.startsWith('before-restore-'));
    expect(keysIn(join(other.directory, kept))).toEqual(before);

    const head = join(other.directory, 'signing', 'evidence.head');
    writeFileSync(head, 'signed');
    rmSync(join(other.directory, 'installation.key'));
    await redoubt({ ...one.env, SERVICE_DATA_DIR: other.directory }, 'restore', backup);
    expect([readFileSync(head, 'utf8'), ...keysIn(other.directory)]).toEqual([
      'signed',
      ...keysIn(one.directory),
    ]);
  });

  test('writes the keys to SERVICE_KEYS_DIR', async () => {
    const keys = join(temporaryDirectory(), 'keys');
    expect((await redoubt({ ...env, SERVICE_KEYS_DIR: keys }, 'restore', backup)).exitCode).toBe(0);
    expect([keysIn(keys), existsSync(join(directory, 'installation.key'))]).toEqual([
      keysIn(one.directory),
      false,
    ]);
    expect((await redoubt({ ...env, SERVICE_KEYS_DIR: keys }, 'license', 'list')).exitCode).toBe(0);
  });

  test('is refused in one sentence, and changes nothing, with a running node or another database', async () => {
    const other = await installed();
    const sqlite = { SERVICE_DATA_DIR: join(temporaryDirectory(), 'data') };
    await redoubt(sqlite, 'init');
    const embedded = await backedUp(sqlite);
    const refused = async (settings: Env, path: string) => {
      const { exitCode, stdout, stderr } = await redoubt(settings, 'restore', path);
      return [exitCode, stdout, stderr.trimEnd().split('\n').length, stderr];
    };
    const contents = (of: string) =>
      readdirSync(of, { recursive: true }).filter((name) => !/lock|control/.test(`${name}`));
    const before = [contents(other.directory), contents(sqlite.SERVICE_DATA_DIR), keysIn(other.directory)];
    const theirs = await backedUp(other.env);
    const node = await start('binary', other.env);
    expect(await refused(other.env, theirs)).toEqual([1, '', 1, expect.stringContaining('Stop it first')]);
    await node.end();
    expect(await refused({ ...other.env }, backup)).toEqual([
      ...[1, '', 1],
      expect.stringContaining('its keys do not match the database of SERVICE_DATABASE_URL'),
    ]);
    expect(await refused(other.env, embedded)).toEqual([
      ...[1, '', 1],
      expect.stringContaining('it contains an embedded database, but SERVICE_DATABASE_URL names PostgreSQL'),
    ]);
    expect(await refused(sqlite, backup)).toEqual([
      ...[1, '', 1],
      expect.stringContaining('it is from an installation on PostgreSQL and does not contain the database'),
    ]);
    const wrongKey = join(temporaryDirectory(), 'wrong.tar');
    const members = membersOf(backup).set('installation.key', Buffer.from(keysIn(other.directory)[0] ?? ''));
    writeFileSync(wrongKey, backupOf(members));
    expect(await refused(env, wrongKey)).toEqual([
      ...[1, '', 1],
      expect.stringContaining('its installation.key is missing, damaged or belongs to another database'),
    ]);
    const left = (name: string) => !/^signing\/|before|readable|vulnerabilities/.test(name);
    expect([contents(other.directory).filter((name) => left(String(name))), keysIn(other.directory)]).toEqual(
      [before[0]?.filter((name) => left(String(name))) ?? [], before[2] as string[]],
    );
    expect(contents(sqlite.SERVICE_DATA_DIR)).toEqual(before[1] as string[]);
  });
});
