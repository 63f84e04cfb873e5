import { beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { releaseComment, releaseOf } from '../../src/domain/release/release.ts';
import { lockUpdates } from '../../src/storage/engine/data-directory.ts';
import { canKill, endAt, everyStep, expectOutcomes } from '../support/every-step.ts';
import { newReleaseKey, signFile } from '../support/releases.ts';
import { type Env, run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { commentOf, key, sign, type TestRelease, twoReleases } from '../support/updates.ts';

// Runs with the whole matrix: it replaces executables of 100 MB a hundred times.

const target = `linux-${process.arch}` as 'linux-x64';
const DAY = 86_400;

let one: TestRelease;
let two: TestRelease;
/** Both files as on a USB stick. */
let stick: string;
/** A data directory with one license. */
let data: string;
beforeAll(async () => {
  [one, two] = await twoReleases();
  stick = temporaryDirectory();
  for (const release of [one, two]) {
    const path = join(stick, release.version);
    linkSync(release.executable, path);
    sign(path, release);
  }
  data = temporaryDirectory();
  const env = { SERVICE_DATA_DIR: data };
  execFileSync(one.executable, ['init'], { env });
  execFileSync(one.executable, ['license', 'issue', '--plan', 'pro'], { env });
}, 60_000);

/** A host with an installed release and without systemd. */
interface Host {
  readonly folder: string;
  readonly executable: string;
  readonly env: Env;
}

function hostWith(release: TestRelease): Host {
  const [folder, dataDir] = [temporaryDirectory(), join(temporaryDirectory(), 'data')];
  cpSync(data, dataDir, { recursive: true });
  const executable = join(folder, 'redoubt');
  linkSync(release.executable, executable);
  return { folder, executable, env: { SERVICE_DATA_DIR: dataDir, PATH: process.env.PATH ?? '' } };
}

const redoubt = ({ executable, env }: Host, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(executable, words, { env, encoding: 'utf8' });
  return { status, stdout, stderr };
};
const versionOf = (host: Host): string => JSON.parse(redoubt(host, 'version', '--json').stdout).version;
const licensesOf = (host: Host): number =>
  JSON.parse(redoubt(host, 'license', 'list', '--json').stdout).length;
/** Except the lock, which stays. */
const filesOf = ({ folder }: Host): string[] =>
  readdirSync(folder)
    .filter((name) => name !== 'redoubt.update-lock')
    .toSorted();
const latest = () => join(stick, two.version);

/** The newer release in a separate folder, signed with a test key, with an optional change afterwards. */
function preparedRelease(
  then: (path: string) => void = () => {},
  comment = commentOf(two),
  by = key,
): string {
  const path = join(temporaryDirectory(), 'redoubt');
  copyFileSync(two.executable, path);
  signFile(path, by, comment);
  then(path);
  return path;
}
/** Another file signed as the newer release. */
function signed(bytes: string): string {
  const path = join(temporaryDirectory(), 'redoubt');
  writeFileSync(path, bytes);
  sign(path, two);
  return path;
}
const changed = (path: string) => {
  const bytes = readFileSync(path);
  bytes[bytes.length - 1000] = (bytes.at(-1000) ?? 0) ^ 1;
  writeFileSync(path, bytes);
};

const REFUSED: readonly [string, () => string, string][] = [
  ['nothing', () => join(stick, 'none'), 'no such file'],
  [
    'a file without a signature',
    () => preparedRelease((path) => execFileSync('rm', [`${path}.minisig`])),
    'was not found',
  ],
  ['a changed file', () => preparedRelease(changed), 'it does not match its signature'],
  [
    'a truncated file',
    () => preparedRelease((path) => truncateSync(path, 1_000_000)),
    'it does not match its signature',
  ],
  [
    'a link',
    () =>
      preparedRelease((path) =>
        execFileSync('sh', ['-c', 'mv "$0" "$0.real" && ln -s "$0.real" "$0"', path]),
      ),
    'it is not a regular file',
  ],
  [
    "another's release",
    () => preparedRelease(undefined, commentOf(two), newReleaseKey()),
    'it is not signed by a release key of this redoubt',
  ],
  [
    'an expired release',
    () =>
      preparedRelease(
        undefined,
        releaseComment({ ...releaseOf(two.version, two.serial * 1_000, target), expiresAt: Date.now() - 1 }),
      ),
    'Get a newer one',
  ],
  [
    'a release for another platform',
    () =>
      preparedRelease(
        undefined,
        commentOf(two).replace(target, target === 'linux-x64' ? 'linux-arm64' : 'linux-x64'),
      ),
    'this host is',
  ],
  [
    'what is for every platform',
    () => preparedRelease(undefined, commentOf(two).replace(target, 'any')),
    'it is for any',
  ],
  [
    'a lower version with a higher serial',
    () => preparedRelease(undefined, commentOf({ version: '0.9.0', serial: two.serial })),
    'Updates must be newer',
  ],
  [
    'a higher version with a lower serial',
    () => preparedRelease(undefined, commentOf({ version: '2.0.0', serial: one.serial - DAY })),
    'Updates must be newer',
  ],
  [
    'another version of the same commit',
    () => preparedRelease(undefined, commentOf({ version: '1.0.1', serial: one.serial })),
    'Updates must be newer',
  ],
  [
    'an executable that is not what was signed of it',
    () => preparedRelease(undefined, commentOf({ version: '1.2.0', serial: two.serial })),
    'it reports to be redoubt 1.1.0',
  ],
  ['a package, where it was laid by hand', () => signed('!<arch>\ndebian-binary'), 'Use the executable'],
  ['something else', () => signed('#!/bin/sh\n'), 'it is neither an executable nor a Debian package'],
  ['nothing at all', () => signed(''), 'it is neither an executable nor a Debian package'],
  ['an executable that does not run', () => signed('\x7fELF'), 'did not run'],
];

describe('update', () => {
  test('installs a newer release that migrates, retains the old one, and returns to older data only on request', () => {
    const host = hostWith(one);
    const done = redoubt(host, 'update', latest(), '--json');
    expect([done.status, JSON.parse(done.stdout)]).toEqual([
      0,
      {
        outcome: 'updated',
        from: '1.0.0',
        version: '1.1.0',
        service: 'unknown',
        migration: { from: expect.any(Number), to: expect.any(Number), seconds: expect.any(Number) },
      },
    ]);
    expect([versionOf(host), filesOf(host)]).toEqual(['1.1.0', ['redoubt', 'redoubt.previous']]);
    expect(statSync(host.executable).mode & 0o777).toBe(0o755);
    const again = redoubt(host, 'update', latest());
    expect([again.status, again.stdout]).toEqual([0, 'redoubt 1.1.0 is already installed\n']);

    expect(redoubt(host, 'migrate').status).toBe(0);
    redoubt(host, 'license', 'issue', '--plan', 'starter');
    const refused = redoubt(host, 'update', '--back');
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('--older-data restores')]);
    expect([versionOf(host), licensesOf(host)]).toEqual(['1.1.0', 2]);
    const back = redoubt(host, 'update', '--back', '--older-data', '--json');
    expect([back.status, JSON.parse(back.stdout)]).toMatchObject([
      0,
      { outcome: 'back', version: '1.0.0', service: 'unknown' },
    ]);
    expect([versionOf(host), licensesOf(host), filesOf(host)]).toEqual(['1.0.0', 1, ['redoubt']]);
    const { kept } = JSON.parse(back.stdout);
    const newer = { ...host, executable: two.executable, env: { ...host.env, SERVICE_DATA_DIR: kept } };
    copyFileSync(join(host.env.SERVICE_DATA_DIR ?? '', 'installation.key'), join(kept, 'installation.key'));
    expect(licensesOf(newer)).toBe(2);
    const none = redoubt(host, 'update', '--back');
    expect([none.status, none.stderr]).toEqual([
      1,
      expect.stringContaining('no update has left an executable'),
    ]);
  });

  test('rolls back without questions before data were migrated', () => {
    const host = hostWith(one);
    redoubt(host, 'update', latest());
    expect(redoubt(host, 'update', '--back')).toMatchObject({ status: 0, stderr: '' });
    expect([versionOf(host), licensesOf(host)]).toEqual(['1.0.0', 1]);
  });

  test('refuses everything else in a sentence, and changes nothing', () => {
    const host = hostWith(one);
    const { ino } = statSync(host.executable);
    const before = readdirSync(host.env.SERVICE_DATA_DIR ?? '').toSorted();
    for (const [what, lay, sentence] of REFUSED) {
      const { status, stdout, stderr } = redoubt(host, 'update', lay());
      expect([what, status, stdout, stderr]).toEqual([what, 1, '', expect.stringContaining(sentence)]);
      expect([what, stderr.trim().split('\n').length]).toEqual([what, 1]);
      expect([what, statSync(host.executable).ino, filesOf(host)]).toEqual([what, ino, ['redoubt']]);
    }
    expect(readdirSync(host.env.SERVICE_DATA_DIR ?? '').toSorted()).toEqual(before);
  });

  test('refuses a release that cannot migrate the database, start with the settings, or be rolled back', () => {
    const host = hostWith(one);
    const wrong = { ...host, env: { ...host.env, SERVICE_PORT: 'many' } };
    const settings = redoubt(wrong, 'update', latest());
    expect([settings.status, settings.stderr]).toEqual([
      1,
      expect.stringContaining('would not start with these settings'),
    ]);
    // A server ignores an unknown setting.
    expect(redoubt({ ...host, env: { ...host.env, SERVICE_NONE: '1' } }, 'update', latest()).status).toBe(0);
    redoubt(host, 'update', '--back');
    redoubt(host, 'license', 'issue', '--plan', 'pro');
    const migration = redoubt(host, 'update', latest());
    expect([migration.status, migration.stderr]).toEqual([
      1,
      expect.stringContaining('the trial migration of a copy failed'),
    ]);
    expect([versionOf(host), licensesOf(host), filesOf(host)]).toEqual(['1.0.0', 2, ['redoubt']]);
    symlinkSync(host.executable, `${host.executable}.previous`);
    const linked = redoubt(host, 'update', '--back');
    expect([linked.status, linked.stderr]).toEqual([
      1,
      expect.stringContaining('was not created by an update'),
    ]);
  });

  test('runs one at a time, like a rollback, and removes the files of a killed one', () => {
    const host = hostWith(one);
    const release = lockUpdates(host.executable);
    for (const words of [[latest()], ['--back']]) {
      const { status, stderr } = redoubt(host, 'update', ...words);
      expect([status, stderr]).toEqual([1, expect.stringContaining('another update is running')]);
    }
    expect(versionOf(host)).toBe('1.0.0');
    release();
    mkdirSync(`${host.executable}.update/files`, { recursive: true });
    expect(redoubt(host, 'update', latest()).status).toBe(0);
    expect(filesOf(host)).toEqual(['redoubt', 'redoubt.previous']);
  });

  test('that cannot retain the old executable reports that, and replaces nothing', () => {
    const host = hostWith(one);
    mkdirSync(`${host.executable}.previous`);
    const { status, stderr } = redoubt(host, 'update', latest());
    expect([status, stderr]).toEqual([1, expect.stringContaining(`cannot replace ${host.executable}: `)]);
    expect([versionOf(host), filesOf(host)]).toEqual(['1.0.0', ['redoubt', 'redoubt.previous']]);
  });

  test('that replaced nothing leaves nothing to roll back or complete', () => {
    const host = hostWith(two);
    linkSync(one.executable, `${host.executable}.previous`);
    const note = () =>
      writeFileSync(
        `${host.executable}.updating`,
        '{"from":"1.1.0","to":"1.2.0","at":"2026-11-27T00:00:00.000Z"}',
      );
    for (const [words, said] of [
      [['--back'], 'the executable had not been replaced'],
      [[latest()], 'is already installed'],
    ] as const) {
      note();
      redoubt(host, 'migrate');
      const { status, stdout, stderr } = redoubt(host, 'update', ...words);
      expect([words, status, stdout + stderr]).toEqual([words, 0, expect.stringContaining(said)]);
      expect([versionOf(host), filesOf(host)]).toEqual(['1.1.0', ['redoubt', 'redoubt.previous']]);
    }
  });

  test('has the exit code of its outcome, even when its output cannot be written', () => {
    const host = hostWith(one);
    const script = `"$0" update "$1" >/dev/full`;
    const { status, stderr } = spawnSync('sh', ['-c', script, host.executable, latest()], {
      env: host.env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.stringContaining('redoubt 1.1.0 replaced 1.0.0')]);
  });

  test('does not restart a server outside systemd, and restores no data under it', async () => {
    const host = hostWith(one);
    expect(redoubt(host, 'update', latest()).status).toBe(0);
    // Its own process: the executable that it runs is replaced.
    const service = await start('binary', host.env, { executable: host.executable });
    const { status, stderr } = redoubt(host, 'update', '--back', '--older-data');
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('another redoubt is using the data directory'),
    ]);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(versionOf(host)).toBe('1.1.0');
    await service.end();
    expect(redoubt(host, 'update', '--back', '--older-data').status).toBe(0);
  });

  test('with an unrecorded end is reported by doctor, and a repetition completes it', () => {
    const host = hostWith(one);
    redoubt(host, 'update', latest());
    writeFileSync(
      `${host.executable}.updating`,
      '{"from":"1.0.0","to":"1.1.0","at":"2026-11-27T00:00:00.000Z"}',
    );
    const ids = () => redoubt(host, 'doctor', '--json').stdout;
    expect(ids()).toContain('"update-unfinished"');
    expect(redoubt(host, 'update', latest())).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('replaced 1.0.0'),
    });
    expect(ids()).not.toContain('"update-unfinished"');
  });
});

