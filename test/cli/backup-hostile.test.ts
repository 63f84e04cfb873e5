import { beforeAll, describe, expect, test } from 'bun:test';
import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { checkBackup } from '../../src/storage/backup/check-backup.ts';
import { claimDataDirectory, shareDataDirectory } from '../../src/storage/engine/data-directory.ts';
import { asOwner } from '../../src/storage/engine/ownership.ts';
import { backupOf, membersOf } from '../support/backups.ts';
import { binary, runAlone } from '../support/service.ts';
import { smallDisk } from '../support/small-disk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const at = (directory: string, ...words: string[]) =>
  runAlone('binary', { SERVICE_DATA_DIR: directory }, ...words);
const made = async (directory: string, ...words: string[]): Promise<string> =>
  JSON.parse((await at(directory, 'backup', 'create', '--json', ...words)).stdout).path;
const restored = async (directory: string, file: string): Promise<string> =>
  JSON.parse((await at(directory, 'restore', file, '--json')).stdout).kept;
const notesIn = (directory: string): string[] => {
  const database = new DatabaseSync(join(directory, 'redoubt.sqlite'));
  const notes = database.prepare('select note from licenses').all() as { note: string }[];
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
  return notes.map(({ note }) => note);
};

let directory: string;
let backup: string;
async function installation(): Promise<[string, string]> {
  const data = temporaryDirectory();
  await at(data, 'init');
  await at(data, 'license', 'issue', '--plan', 'pro', '--note', 'first');
  return [data, await made(data, '--to', join(temporaryDirectory(), 'one.tar'))];
}
beforeAll(async () => {
  [directory, backup] = await installation();
});

describe('with other commands', () => {
  test('a restore waits for commands that use the database, and is refused when they continue', async () => {
    const release = shareDataDirectory(directory);
    const { exitCode, stderr } = await at(directory, 'restore', backup);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/commands are using .*\. Wait until they are done/),
    ]);
    release();
  });

  test('commands are refused while a restore runs', async () => {
    const release = claimDataDirectory(directory);
    const { exitCode, stderr } = await at(directory, 'license', 'issue', '--plan', 'pro');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/a restore or store copy is running in .*\. Wait/),
    ]);
    release();
  });

  test('acknowledged data is in the database or in the copy that a restore retains, and both are intact', async () => {
    const [data, file] = await installation();
    const acknowledged: string[] = [];
    let isOver = false;
    const issue = async (who: string) => {
      for (let number = 1; !isOver; number += 1) {
        const note = `${who}-${number}`;
        if ((await at(data, 'license', 'issue', '--plan', 'pro', '--note', note)).exitCode === 0)
          acknowledged.push(note);
      }
    };
    const issuing = [issue('a'), issue('b')];
    const kept: string[] = [];
    for (let tries = 0; kept.length < 4 && tries < 100; tries += 1) {
      const { exitCode, stdout } = await at(data, 'restore', file, '--json');
      if (exitCode === 0) kept.push(JSON.parse(stdout).kept);
    }
    isOver = true;
    await Promise.all(issuing);
    const all = [data, ...kept].flatMap(notesIn);
    expect(acknowledged.filter((note) => !all.includes(note))).toEqual([]);
    expect([new Set(kept).size, acknowledged.length > 0]).toEqual([4, true]);
  }, 60_000);
});

describe('files next to the keys', () => {
  test('are omitted with a notice where they could not be restored, and links are followed', async () => {
    const [data] = await installation();
    mkdirSync(join(data, 'signing'));
    for (const name of ['mirror (copy).key', '.mirror.key.swp', 'a'.repeat(95), 'mirror.key'])
      writeFileSync(join(data, 'signing', name), name);
    symlinkSync(join(data, 'signing/mirror.key'), join(data, 'signing/linked.key'));
    const to = join(temporaryDirectory(), 'one.tar');
    const { exitCode, stderr } = await at(data, 'backup', 'create', '--to', to);
    expect([exitCode, stderr.match(/was left out/g)?.length]).toEqual([0, 3]);
    expect((await at(data, 'backup', 'verify', to)).exitCode).toBe(0);
    expect([...membersOf(to).keys()].filter((name) => name.startsWith('signing/')).toSorted()).toEqual([
      'signing/linked.key',
      'signing/mirror.key',
    ]);
  });

  test('of revoked keys stay revoked, also when installation.key was lost', async () => {
    const [data] = await installation();
    const [key, mark] = ['pem', 'revoked'].map((end) =>
      join(data, 'signing', `credential-${'k'.repeat(43)}.${end}`),
    );
    mkdirSync(join(data, 'signing'));
    writeFileSync(key ?? '', 'private');
    writeFileSync(join(data, 'signing/evidence.pem'), 'of before');
    const file = await made(data, '--to', join(temporaryDirectory(), 'one.tar'));
    rmSync(key ?? '');
    writeFileSync(mark ?? '', '');
    writeFileSync(join(data, 'signing/evidence.pem'), 'newer');
    rmSync(join(data, 'installation.key'));
    await restored(data, file);
    expect([existsSync(key ?? ''), existsSync(mark ?? '')]).toEqual([false, true]);
    expect(readFileSync(join(data, 'signing/evidence.pem'), 'utf8')).toBe('newer');
  });
});

