import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { stepsTo } from '../src/lib/path-steps.ts';
import { type Env, type RunningService, run, runAlone, start } from './support/service.ts';
import { rows } from './support/store.ts';
import { temporaryDirectory } from './support/temporary.ts';

const NOBODY = 65_534;
const DAEMON = 1;
const needsRoot = process.getuid?.() !== 0;
if (needsRoot) console.warn('the tests of where root writes files are skipped: they need root');

describe('the resolved path of a file', () => {
  test('contains each link and directory, also of nested links, in the order of the kernel', () => {
    const home = temporaryDirectory();
    const at = (...names: string[]) => join(home, ...names);
    for (const name of ['a', 'b', 'c']) mkdirSync(at(name));
    symlinkSync('../b/two', at('a', 'one'));
    symlinkSync(at('c'), at('b', 'two'));
    const paths = stepsTo(`${at('a')}/./one/../b`).map(({ path }) => path);
    expect(paths.slice(paths.indexOf(home))).toEqual(
      expect.arrayContaining([home, at('a'), at('a', 'one'), at('b'), at('b', 'two'), at('c')]),
    );
    // Relative to the target of the links, not to their location.
    expect(paths.at(-1)).toBe(at('b'));
  });

  test('ends at a missing entry, a file in place of a directory, or a loop of links', () => {
    const home = temporaryDirectory();
    writeFileSync(join(home, 'file'), '');
    symlinkSync('circle', join(home, 'circle'));
    expect(stepsTo(join(home, 'none', 'x')).at(-1)?.path).toBe(home);
    expect(stepsTo(join(home, 'file', 'x')).at(-1)?.path).toBe(join(home, 'file'));
    expect(stepsTo(join(home, 'circle', 'x')).length).toBeLessThan(60);
  });
});

