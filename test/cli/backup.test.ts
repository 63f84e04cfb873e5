import { beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { backupOf, membersOf } from '../support/backups.ts';
import { type Outcome, type RunningService, run, start, TARGETS } from '../support/service.ts';
import { smallDisk } from '../support/small-disk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const at = (directory: string, settings: Record<string, string> = {}) => ({
  redoubt: (...words: string[]): Promise<Outcome> =>
    run('binary', { SERVICE_DATA_DIR: directory, ...settings }, ...words),
});
const contents = (directory: string, isOurs = (_: string) => true) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isOurs(entry.name))
    .map(({ parentPath, name }) => [
      join(parentPath, name),
      createHash('sha256')
        .update(readFileSync(join(parentPath, name)))
        .digest('hex'),
    ])
    .toSorted();
const me = async (service: RunningService, key: string) =>
  (await fetch(`${service.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status;
const telemetry = async (service: RunningService, key: string, id: string) => {
  const answer = await fetch(`${service.url}/api/v1/telemetry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ domain: 'example.com', events: [{ type: 'attack_blocked', event_id: id }] }),
  });
  return ((await answer.json()) as { data: object }).data;
};
const lines = ({ stderr }: Outcome) => stderr.trimEnd().split('\n');

describe.each(TARGETS)('on %s', (target) => {
  test('a backup of a running server restores, on another host, everything acknowledged before it', async () => {
    // Its own process: its whole data directory is backed up and restored.
    const service = await start(target);
    const { key } = await service.issue('--plan', 'pro', '--domain', 'example.com');
    expect(await telemetry(service, key, 'one')).toMatchObject({ events_accepted: 1 });
    const backup = join(temporaryDirectory(), 'one.tar');
    const made = await run(target, service.env, 'backup', 'create', '--to', backup, '--json');
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(made.stdout)).toMatchObject({
      path: backup,
      encrypted: false,
      counts: { licenses: 1, events: 1 },
    });
    const later = await service.issue('--plan', 'pro');
    await service.end();

    const directory = join(temporaryDirectory(), 'data');
    const env = { SERVICE_DATA_DIR: directory };
    expect(await run(target, env, 'backup', 'verify', backup)).toMatchObject({ exitCode: 0, stderr: '' });
    const restored = await run(target, env, 'restore', backup, '--json');
    expect(restored.exitCode).toBe(0);
    expect(JSON.parse(restored.stdout)).toMatchObject({
      kept: null,
      migrated_from: null,
      counts: { licenses: 1 },
    });
    const other = await start(target, env);
    expect([await me(other, key), await me(other, later.key)]).toEqual([200, 401]);
    expect(await telemetry(other, key, 'one')).toMatchObject({ events_accepted: 0, events_duplicate: 1 });
    const [entry] = JSON.parse(await other.command('audit', '--json', '--limit', '1'));
    expect(entry).toMatchObject({ action: 'backup.restore', subject: backup });
    await other.end();
  });
});

