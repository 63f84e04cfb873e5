import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileWords, unexpectedWords } from '../src/lib/file-trouble.ts';
import { wordsFor } from '../src/storage/engine/trouble.ts';
import { binaryForOthers } from './support/service.ts';
import { lastingDirectory, temporaryDirectory } from './support/temporary.ts';

const NOBODY = 65_534;
const needsRoot = process.getuid?.() !== 0;
if (needsRoot) console.warn('the tests of files that the service may not use are skipped: they need root');

/** The wording of a runtime, or a place in the code. */
const RAW =
  /(?<!-)\bE[A-Z]{3,}\b|permission denied|illegal operation|no such file or directory,|\n\s+at |\bsyscall\b/;

test("no file system error contains a runtime's wording", () => {
  const codes =
    'EACCES EPERM EROFS ENOTDIR EISDIR ELOOP ENOSPC EDQUOT ENOENT ENAMETOOLONG EEXIST ENOTEMPTY EMFILE EIO EBUSY';
  for (const code of codes.split(' ')) {
    const error = Object.assign(new Error(`${code}: permission denied, scandir '/nowhere/x'`), {
      code,
      syscall: 'scandir',
      path: '/nowhere/x',
    });
    for (const words of [fileWords(error), wordsFor(error), unexpectedWords(error)])
      expect([code, words]).toEqual([code, expect.not.stringMatching(RAW)]);
    expect(unexpectedWords(error)).toStartWith('cannot use /nowhere/x: ');
  }
  const unknown = Object.assign(new Error('EODD: odd'), { code: 'EODD', path: '/x' });
  expect(unexpectedWords(unknown)).toBe('cannot use /x: the system reports EODD');
  // Other errors stay unchanged.
  expect(unexpectedWords(new Error('as it was'))).toBe('as it was');
});