describe.skipIf(needsRoot)('a file that root writes', () => {
  let service: RunningService;
  let env: Env;
  let key: string;
  // Its own process: it makes the keys that sign, and its rows are counted.
  beforeAll(async () => {
    service = await start('binary');
    ({ env } = service);
    await service.issue('--plan', 'pro', '--domain', 'shop.example.com');
    key = join(temporaryDirectory(), 'mirror.key');
    await run('binary', {}, 'keys', 'create', '--purpose', 'mirror', '--out', key);
  });

  afterAll(() => service.end());

  const rowsFile = () => {
    const path = join(temporaryDirectory(), 'rows.ndjson');
    writeFileSync(path, '{"plan":"free"}\n');
    return path;
  };
  const epss = () => {
    const path = join(temporaryDirectory(), 'epss.csv');
    const head = '#model_version:v2025.03.14,score_date:2026-11-01T00:00:00+0000';
    writeFileSync(path, `${head}\ncve,epss,percentile\nCVE-2024-0001,0.5,0.9\n`);
    return path;
  };

  /** Each command that writes to a path of the operator's, and the file that it creates there. */
  const WRITERS: Readonly<Record<string, (path: string) => string[]>> = {
    'keys create': (out) => ['keys', 'create', '--purpose', 'mirror', '--out', out],
    'license issue': (out) => ['license', 'issue', '--plan', 'free', '--count', '2', '--out', out],
    'license import': (out) => ['license', 'import', rowsFile(), '--out', out],
    'vulns pack': (out) => ['vulns', 'pack', '--key', key, '--out', out, epss()],
    'evidence export': (out) => ['evidence', 'export', 'lic_1', '--out', join(out, '..')],
  };
  const SECRET = new Set(['keys create', 'license issue', 'license import', 'evidence export']);

  /**
   * A directory of root's in which another user controls an entry; the path that root names, and its target.
   */
  const TRAPS: Readonly<Record<string, (home: string, victim: string) => string>> = {
    "a directory link of another user's": (home, victim) => {
      symlinkSync(victim, join(home, 'link'));
      lchownSync(join(home, 'link'), NOBODY, NOBODY);
      return join(home, 'link');
    },
    "a link of root's to a link of another user's": (home, victim) => {
      mkdirSync(join(home, 'theirs'));
      symlinkSync(victim, join(home, 'theirs', 'link'));
      chownSync(join(home, 'theirs'), NOBODY, NOBODY);
      lchownSync(join(home, 'theirs', 'link'), NOBODY, NOBODY);
      symlinkSync(join(home, 'theirs', 'link'), join(home, 'own'));
      return join(home, 'own');
    },
    "another user's directory": (home) => {
      mkdirSync(join(home, 'theirs'));
      chownSync(join(home, 'theirs'), NOBODY, NOBODY);
      return join(home, 'theirs');
    },
    "root's directory in another user's": (home) => {
      mkdirSync(join(home, 'theirs', 'own'), { recursive: true });
      chownSync(join(home, 'theirs'), NOBODY, NOBODY);
      return join(home, 'theirs', 'own');
    },
    'a way out of a link of another user': (home, victim) => {
      mkdirSync(join(victim, 'inner'));
      symlinkSync(join(victim, 'inner'), join(home, 'link'));
      lchownSync(join(home, 'link'), NOBODY, NOBODY);
      return `${join(home, 'link')}/..`;
    },
    'a directory in which everybody may write': (home) => {
      mkdirSync(join(home, 'open'));
      chmodSync(join(home, 'open'), 0o777);
      return join(home, 'open');
    },
    'a directory in which another group may write': (home) => {
      mkdirSync(join(home, 'open'));
      chownSync(join(home, 'open'), 0, DAEMON);
      chmodSync(join(home, 'open'), 0o775);
      return join(home, 'open');
    },
  };

  const stored = () =>
    rows(
      service,
      'select (select count(*) from licenses) as licenses, (select count(*) from audit_log) as entries',
    );
  const everything = (directory: string): string[] =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();

  describe.each(Object.entries(WRITERS))('%s', (name, words) => {
    // Joining a folder with the names of its files normalizes the path, which removes this attack.
    const traps = Object.entries(TRAPS).filter(
      ([what]) => name !== 'evidence export' || !what.startsWith('a way'),
    );
    test.each(traps)('is not written through %s, and nothing is stored', async (_, trap) => {
      const [home, victim] = [temporaryDirectory(), temporaryDirectory()];
      const folder = trap(home, victim);
      const before = [everything(home), everything(victim), stored()];
      const { exitCode, stdout, stderr } = await run('binary', env, ...words(`${folder}/file`));
      expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringMatching(/leads through .*\n$/)]);
      expect([everything(home), everything(victim), stored()]).toEqual(before);
    });

    test.each(['', '.partial'])('is not written through a link at the file itself%s', async (ending) => {
      const [home, victim] = [temporaryDirectory(), join(temporaryDirectory(), 'victim')];
      chmodSync(home, 0o1777);
      writeFileSync(victim, 'of root\n');
      const file = name === 'evidence export' ? 'lic_1-1.ndjson' : 'file';
      symlinkSync(victim, join(home, `${file}${ending}`));
      lchownSync(join(home, `${file}${ending}`), NOBODY, NOBODY);
      await run('binary', env, ...words(join(home, 'file')));
      expect(readFileSync(victim, 'utf8')).toBe('of root\n');
      for (const each of readdirSync(home))
        if (!lstatSync(join(home, each)).isSymbolicLink()) expect(statSync(join(home, each)).uid).toBe(0);
    });

    test('is written through links and directories of root, also where everyone may write with the sticky bit', async () => {
      const home = temporaryDirectory();
      mkdirSync(join(home, 'sticky', 'own'), { recursive: true });
      chmodSync(join(home, 'sticky'), 0o1777);
      symlinkSync('sticky/own', join(home, 'link'));
      const { exitCode } = await run('binary', env, ...words(join(home, 'link', 'file')));
      expect(exitCode).toBe(0);
      const [made = ''] = readdirSync(join(home, 'sticky', 'own'));
      const { mode, uid } = statSync(join(home, 'sticky', 'own', made));
      expect([uid, mode & 0o777]).toEqual([0, SECRET.has(name) ? 0o600 : 0o644]);
    });
  });

  test('and is not secret is written as the owner of the link or directory that leads to it', async () => {
    const license = (out: string) => ['license', 'export', 'lic_1', '--out', out];
    const backup = (out: string) => ['backup', 'create', '--to', out];
    const feed = (out: string) => ['feed', 'export', '--out', out];
    const misp = (out: string) => ['feed', 'export', '--format', 'misp', '--out', out];
    for (const words of [license, backup, feed, misp])
      for (const [what, trap] of Object.entries(TRAPS).slice(0, 3)) {
        const [home, victim] = [temporaryDirectory(), temporaryDirectory()];
        chmodSync(home, 0o755);
        const path = join(trap(home, victim), 'file');
        const { exitCode } = await runAlone('binary', env, ...words(path));
        const isTheirs = what === "another user's directory";
        expect([what, exitCode, everything(victim)]).toEqual([what, isTheirs ? 0 : 1, []]);
        expect([what, existsSync(path) && statSync(path).uid]).toEqual([what, isTheirs && NOBODY]);
      }
  });
});