describe('redoubt backup create', () => {
  let directory: string;
  beforeAll(async () => {
    directory = temporaryDirectory();
    const service = await start('binary', { SERVICE_DATA_DIR: directory });
    await service.issue('--plan', 'pro', '--domain', 'example.com');
    await service.end();
  });

  test('creates one private file that tar reads, with the database, the keys and the settings without secrets', async () => {
    const to = join(temporaryDirectory(), 'one.tar');
    const settings = { SERVICE_PORT: '9090', SERVICE_STRIPE_SECRET_KEY: 'sk_test_nobodysees' };
    expect((await at(directory, settings).redoubt('backup', 'create', '--to', to)).exitCode).toBe(0);
    expect(statSync(to).mode & 0o777).toBe(0o600);
    const folder = temporaryDirectory();
    execFileSync('tar', ['-x', '-f', to, '-C', folder]);
    for (const path of ['installation.key', 'signing/evidence.pem'])
      expect(readFileSync(join(folder, path)).equals(readFileSync(join(directory, path)))).toBe(true);
    expect(statSync(join(folder, 'installation.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'settings.env'), 'utf8')).toMatch(
      /^SERVICE_PORT=9090\n# SERVICE_STRIPE_SECRET_KEY/,
    );
    expect(readFileSync(to).includes('nobodysees')).toBe(false);
    const copy = new DatabaseSync(join(folder, 'redoubt.sqlite'), { readOnly: true });
    expect(copy.prepare('select count(*) as licenses from licenses').get()).toEqual({ licenses: 1 });
    copy.close();
  });

  test('without --to writes to the data directory, and is remembered with an audit entry', async () => {
    const { redoubt } = at(directory);
    const { path, bytes } = JSON.parse(
      (await redoubt('backup', 'create', '--json', '--reason', 'nightly')).stdout,
    );
    expect(path).toStartWith(join(directory, 'backups', 'redoubt-'));
    expect(statSync(join(directory, 'backups')).mode & 0o777).toBe(0o700);
    const [entry] = JSON.parse((await redoubt('audit', '--json', '--limit', '1')).stdout);
    expect(entry).toMatchObject({
      action: 'backup.create',
      subject: path,
      reason: 'nightly',
      after: { bytes },
    });
    const database = new DatabaseSync(join(directory, 'redoubt.sqlite'));
    expect(database.prepare('select path, bytes from backups order by at desc limit 1').get()).toEqual({
      path,
      bytes,
    });
    database.close();
    expect(readdirSync(directory).filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('removes its older backups and the files of killed ones, and nothing else', async () => {
    const folder = temporaryDirectory();
    const { redoubt } = at(directory);
    const made = JSON.parse((await redoubt('backup', 'create', '--to', folder, '--json')).stdout)
      .path as string;
    const first = made.replace(/T\d{6}Z/, 'T000000Z');
    renameSync(made, first);
    const named = (day: string, end = '.tar') => first.replace(/\d{8}T.*$/, `${day}T020000Z${end}`);
    const old = ['20250101', '20250102', '20250103'].map((day) => named(day));
    const left = named('20250104', '.tar.partial');
    const others = ['redoubt-00000000-20250101T020000Z.tar', 'mine.tar'].map((name) => join(folder, name));
    for (const path of [...old, left, ...others]) writeFileSync(path, '');
    const { stdout } = await redoubt('backup', 'create', '--to', folder, '--keep-daily', '2', '--json');
    const { path, removed } = JSON.parse(stdout) as { path: string; removed: string[] };
    // The second backup of today, and the last of the latest earlier day.
    expect(removed.toSorted()).toEqual([...old.slice(0, 2), first].toSorted());
    expect(readdirSync(folder).toSorted()).toEqual(
      [path, old[2] ?? '', ...others].map((kept) => kept.slice(folder.length + 1)).toSorted(),
    );
  });

  test('encrypts for the given age recipients', async () => {
    const [identity, folder] = [await generateX25519Identity(), temporaryDirectory()];
    const [to, keys] = [join(folder, 'one.tar.age'), join(folder, 'keys')];
    writeFileSync(keys, `# mine\n${identity}\n`);
    const { redoubt } = at(directory);
    const recipient = await identityToRecipient(identity);
    expect((await redoubt('backup', 'create', '--to', to, '--age-recipient', recipient)).exitCode).toBe(0);
    expect(readFileSync(to).includes('SQLite format')).toBe(false);
    const without = await redoubt('backup', 'verify', to);
    expect([without.exitCode, without.stderr]).toEqual([1, expect.stringMatching(/--age-identity FILE\n$/)]);
    expect((await redoubt('backup', 'verify', to, '--age-identity', keys)).exitCode).toBe(0);
    const other = at(join(folder, 'data'));
    expect((await other.redoubt('restore', to, '--age-identity', keys)).exitCode).toBe(0);
    expect((await other.redoubt('license', 'list', '--json')).stdout).toContain('"example.com"');
  });

  test.each([
    ['an existing file', (folder: string) => join(folder, 'there'), /already exists/],
    ['a missing folder', (folder: string) => join(folder, 'nowhere', 'x.tar'), /does not exist/],
  ])('refuses %s, and leaves no files', async (_, toOf, words) => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'there'), 'mine');
    const outcome = await at(directory).redoubt('backup', 'create', '--to', toOf(folder));
    expect([outcome.exitCode, lines(outcome)]).toEqual([1, [expect.stringMatching(words)]]);
    expect([readdirSync(folder), readFileSync(join(folder, 'there'), 'utf8')]).toEqual([['there'], 'mine']);
  });

  test('refuses a malformed recipient before it copies anything', async () => {
    const outcome = await at(directory).redoubt('backup', 'create', '--age-recipient', 'nobody');
    expect([outcome.exitCode, outcome.stderr]).toEqual([
      1,
      expect.stringMatching(/"nobody" is not an age recipient/),
    ]);
  });

  test('on a full disk reports that, and leaves no files', async () => {
    const disk = smallDisk(1024 * 1024);
    if (disk === undefined) return expect(process.getuid?.()).not.toBe(0);
    const outcome = await at(directory).redoubt('backup', 'create', '--to', `${disk.directory}/`);
    expect([outcome.exitCode, lines(outcome)]).toEqual([
      1,
      [expect.stringMatching(/MB of free space.* Free some space/)],
    ]);
    expect(readdirSync(disk.directory)).toEqual([]);
    disk.unmount();
  });

  test.if(process.getuid?.() === 0)(
    'run by root, reads as the owner of the data and writes into folders of root',
    async () => {
      const data = temporaryDirectory();
      await at(data).redoubt('init');
      for (const name of ['', ...readdirSync(data)]) chownSync(join(data, name), 65_534, 65_534);
      const folder = temporaryDirectory();
      chmodSync(folder, 0o700);
      const { redoubt } = at(data);
      expect((await redoubt('backup', 'create', '--to', folder)).exitCode).toBe(0);
      const [name = ''] = readdirSync(folder);
      expect(statSync(join(folder, name)).uid).toBe(0);
      expect((await redoubt('backup', 'create')).exitCode).toBe(0);
      expect((await redoubt('restore', join(folder, name))).exitCode).toBe(0);
      const owners = readdirSync(data, { recursive: true }).map(
        (path) => statSync(join(data, String(path))).uid,
      );
      expect(new Set(owners)).toEqual(new Set([65_534]));
    },
  );
});

/** A small database as a backup contains it. */
function smallDatabase(): Buffer {
  const path = join(temporaryDirectory(), 'small.sqlite');
  prepareDatabase(path);
  return readFileSync(path);
}

/** Each damages a valid backup at its path. */
const BAD: readonly [string, RegExp, (path: string) => void][] = [
  ['is truncated in the database', /truncated/, (path) => truncateSync(path, statSync(path).size - 20_000)],
  ['is truncated in the manifest', /truncated/, (path) => truncateSync(path, 700)],
  ['is empty', /not a backup of redoubt/, (path) => truncateSync(path)],
  [
    'is another tar file',
    /not a backup of redoubt/,
    (path) => writeFileSync(path, execFileSync('tar', ['-c', '/etc/hostname'])),
  ],
  [
    'has a changed byte',
    /installation[.]key in it was changed after the backup/,
    (path) => {
      const bytes = readFileSync(path);
      const key = membersOf(path).get('installation.key') ?? Buffer.alloc(0);
      bytes[bytes.indexOf(key)] = 0;
      writeFileSync(path, bytes);
    },
  ],
  [
    'has trailing data',
    /contains files that its manifest does not list/,
    (path) => writeFileSync(path, 'more', { flag: 'a' }),
  ],
  [
    'has a member outside its manifest',
    /contains files that its manifest does not list/,
    (path) => {
      const members = membersOf(path);
      const listed = backupOf(members, (manifest) => (manifest.members as unknown[]).pop());
      writeFileSync(path, listed);
    },
  ],
  [
    'extracts outside its directory',
    /not a backup of redoubt/,
    (path) =>
      writeFileSync(path, backupOf(new Map([...membersOf(path), ['signing/../../evil', Buffer.from('x')]]))),
  ],
  [
    'has a damaged database',
    /database is damaged|cannot read/,
    (path) => {
      const members = membersOf(path);
      const database = Buffer.from(members.get('redoubt.sqlite') ?? '');
      database.fill(7, 8_192, database.length);
      writeFileSync(path, backupOf(members.set('redoubt.sqlite', database)));
    },
  ],
  [
    'has no database',
    /cannot read|not created by redoubt/,
    (path) => writeFileSync(path, backupOf(membersOf(path).set('redoubt.sqlite', Buffer.alloc(4_096, 'x')))),
  ],
  [
    'has a view in place of a table',
    /not created by redoubt/,
    (path) => {
      const members = membersOf(path);
      const file = join(temporaryDirectory(), 'x.sqlite');
      writeFileSync(file, members.get('redoubt.sqlite') ?? '');
      const database = new DatabaseSync(file);
      database.exec('drop table scan_requests; create view scan_requests as select 1');
      database.close();
      writeFileSync(path, backupOf(members.set('redoubt.sqlite', readFileSync(file))));
    },
  ],
  [
    'lacks rows',
    /the rows of its database do not match its manifest/,
    (path) =>
      writeFileSync(
        path,
        backupOf(membersOf(path), (manifest) => Object.assign(manifest.counts as object, { licenses: 2 })),
      ),
  ],
  [
    'has the key of another database',
    /installation[.]key is missing, damaged or belongs to another/,
    (path) =>
      writeFileSync(
        path,
        backupOf(
          membersOf(path).set('installation.key', Buffer.from(`${Buffer.alloc(32, 1).toString('base64')}\n`)),
        ),
      ),
  ],
  [
    'has no key',
    /installation[.]key is missing/,
    (path) => {
      const members = membersOf(path);
      members.delete('installation.key');
      writeFileSync(path, backupOf(members));
    },
  ],
  [
    'is of a newer schema',
    /created by a newer redoubt/,
    (path) =>
      writeFileSync(
        path,
        backupOf(membersOf(path), (manifest) =>
          Object.assign(manifest, { schema_version: MIGRATIONS.length + 1 }),
        ),
      ),
  ],
  [
    'is of a newer format',
    /created by a newer redoubt/,
    (path) =>
      writeFileSync(
        path,
        backupOf(membersOf(path), (manifest) => Object.assign(manifest, { format: 'redoubt-backup/2' })),
      ),
  ],
  [
    'declares a larger size than it has',
    /truncated/,
    (path) =>
      writeFileSync(
        path,
        backupOf(membersOf(path), (manifest) => {
          const [database] = manifest.members as { bytes: number }[];
          if (database) database.bytes = 8 * 1024 ** 4;
        }),
      ),
  ],
  [
    'is a link',
    /not a regular file/,
    (path) => {
      writeFileSync(`${path}.real`, readFileSync(path));
      rmSync(path);
      symlinkSync(`${path}.real`, path);
    },
  ],
  [
    'is a pipe',
    /not a regular file/,
    (path) => {
      rmSync(path);
      spawnSync('mkfifo', [path]);
    },
  ],
  [
    'is a directory',
    /not a regular file/,
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
  ['is missing', /no such file/, (path) => rmSync(path)],
];

describe('a backup that', () => {
  let good: Buffer;
  let directory: string;
  beforeAll(async () => {
    directory = temporaryDirectory();
    const { redoubt } = at(directory);
    await redoubt('init');
    await redoubt('license', 'issue', '--plan', 'pro');
    const path = join(temporaryDirectory(), 'good.tar');
    await redoubt('backup', 'create', '--to', path);
    good = readFileSync(path);
  });
  const file = () => {
    const path = join(temporaryDirectory(), 'backup.tar');
    writeFileSync(path, good);
    return path;
  };

  test.each(BAD)('%s is refused in one sentence, and nothing is changed', async (_, words, spoil) => {
    const path = file();
    spoil(path);
    const before = contents(directory);
    for (const command of [['backup', 'verify'], ['restore']]) {
      const outcome = await at(directory).redoubt(...command, path);
      expect([outcome.exitCode, outcome.stdout, lines(outcome)]).toEqual([
        1,
        '',
        [expect.stringMatching(words)],
      ]);
      expect(outcome.stderr).toStartWith(`redoubt: ${path}: `);
    }
    expect(contents(directory)).toEqual(before);
    expect(readdirSync(join(path, '..')).filter((name) => name.startsWith('redoubt-check'))).toEqual([]);
  });

  test.if(process.getuid?.() === 0)(
    'another user owns is refused, unless that user owns the data',
    async () => {
      const path = file();
      chownSync(path, 65_534, 65_534);
      const refused = await at(directory).redoubt('restore', path);
      expect([refused.exitCode, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/belongs to another user, nobody/),
      ]);
      const data = temporaryDirectory();
      chownSync(data, 65_534, 65_534);
      expect((await at(data).redoubt('restore', path)).exitCode).toBe(0);
    },
  );

  test('an older redoubt created is migrated to this version when it is restored', async () => {
    const path = file();
    const members = membersOf(path).set('redoubt.sqlite', smallDatabase());
    members.delete('installation.key');
    const counts = await countsOf(members.get('redoubt.sqlite') ?? Buffer.alloc(0));
    writeFileSync(
      path,
      backupOf(members, (manifest) => Object.assign(manifest, { schema_version: MIGRATIONS.length, counts })),
    );
    const data = { SERVICE_DATA_DIR: join(temporaryDirectory(), 'data') };
    const redoubt = (...words: string[]) => run('next', data, ...words);
    const restored = await redoubt('restore', path, '--json');
    expect(JSON.parse(restored.stdout)).toMatchObject({ migrated_from: MIGRATIONS.length });
    expect((await redoubt('migrate', '--dry-run')).stdout).toContain('already has version');
  });

  test('is valid is not restored while a server runs', async () => {
    const service = await start('binary', { SERVICE_DATA_DIR: directory });
    const outcome = await at(directory).redoubt('restore', file());
    expect([outcome.exitCode, lines(outcome)]).toEqual([
      1,
      [expect.stringMatching(/another redoubt is using .*Stop it first/)],
    ]);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await service.end();
  });
});

async function countsOf(database: Buffer): Promise<Record<string, number>> {
  const path = join(temporaryDirectory(), 'count.sqlite');
  writeFileSync(path, database);
  const client = new DatabaseSync(path, { readOnly: true });
  const tables = client
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all() as { name: string }[];
  const counts = tables.map(({ name }) => [
    name,
    client.prepare(`select count(*) as n from "${name}"`).get()?.n,
  ]);
  client.close();
  return Object.fromEntries(counts);
}

describe('redoubt restore', () => {
  test('retains what it replaces, ends all sessions, and keeps the newer keys of the same installation', async () => {
    const directory = temporaryDirectory();
    const service = await start('binary', { SERVICE_DATA_DIR: directory });
    const { key } = await service.issue('--plan', 'pro', '--domain', 'example.com');
    const login = await fetch(`${service.url}/portal/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: service.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ key }),
    });
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const portal = (url: string) =>
      fetch(`${url}/portal`, { redirect: 'manual', headers: { cookie } }).then(({ status }) => status);
    expect(await portal(service.url)).toBe(200);
    const backup = join(temporaryDirectory(), 'one.tar');
    await service.command('backup', 'create', '--to', backup);
    const later = await service.issue('--plan', 'pro');
    await service.end('SIGKILL');
    const mark = join(directory, 'signing', `credential-${'k'.repeat(43)}.revoked`);
    writeFileSync(mark, '');
    const evidence = readFileSync(join(directory, 'signing/evidence.pem'));

    const { redoubt } = at(directory);
    const { kept } = JSON.parse((await redoubt('restore', backup, '--json', '--reason', 'a test')).stdout);
    expect(kept).toStartWith(join(directory, 'before-restore-'));
    expect([
      existsSync(mark),
      readFileSync(join(directory, 'signing/evidence.pem')).equals(evidence),
    ]).toEqual([true, true]);
    const again = await start('binary', { SERVICE_DATA_DIR: directory });
    expect([await me(again, key), await me(again, later.key), await portal(again.url)]).toEqual([
      200, 401, 303,
    ]);
    await again.end();
    // The killed process left a log: both files are retained, so that no acknowledged data is missing.
    const before = await start('binary', { SERVICE_DATA_DIR: kept });
    expect(await me(before, later.key)).toBe(200);
    await before.end();
  });

  test('replaces the keys of another installation', async () => {
    const [one, other] = [temporaryDirectory(), temporaryDirectory()];
    for (const directory of [one, other])
      await (await start('binary', { SERVICE_DATA_DIR: directory })).end();
    const backup = join(temporaryDirectory(), 'one.tar');
    await at(one).redoubt('backup', 'create', '--to', backup);
    await at(other).redoubt('restore', backup);
    for (const name of ['installation.key', 'signing/evidence.pem'])
      expect(readFileSync(join(other, name)).equals(readFileSync(join(one, name)))).toBe(true);
  });

  test('restores settings with --settings alone, and retains the previous ones', async () => {
    const directory = temporaryDirectory();
    const settings = join(temporaryDirectory(), 'redoubt.env');
    writeFileSync(settings, 'SERVICE_PORT=9090\n', { mode: 0o640 });
    const { redoubt } = at(directory, { SERVICE_CONFIG: `-${settings}` });
    await redoubt('init');
    const backup = join(temporaryDirectory(), 'one.tar');
    await redoubt('backup', 'create', '--to', backup);
    writeFileSync(settings, 'SERVICE_PORT=7070\n');
    expect((await redoubt('restore', backup)).exitCode).toBe(0);
    expect(readFileSync(settings, 'utf8')).toBe('SERVICE_PORT=7070\n');
    expect((await redoubt('restore', backup, '--settings')).exitCode).toBe(0);
    expect([readFileSync(settings, 'utf8'), statSync(settings).mode & 0o777]).toEqual([
      'SERVICE_PORT=9090\n',
      0o640,
    ]);
    const [kept = ''] = readdirSync(join(settings, '..')).filter((name) => name.includes('before-restore'));
    expect(readFileSync(join(settings, '..', kept), 'utf8')).toBe('SERVICE_PORT=7070\n');
    const without = await at(directory).redoubt('restore', backup, '--settings');
    expect([without.exitCode, without.stderr]).toEqual([2, expect.stringMatching(/requires SERVICE_CONFIG/)]);
  });
});