test('backups with later dates of a wrong clock displace no others, and a new one stays', async () => {
  const [data] = await installation();
  const first = await made(data);
  const later = first.replace(/\d{8}T\d{6}Z/, '20990101T000000Z');
  writeFileSync(later, 'x');
  const old = first.replace(/\d{8}T\d{6}Z/, '20200101T000000Z');
  writeFileSync(old, 'x');
  rmSync(first);
  const path = await made(data, '--keep-daily', '1');
  expect([path, later, old].map((file) => existsSync(file))).toEqual([true, true, false]);
});

test('restores within one second retain separate copies', async () => {
  const [data, file] = await installation();
  const kept: string[] = [];
  for (const note of ['one', 'two', 'three']) {
    await at(data, 'license', 'issue', '--plan', 'pro', '--note', note);
    kept.push(await restored(data, file));
  }
  expect(kept.map((folder) => notesIn(folder).at(-1))).toEqual(['one', 'two', 'three']);
});

test('a foreign trigger is refused before it could run', async () => {
  const members = membersOf(backup);
  const path = join(temporaryDirectory(), 'x.sqlite');
  writeFileSync(path, members.get('redoubt.sqlite') ?? '');
  const database = new DatabaseSync(path);
  database.exec(`
    drop trigger licenses_insert;
    create trigger licenses_insert after insert on audit_log begin update licenses set note = 'run'; end;
  `);
  database.close();
  const bad = join(temporaryDirectory(), 'bad.tar');
  writeFileSync(bad, backupOf(members.set('redoubt.sqlite', readFileSync(path))));
  for (const words of [['backup', 'verify'], ['restore']]) {
    const { exitCode, stderr } = await at(directory, ...words, bad);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/not created by redoubt/)]);
  }
});

test('an encrypted backup is never stored in clear text next to itself during verification', async () => {
  const identity = await generateX25519Identity();
  const file = await made(
    directory,
    '--to',
    join(temporaryDirectory(), 'a.age'),
    '--age-recipient',
    await identityToRecipient(identity),
  );
  const disk = smallDisk(2 * statSync(file).size);
  if (disk === undefined) return expect(isRoot).toBe(false);
  const keys = join(temporaryDirectory(), 'keys');
  writeFileSync(keys, identity);
  const copy = join(disk.directory, 'a.age');
  writeFileSync(copy, readFileSync(file), { mode: 0o600 });
  // A copy in clear text, and the free space that it must leave, do not fit there.
  expect(await at(directory, 'backup', 'verify', copy, '--age-identity', keys)).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  disk.unmount();
});

describe('one sentence reports', () => {
  test.each([
    [
      'that backups is a file',
      1,
      /cannot create .*backups: /,
      (data: string) => {
        writeFileSync(join(data, 'backups'), '');
        return at(data, 'backup', 'create');
      },
    ],
    [
      'that --to names nothing',
      2,
      /--to must name a directory/,
      (data: string) => at(data, 'backup', 'create', '--to', ''),
    ],
    [
      'that settings cannot be written, before anything is replaced',
      1,
      /nothing was restored/,
      async (data: string, file: string) => {
        const before = readFileSync(join(data, 'redoubt.sqlite'));
        const outcome = await runAlone(
          'binary',
          { SERVICE_DATA_DIR: data, SERVICE_CONFIG: '-/nowhere/redoubt.env' },
          'restore',
          file,
          '--settings',
        );
        expect(readFileSync(join(data, 'redoubt.sqlite')).equals(before)).toBe(true);
        return outcome;
      },
    ],
  ] as const)('%s', async (_, code, words, refuse) => {
    const [data, file] = await installation();
    const { exitCode, stderr } = await refuse(data, file);
    expect([exitCode, stderr.trimEnd().split('\n')]).toEqual([code, [expect.stringMatching(words)]]);
  });
});

test('a backup that cannot be verified for lack of space is not called damaged', async () => {
  const disk = smallDisk(1024 * 1024);
  if (disk === undefined) return expect(isRoot).toBe(false);
  await expect(checkBackup(backup, disk.directory)).rejects.toThrow(
    /the disk of .* requires .* MB of free space.*Free some space/,
  );
  expect(await checkBackup(backup, temporaryDirectory())).toEqual({ problem: null });
  disk.unmount();
});