describe.skipIf(needsRoot)('the user of the service', () => {
  let executable: string;
  let made: string;
  const command = (directory: string, ...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(executable, words, {
      uid: NOBODY,
      gid: NOBODY,
      env: { SERVICE_DATA_DIR: directory, SERVICE_PORT: '0', SERVICE_ADMIN_PORT: '0' },
      encoding: 'utf8',
      // A start that should fail.
      timeout: 20_000,
    });
    return { status, stdout, stderr, last: stderr.trim().split('\n').at(-1) ?? '' };
  };
  beforeAll(async () => {
    executable = await binaryForOthers();
    made = lastingDirectory();
    chownSync(made, NOBODY, NOBODY);
    for (const words of ['init', 'backup create'])
      expect([words, command(made, ...words.split(' ')).status]).toEqual([words, 0]);
    // Files as a first start creates them.
    mkdirSync(join(made, 'signing'), { mode: 0o700 });
    writeFileSync(join(made, 'redoubt.reserve'), 'x', { mode: 0o600 });
  });
  afterAll(() => rmSync(made, { recursive: true, force: true }));

  /** A data directory of the service user with one problem in it. */
  const spoiled = (name: string, spoil: (path: string) => void) => {
    const directory = temporaryDirectory();
    cpSync(made, directory, { recursive: true });
    chownSync(directory, NOBODY, NOBODY);
    const path = join(directory, name);
    expect([name, existsSync(path)]).toEqual([name, true]);
    spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, directory]);
    spoil(path);
    return { directory, path };
  };
  const toRoot = (path: string) => {
    chownSync(path, 0, 0);
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
  };
  const AT_START = ['redoubt.sqlite', 'installation.key', 'redoubt.lock', 'redoubt.reserve', 'signing'];
  const AT_BACKUP = ['backups', 'redoubt.backup-lock'];
  const DOORS = [
    ...AT_START.map((name) => [name, ['serve']] as const),
    ...AT_BACKUP.map((name) => [name, ['backup', 'create']] as const),
  ];

  test.each(DOORS)(
    'learns the owner of %s, the expected owner, and the command that repairs it',
    (name, words) => {
      const { directory, path } = spoiled(name, toRoot);
      const all = statSync(path).isDirectory() ? '-R ' : '';
      const { status, stderr, last } = command(directory, ...words);
      expect([status, last]).toEqual([
        1,
        expect.stringContaining(`${path} belongs to root, not to nobody. Run chown ${all}nobody: ${path}`),
      ]);
      expect(stderr).not.toMatch(RAW);
      const doctor = command(directory, 'doctor');
      expect([doctor.status, doctor.stdout]).toEqual([
        1,
        expect.stringMatching(new RegExp(`chown .*nobody: ${path}`)),
      ]);
      expect(doctor.stdout).not.toMatch(RAW);
      spawnSync('sh', ['-c', `chown -R nobody: ${path}`]);
      expect(command(directory, 'doctor').stdout).not.toContain('chown');
    },
  );

  test.each(DOORS)('learns the mode of %s that denies its owner access', (name, words) => {
    const { directory, path } = spoiled(name, (path) => chmodSync(path, 0));
    const { status, last, stderr } = command(directory, ...words);
    expect([status, last]).toEqual([1, expect.stringContaining(`chmod u+rwX ${path}`)]);
    expect(stderr).not.toMatch(RAW);
    expect(command(directory, 'doctor').stdout).toContain(`chmod u+rwX ${path}`);
  });

  const ODD: Readonly<Record<string, (path: string) => void>> = {
    'a pipe': (path) => spawnSync('mkfifo', ['-m', '600', path]),
    'a socket': (path) => Bun.listen({ unix: path, socket: { data() {} } }).unref(),
    'a dangling link': (path) => symlinkSync('/nowhere/at/all', path),
    'a link to itself': (path) => symlinkSync(basename(path), path),
  };
  // A dangling link in the place of a database or its key counts as a missing file.
  const isMissing = (name: string, what: string) => what.includes('link') && /sqlite|key/.test(name);
  const PLACES = AT_START.flatMap((name) => Object.keys(ODD).map((what) => [name, what] as const));
  test.each(PLACES.filter(([name, what]) => !isMissing(name, what)))(
    "gets an immediate error in Redoubt's words where %s is %s",
    (name, what) => {
      const { directory, path } = spoiled(name, (path) => {
        rmSync(path, { recursive: true });
        ODD[what]?.(path);
        lchownSync(path, NOBODY, NOBODY);
      });
      const { status, last, stderr } = command(directory, 'serve');
      expect([status, last]).toEqual([1, expect.stringContaining(path)]);
      expect(stderr).not.toMatch(RAW);
      const doctor = command(directory, 'doctor');
      expect([doctor.status, doctor.stdout]).toEqual([1, expect.stringContaining(path)]);
      expect(doctor.stdout).not.toMatch(RAW);
    },
  );

  test.each(DOORS)('learns that another kind of file is in the place of %s', (name, words) => {
    const { directory, path } = spoiled(name, (path) => {
      const isDirectory = statSync(path).isDirectory();
      rmSync(path, { recursive: true });
      if (isDirectory) writeFileSync(path, '');
      else mkdirSync(path);
      chownSync(path, NOBODY, NOBODY);
    });
    const { status, last, stderr } = command(directory, ...words);
    expect([status, last]).toEqual([1, expect.stringContaining(path)]);
    expect(last).toMatch(/(Move it away|use another path)$/);
    expect(stderr).not.toMatch(RAW);
    expect(command(directory, 'doctor').stdout).toContain(path);
  });

  test('learns which files elsewhere have another owner, without advice to change it', () => {
    const { directory } = spoiled('redoubt.sqlite', () => {});
    const roots = temporaryDirectory();
    chmodSync(roots, 0o755);
    const secret = join(roots, 'file');
    writeFileSync(secret, 'SERVICE_LOG_LEVEL=info\n', { mode: 0o600 });
    const setting = (env: Record<string, string>) => {
      const { status, stderr } = spawnSync(executable, ['serve'], {
        uid: NOBODY,
        gid: NOBODY,
        env: { SERVICE_DATA_DIR: directory, SERVICE_PORT: '0', SERVICE_ADMIN_PORT: '0', ...env },
        encoding: 'utf8',
        timeout: 20_000,
      });
      return [status, stderr.trim().split('\n').at(-1)];
    };
    const tls = { SERVICE_TLS_CERT: secret, SERVICE_TLS_KEY: secret };
    for (const env of [
      { SERVICE_CONFIG: secret },
      { SERVICE_CATALOG_FILE: secret },
      { SERVICE_SECURITY_TXT: secret },
      { SERVICE_STRIPE_SECRET_KEY_FILE: secret },
      tls,
    ] as Record<string, string>[]) {
      const [status, line] = setting(env);
      expect([env, status === 1 || status === 2, line]).toEqual([
        env,
        true,
        expect.stringContaining(`${secret} belongs to root, and nobody has no access. Run this as root`),
      ]);
      expect(line).not.toContain('chown');
      expect(line).not.toMatch(RAW);
    }
    for (const words of [
      ['backup', 'create', '--to', join(roots, 'a.tar')],
      ['feed', 'export', '--out', join(roots, 'a.json')],
      ['license', 'issue', '--plan', 'free', '--count', '2', '--out', join(roots, 'a.csv')],
      ['evidence', 'export', 'lic_1', '--out', join(roots, 'a.zip')],
      ['vulns', 'bundle', '--out', join(roots, 'a')],
      ['restore', secret],
      ['vulns', 'import', secret],
      ['license', 'import', secret],
    ]) {
      const { status, stderr } = command(directory, ...words);
      expect([words, status === 0, stderr]).toEqual([words, false, expect.not.stringMatching(RAW)]);
    }
  });
});