test.each<[string, () => string[]]>([
  ['a file and --back', () => [latest(), '--back']],
  ['neither', () => []],
  ['--older-data alone', () => [latest(), '--older-data']],
  ['a time-out that is too short for a start', () => [latest(), '--wait', '4']],
])('%s is wrong usage', (_, words) => {
  const { status, stdout, stderr } = redoubt(hostWith(one), 'update', ...words());
  expect([status, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/requires a release file|requires --back|5 seconds or more/),
  ]);
});

test('a run from source is not a release, and is not replaced', async () => {
  const { exitCode, stderr } = await run('deno', {}, 'update', latest());
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Update the source')]);
});

/** Counted separately: when strace counts calls together, it injects into the first to reach the number. */
const CALLS = ['rename,renameat,renameat2', 'link,linkat', 'unlink,unlinkat,rmdir', 'fsync,fdatasync'];

describe.if(canKill)('killed at any step', () => {
  const stateOf = (host: Host) => {
    const version = versionOf(host);
    // The first action of a start.
    const { status, stderr } = redoubt(host, 'migrate');
    return { version, status, stderr, licenses: licensesOf(host) };
  };

  test('an update leaves either executable, which works with the data, and the next one completes', async () => {
    const found = new Set<string>();
    const steps = await everyStep(
      async (step) => {
        const host = hostWith(one);
        const end = await endAt(step, host.env, host.executable, 'update', latest());
        const { version, ...state } = stateOf(host);
        expect([step, state]).toEqual([step, { status: 0, stderr: '', licenses: 1 }]);
        found.add(version);
        const next = redoubt(host, 'update', latest());
        expect([step, next.status, versionOf(host)]).toEqual([step, 0, '1.1.0']);
        expect([step, filesOf(host)]).toEqual([step, ['redoubt', 'redoubt.previous']]);
        return end !== 'done';
      },
      CALLS,
      2,
    );
    expectOutcomes(steps, 20, found, ['1.0.0', '1.1.0']);
  }, 300_000);

  test('a rollback leaves an executable that supports its data, and the next one completes', async () => {
    const from = hostWith(one);
    redoubt(from, 'update', latest());
    redoubt(from, 'migrate');
    const found = new Set<string>();
    const steps = await everyStep(
      async (step) => {
        const host = hostWith(one);
        for (const name of ['redoubt', 'redoubt.previous']) {
          execFileSync('ln', ['-f', join(from.folder, name), join(host.folder, name)]);
        }
        cpSync(from.env.SERVICE_DATA_DIR ?? '', host.env.SERVICE_DATA_DIR ?? '', { recursive: true });
        const end = await endAt(step, host.env, host.executable, 'update', '--back', '--older-data');
        const { version, ...state } = stateOf(host);
        expect([step, state]).toEqual([step, { status: 0, stderr: '', licenses: 1 }]);
        found.add(version);
        if (version === '1.1.0')
          expect([step, redoubt(host, 'update', '--back', '--older-data').status]).toEqual([step, 0]);
        expect([step, versionOf(host), licensesOf(host)]).toEqual([step, '1.0.0', 1]);
        expect(existsSync(`${host.executable}.previous`)).toBe(false);
        return end !== 'done';
      },
      CALLS,
      2,
    );
    expectOutcomes(steps, 15, found, ['1.0.0', '1.1.0']);
  }, 300_000);
});