test('concurrent runs of init create everything once and all succeed', async () => {
  const data = join(temporaryDirectory(), 'data');
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => at(data, 'init')));
  expect(outcomes.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(outcomes.map(() => [0, '']));
  expect((await at(data, 'license', 'list')).exitCode).toBe(0);
});

const canTrace = spawnSync('strace', ['-qq', 'true']).status === 0;

test.if(canTrace || process.env.CI === 'true')(
  'on a full disk a restore succeeds with its audit entry, or is refused',
  async () => {
    const [data, file] = await installation();
    const outcomes = new Set<number>();
    for (let write = 5; write < 60; write += 5) {
      const trace = ['-f', '-qq', '-o', '/dev/null', '-e', `inject=pwrite64:error=ENOSPC:when=${write}+`];
      const env = { PATH: process.env.PATH ?? '', SERVICE_DATA_DIR: data };
      const exitCode = await promisify(execFile)('strace', [...trace, await binary(), 'restore', file], {
        env,
      }).then(
        () => 0,
        ({ code, stderr }: { code: number; stderr: string }) => {
          expect(stderr).toMatch(/the disk is full|cannot be/);
          return code;
        },
      );
      outcomes.add(exitCode);
      const [entry] = JSON.parse((await at(data, 'audit', '--json', '--limit', '1')).stdout);
      if (exitCode === 0) expect([write, entry.action]).toEqual([write, 'backup.restore']);
      await at(data, 'license', 'issue', '--plan', 'pro');
    }
    expect(outcomes).toContain(1);
  },
  30_000,
);

describe.if(isRoot)('as root', () => {
  const ownedByNobody = () => {
    const folder = temporaryDirectory();
    chownSync(folder, NOBODY, NOBODY);
    return folder;
  };
  const workerIn = (folder: string) => asOwner(folder, () => process.geteuid?.());

  test("work in a folder runs as the user who could redirect its path, and root's rights return", async () => {
    const [own, theirs] = [temporaryDirectory(), ownedByNobody()];
    const [below, link] = [join(theirs, 'below'), join(own, 'link')];
    mkdirSync(below);
    symlinkSync(own, link);
    lchownSync(link, NOBODY, NOBODY);
    expect(await workerIn(own)).toBe(0);
    for (const folder of [theirs, below, link])
      expect([folder, await workerIn(folder)]).toEqual([folder, NOBODY]);
    expect(process.geteuid?.()).toBe(0);
  });

  test('a folder that everyone can write to, or with parents of several users, is refused', async () => {
    const [open, theirs] = [temporaryDirectory(), ownedByNobody()];
    chmodSync(open, 0o777);
    const below = join(theirs, 'below');
    mkdirSync(below);
    chownSync(below, 1, 1);
    await expect(workerIn(open)).rejects.toThrow(/is writable by all users/);
    await expect(workerIn(below)).rejects.toThrow(/directories of several users/);
    const { exitCode, stderr } = await at(open, 'restore', backup);
    expect([exitCode, stderr, readdirSync(open)]).toEqual([1, expect.stringMatching(/chmod o-w/), []]);
  });

  test('a folder of backups that the owner of the data redirected gets no files of root', async () => {
    const data = ownedByNobody();
    await at(data, 'init');
    const elsewhere = temporaryDirectory();
    symlinkSync(elsewhere, join(data, 'backups'));
    lchownSync(join(data, 'backups'), NOBODY, NOBODY);
    expect((await at(data, 'backup', 'create')).exitCode).toBe(1);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('keys on another disk, or on their own mount, are restored as well', async () => {
    const [data] = await installation();
    const disk = smallDisk(1024 * 1024);
    if (disk === undefined) return;
    symlinkSync(disk.directory, join(data, 'signing'));
    writeFileSync(join(disk.directory, 'evidence.pem'), 'of before');
    const file = await made(data, '--to', join(temporaryDirectory(), 'one.tar'));
    rmSync(join(disk.directory, 'evidence.pem'));
    const key = join(data, 'installation.key');
    const mounted = join(temporaryDirectory(), 'key');
    writeFileSync(mounted, readFileSync(key));
    expect(spawnSync('mount', ['--bind', mounted, key]).status).toBe(0);
    try {
      const kept = await restored(data, file);
      expect(readFileSync(join(disk.directory, 'evidence.pem'), 'utf8')).toBe('of before');
      expect(readFileSync(join(kept, 'installation.key')).equals(readFileSync(mounted))).toBe(true);
      expect([notesIn(data), existsSync(join(data, 'restore.ready'))]).toEqual([['first'], false]);
    } finally {
      spawnSync('umount', ['--lazy', key]);
      disk.unmount();
    }
  });
});
