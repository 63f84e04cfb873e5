import { beforeAll, describe, expect, test } from 'bun:test';
import {
  existsSync,
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
import { SETTINGS, type Setting } from '../src/settings/settings.ts';
import { databasePath, installationKeyPath } from '../src/storage/engine/data-directory.ts';
import { MIGRATIONS } from '../src/storage/engine/migrations.ts';
import { type Env, run, runAlone, SURE, start } from './support/service.ts';
import { temporaryDirectory } from './support/temporary.ts';

let env: Env;
beforeAll(async () => {
  env = { SERVICE_DATA_DIR: temporaryDirectory() };
  await redoubt('init');
});
const redoubt = (...args: string[]) => run('binary', env, ...args);

/** An entry as `redoubt audit --json` prints it. */
type AuditedEntry = Readonly<Record<string, unknown>>;

const LICENSE_COMMANDS = [
  'issue',
  'list',
  'find',
  'show',
  'change',
  'suspend',
  'resume',
  'revoke',
  'rotate',
  'explain',
  'extend',
  'bind',
  'unbind',
  'block',
  'unblock',
  'blocked',
  'import',
  'forget',
];
const COMMANDS = [
  [],
  ['serve'],
  ['init'],
  ['migrate'],
  ['openapi'],
  ['config'],
  ['config', 'check'],
  ['doctor'],
  ['version'],
  ['audit'],
  ['evidence'],
  ['evidence', 'verify'],
  ['alert'],
  ...['list', 'acknowledge', 'unacknowledge'].map((command) => ['alert', command]),
  ['backup'],
  ...['create', 'verify'].map((command) => ['backup', command]),
  ['restore'],
  ['store'],
  ['store', 'copy'],
  ['feed'],
  ['feed', 'show'],
  ...['rebuild', 'withdraw', 'allow', 'restore', 'rulings'].map((command) => ['feed', command]),
  ['keys'],
  ['keys', 'create'],
  ['keys', 'show'],
  ['license'],
  ...LICENSE_COMMANDS.map((command) => ['license', command]),
  ['operator'],
  ['operator', 'reset-2fa'],
  ['payments'],
  ...['problems', 'retry'].map((command) => ['payments', command]),
  ['token'],
  ...['create', 'list', 'revoke'].map((command) => ['token', command]),
  ['vulns'],
  ...['import', 'pack', 'status', 'urgent', 'lookup', 'assert', 'rollback'].map((command) => [
    'vulns',
    command,
  ]),
];

test.each(COMMANDS.map((words) => [words.join(' '), words] as const))(
  '"redoubt %s --help" explains the command with an example',
  async (_, words) => {
    const { exitCode, stdout } = await runAlone('binary', env, ...words, '--help');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage: redoubt');
    expect(stdout).toContain('Example:');
  },
);

test.each([
  ...LICENSE_COMMANDS.filter((name) => !['list', 'find', 'explain', 'show', 'blocked'].includes(name)).map(
    (name) => ['license', name],
  ),
  ['license', 'verify-domain'],
  ['backup', 'create'],
  ['restore', 'one.tar'],
  ...['import', 'assert', 'rollback'].map((name) => ['vulns', name]),
  ...['rotate', 'revoke'].map((name) => ['keys', name]),
  ...['create', 'revoke'].map((name) => ['token', name]),
  ...['add', 'link', 'role', 'disable', 'enable', 'reset-2fa'].map((name) => ['operator', name]),
  ['payments', 'retry'],
  ...['rebuild', 'withdraw', 'allow', 'restore'].map((name) => ['feed', name]),
  ...['acknowledge', 'unacknowledge'].map((name) => ['alert', name]),
])('"redoubt %s %s" changes data and accepts a reason', async (...words) => {
  expect((await redoubt(...words, '--help')).stdout).toContain('--reason <text>');
});

test.each([
  [['nonsense']],
  [['license']],
  [['license', 'issue']],
  [['license', 'issue', '--plan', 'gold']],
  [['license', 'issue', '--plan', 'pro', '--domain', 'a..b']],
  [['license', 'issue', '--plan', 'pro', '--expires', 'tomorrow']],
  [['license', 'issue', '--plan', 'pro', '--allow-module', 'No Module']],
  [['license', 'issue', '--plan', 'pro', '--customer', ' ']],
  [['license', 'issue', '--plan', 'pro', '--customer', 'x'.repeat(201)]],
  [['license', 'issue', '--plan', 'pro', '--customer', 'two\nlines']],
  [['license', 'issue', '--plan', 'pro', '--external-id', '\x1b[2J']],
  [['license', 'issue', '--plan', 'pro', '--note', 'two\u2028lines']],
  [['license', 'issue', '--plan', 'pro', '--email', 'nobody']],
  [['license', 'issue', '--plan', 'pro', '--external-id', 'x'.repeat(129)]],
  [['license', 'issue', '--plan', 'pro', '--out', 'k']],
  [['license', 'issue', '--plan', 'pro', '--csv']],
  [['license', 'issue', '--plan', 'pro', '--count', '2']],
  [['license', 'issue', '--plan', 'pro', '--count', '0', '--out', 'k']],
  [['license', 'issue', '--plan', 'pro', '--count', '100001', '--out', 'k']],
  [['license', 'issue', '--plan', 'pro', '--count', '2', '--out', 'k', '--domain', 'a.com']],
  [['license', 'issue', '--plan', 'pro', '--count', '2', '--out', 'k', '--external-id', 'a']],
  [['license', 'import', 'licenses.txt']],
  [['license', 'show']],
  [['license', 'rotate', 'lic_1', '--grace', '0h']],
  [['license', 'explain']],
  [['audit', '--limit', '0']],
  [['alert', 'list', '--acknowledged', '--unacknowledged']],
  [['alert', 'list', '--license', 'one']],
  [['alert', 'list', '--cursor', '9.1.1.1.x']],
  [['alert', 'acknowledge', 'lic_1', 'a..b', 'malware']],
  [['audit', '--since', 'May']],
  [['evidence', 'verify']],
  [['evidence', 'verify', 'a.ndjson', '--vkey', 'my key']],
  [['feed', 'withdraw']],
  [['feed', 'rulings', '--cursor', 'x']],
  [['feed', 'rulings', '--limit', '0']],
  [['keys', 'create', '--out', 'k']],
  [['keys', 'create', '--purpose', 'release', '--out', 'k']],
  [['keys', 'create', '--purpose', 'mirror', '--out', 'k', '--name', 'a+b']],
  [['keys', 'show']],
  [['vulns', 'import']],
  [['vulns', 'import', 'a.json', '--format', 'spdx']],
  [['vulns', 'import', 'a.json', '--source', 'OSV']],
  [['vulns', 'import', 'a.json', '--source', 'x'.repeat(65)]],
  [['vulns', 'import', 'a.json', '--sha256', 'abc']],
  [['vulns', 'import', 'a.json', 'b.json', '--sha256', 'a'.repeat(64)]],
  [['vulns', 'import', 'feeds.bundle', '--bundle']],
  [['vulns', 'import', 'feeds.bundle', '--key', 'redoubt/mirror+00000000+AA']],
  [['vulns', 'import', 'feeds.bundle', '--bundle', '--key', 'my key']],
  [['vulns', 'pack', 'a.json', '--out', 'b']],
  [['vulns', 'pack', 'a.json', '--key', 'k']],
  [['vulns', 'lookup', 'npm', 'left-pad']],
  [['vulns', 'lookup', 'wordpress', 'left-pad', '1']],
  [['vulns', 'lookup', 'debian:12.', 'curl', '1']],
  [['vulns', 'lookup', 'npm', 'left pad', '1']],
  [['vulns', 'lookup', 'npm', 'left-pad', '1 || 2']],
  [['vulns', 'lookup', 'npm', 'left-pad', '1'.repeat(65)]],
  [['vulns', 'assert', 'CVE-2026-1']],
  [['vulns', 'assert', 'CVE-2026-1', '--exploitation', 'active']],
  [['vulns', 'assert', 'CVE-2026-1', '--exploitation', 'often', '--reason', 'r']],
  [['vulns', 'assert', 'CVE-2026-1', '--exploitation', 'poc', '--reason', 'r', '--withdraw']],
  [['vulns', 'assert', 'CVE 1', '--withdraw']],
  [['vulns', 'assert', 'x'.repeat(65), '--withdraw']],
  [['version', '--nonsense']],
])('%j is wrong usage: exit code 2 and a hint', async (words) => {
  const { exitCode, stdout, stderr } = await redoubt(...words);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^[\n -~]+$/);
});

test.each([
  [['license', 'show', 'lic_999']],
  [['license', 'revoke', 'nobody', ...SURE]],
  [['license', 'rotate', 'lic_999', '--grace', '24h']],
  [['license', 'explain', 'lic_999']],
  [['feed', 'show']],
  [['evidence', 'verify', 'nowhere.ndjson']],
  [['vulns', 'lookup', 'npm', 'a', '1']],
  [['vulns', 'rollback']],
  [['vulns', 'import', 'nowhere.json']],
])('%j finds nothing: exit code 1', async (words) => {
  const { exitCode, stderr } = await redoubt(...words);
  expect([exitCode, stderr.trim().split('\n').length]).toEqual([1, 1]);
});

describe('init', () => {
  const init = (directory: string) => run('binary', { SERVICE_DATA_DIR: directory }, 'init');

  test('creates the directory, its database and its key for their owner only, and lists them', async () => {
    const directory = join(temporaryDirectory(), 'new', 'data');
    const { exitCode, stdout } = await init(directory);
    const [database, key] = [databasePath(directory), installationKeyPath(directory)];
    expect([exitCode, stdout]).toEqual([
      0,
      [directory, database, key].map((path) => `created ${path}\n`).join(''),
    ]);
    for (const path of [directory, database, key]) expect(statSync(path).mode & 0o077).toBe(0);
    expect((await run('binary', { SERVICE_DATA_DIR: directory }, 'license', 'list')).exitCode).toBe(0);
  });

  test('reports in JSON which files it created, which existed, and the next steps', async () => {
    const directory = temporaryDirectory();
    const inside = [databasePath(directory), installationKeyPath(directory)];
    const told = async () => {
      const { stdout } = await run('binary', { SERVICE_DATA_DIR: directory }, 'init', '--json');
      return JSON.parse(stdout);
    };
    expect(await told()).toEqual({ made: inside, kept: [directory], next: 'redoubt serve' });
    expect(await told()).toEqual({ made: [], kept: [directory, ...inside], next: 'redoubt serve' });
  });

  test('changes no existing files, also next to a running server', async () => {
    // Its own process: `redoubt init` runs in its data directory.
    const service = await start('binary');
    const directory = service.env.SERVICE_DATA_DIR as string;
    const key = readFileSync(installationKeyPath(directory));
    const { license_id } = await service.issue('--plan', 'pro');
    const { exitCode, stdout } = await init(directory);
    expect([exitCode, stdout]).toEqual([0, `${directory} is already complete\n`]);
    expect(readFileSync(installationKeyPath(directory))).toEqual(key);
    expect(await service.command('license', 'list')).toContain(license_id);
    await service.end();
  });

  test('creates missing files, but no database where a key shows that there was one', async () => {
    const directory = temporaryDirectory();
    writeFileSync(databasePath(directory), '');
    expect((await init(directory)).exitCode).toBe(0);
    rmSync(installationKeyPath(directory));
    expect((await init(directory)).stdout).toBe(`created ${installationKeyPath(directory)}\n`);
    rmSync(databasePath(directory));
    const { exitCode, stderr } = await init(directory);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Restore it from a backup')]);
    expect(readdirSync(directory)).not.toContain('redoubt.sqlite');
  });
});

describe.each([
  ['missing', (directory: string) => rmSync(directory, { recursive: true })],
  ['empty', () => {}],
  ['from another program', (directory: string) => writeFileSync(join(directory, 'theirs'), '')],
])('in a data directory that is %s', (_, prepare) => {
  test.each([
    ['license list'],
    ['license issue --plan pro'],
    ['license show lic_1'],
    ['license revoke lic_1 --yes --reason test'],
    ['feed show'],
    ['feed rebuild'],
    ['vulns import a.json'],
    ['vulns status'],
    ['vulns rollback'],
    ['vulns assert CVE-2026-1 --withdraw'],
    ['migrate'],
    ['migrate --status'],
  ])('"%s" creates nothing and names the expected file and its setting', async (words) => {
    const directory = temporaryDirectory();
    prepare(directory);
    const left = () => (existsSync(directory) ? readdirSync(directory) : undefined);
    const before = left();
    const { exitCode, stdout, stderr } = await run(
      'binary',
      { SERVICE_DATA_DIR: directory },
      ...words.split(' '),
    );
    expect([exitCode, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
    for (const told of [directory, 'SERVICE_DATA_DIR', 'redoubt init']) expect(stderr).toContain(told);
    expect(left()).toEqual(before);
  });
});

describe('a path that cannot be a data directory', () => {
  const places: readonly [string, (home: string) => string, string][] = [
    [
      'a file',
      (home) => {
        writeFileSync(join(home, 'file'), '');
        return join(home, 'file');
      },
      'is a file. Set SERVICE_DATA_DIR to a directory',
    ],
    [
      'a path below a file',
      (home) => {
        writeFileSync(join(home, 'file'), '');
        return join(home, 'file', 'data');
      },
      'part of its path is not a directory',
    ],
    [
      'a dangling link',
      (home) => {
        symlinkSync(join(home, 'nothing'), join(home, 'link'));
        return join(home, 'link');
      },
      'the path already exists',
    ],
  ];
  test.each(places)('%s is reported as such', async (_, place, told) => {
    const directory = place(temporaryDirectory());
    const { exitCode, stdout, stderr } = await run(
      'binary',
      { SERVICE_DATA_DIR: directory, SERVICE_PORT: '0' },
      'serve',
    );
    expect([exitCode, stdout, stderr.split('\n').length]).toEqual([1, '', 2]);
    expect(stderr).toContain(directory);
    expect(stderr).toContain(told);
  });

  test('a directory in place of the database is reported as such', async () => {
    const directory = temporaryDirectory();
    mkdirSync(databasePath(directory));
    for (const words of ['serve', 'license list', 'init']) {
      const { exitCode, stderr } = await run(
        'binary',
        { SERVICE_DATA_DIR: directory, SERVICE_PORT: '0' },
        ...words.split(' '),
      );
      expect([words, exitCode, stderr]).toEqual([words, 1, expect.stringContaining('cannot open ')]);
    }
  });
});

describe('a license', () => {
  test('is not changed, issued or exported when the audit entry cannot be written', async () => {
    const own = { SERVICE_DATA_DIR: temporaryDirectory() };
    const license = (...words: string[]) => run('binary', own, 'license', ...words);
    await run('binary', own, 'init');
    await license('issue', '--plan', 'pro');
    const listed = (await license('list', '--json')).stdout;
    const database = new DatabaseSync(databasePath(own.SERVICE_DATA_DIR));
    database.exec('alter table audit_log rename to taken_away');
    database.close();
    for (const words of [
      ['rotate', 'lic_1'],
      ['revoke', 'lic_1', ...SURE],
      ['issue', '--plan', 'pro'],
      ['list', '--csv'],
    ]) {
      const { exitCode, stdout } = await license(...words);
      expect([words[0], exitCode, stdout]).toEqual([words[0], 1, '']);
    }
    expect((await license('list', '--json')).stdout).toBe(listed);
  });

  test('is changed in the named terms only, after a preview that changes nothing', async () => {
    const own = { SERVICE_DATA_DIR: temporaryDirectory() };
    await run('binary', own, 'init');
    const license = async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await run('binary', own, 'license', ...words, '--json');
      return exitCode === 0 ? JSON.parse(stdout) : { exitCode, stderr };
    };
    await license('issue', '--plan', 'starter', '--note', 'n', '--allow-module', 'decoys');
    const before = await license('show', 'lic_1');
    const words = ['--plan', 'pro', '--sites', '7', '--expires', '2099-01-01', '--note', ''];
    const modules = ['--deny-module', 'decoys', '--allow-module', 'pc_guard'];
    const preview = await license('change', 'lic_1', ...words, ...modules, '--dry-run');
    expect(preview).toEqual({
      changed: false,
      before: {
        plan: 'starter',
        sitesOverride: null,
        expiresAt: null,
        note: 'n',
        modulesAllowed: ['decoys'],
        modulesDenied: [],
      },
      after: {
        plan: 'pro',
        sitesOverride: 7,
        expiresAt: Date.parse('2099-01-01'),
        note: null,
        modulesAllowed: ['pc_guard'],
        modulesDenied: ['decoys'],
      },
    });
    expect(await license('show', 'lic_1')).toEqual(before);

    await license('change', 'lic_1', ...words, ...modules);
    await license('change', 'lic_1', '--sites', 'default', '--expires', 'never', '--clear-modules');
    const { created_at, key } = before;
    expect(await license('show', 'lic_1')).toMatchObject({
      created_at,
      key,
      plan: 'pro',
      sites_allowed: 25,
      expires_at: null,
      note: null,
      modules_allowed: [],
      modules_denied: [],
    });
    expect(await license('change', 'lic_1', '--plan', 'pro')).toEqual({
      changed: false,
      before: {},
      after: {},
    });
  });

  test.each([
    [['change', '--allow-module', 'nonsense'], /no such module .* ai_analysis, /],
    [['change', '--expires', '2020-01-01'], /in the past/],
    [['extend', '--expires', '2020-01-01'], /in the past/],
    [['bind', '--domain', 'b.com'], /uses 1 of 1 sites\. .* lic_1 --sites 2/],
  ])('is not changed by %p', async ([act = '', ...words], reason) => {
    const own = { SERVICE_DATA_DIR: temporaryDirectory() };
    await run('binary', own, 'init');
    const license = (...more: string[]) => run('binary', own, 'license', ...more);
    await license('issue', '--plan', 'free', '--domain', 'a.com');
    const before = (await license('show', 'lic_1')).stdout;
    const { exitCode, stderr } = await license(act, 'lic_1', ...words);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(reason)]);
    expect((await license('show', 'lic_1')).stdout).toBe(before);
  });

  test('gets a domain from the operator while a site is free, with a notice about other holders', async () => {
    const own = { SERVICE_DATA_DIR: temporaryDirectory() };
    await run('binary', own, 'init');
    const license = (...words: string[]) => run('binary', own, 'license', ...words);
    const told = (others: string) => ({
      exitCode: 0,
      stdout: expect.anything(),
      stderr: others && `redoubt: warning: a.com is also registered for ${others}\n`,
    });
    expect(await license('issue', '--plan', 'pro', '--domain', 'www.a.com')).toEqual(told(''));
    expect(await license('issue', '--plan', 'free', '--domain', 'b.com')).toEqual(told(''));
    const bind = ['bind', 'lic_2', '--domain', 'a.com'];
    expect((await license(...bind)).exitCode).toBe(1);
    await license('change', 'lic_2', '--sites', '2');
    expect(await license(...bind)).toEqual(told('lic_1'));
    expect(await license('issue', '--plan', 'free', '--domain', 'a.com')).toEqual(told('lic_1, lic_2'));
    await license('revoke', 'lic_1', ...SURE);
    await license('suspend', 'lic_2', '--hold', 'operator');
    expect(await license(...bind)).toEqual(told('lic_3'));
  });

  test.each([
    [['--plan', 'free', '--domain', 'a.com', '--domain', 'b.com'], /Raise --sites/],
    [['--plan', 'pro', '--allow-module', 'nonsense'], /no such module .* ai_analysis, cloud_immunity, /],
    [['--plan', 'pro', '--deny-module', 'decoy'], /no such module .* decoys, /],
    [['--plan', 'pro', '--expires', '2020-01-01'], /in the past/],
  ])('is not issued with %p', async (words, reason) => {
    const own = { SERVICE_DATA_DIR: temporaryDirectory() };
    await run('binary', own, 'init');
    const { exitCode, stdout, stderr } = await run('binary', own, 'license', 'issue', ...words);
    expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringMatching(reason)]);
    expect(stderr).toStartWith('redoubt: nothing was issued: ');
    expect((await run('binary', own, 'license', 'list', '--json')).stdout).toBe('[]\n');
    expect((await run('binary', own, 'audit', '--json')).stdout).toBe('[]\n');
  });

  test.each([
    [['--domain', 'shop.example'], /"shop.example" is a development host .* leave it out/],
    [['--domain', 'a..b'], /"a..b" is not a domain/],
    [['--allow-module', 'No Module'], /not a module name/],
  ])('is not issued with %p, which is reported as wrong usage', async (words, reason) => {
    const { exitCode, stdout, stderr } = await redoubt('license', 'issue', '--plan', 'pro', ...words);
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringMatching(reason)]);
    expect(stderr).toStartWith('redoubt: nothing was issued: ');
  });

  test('has a customer and an external id, which no two active licenses share', async () => {
    const own = { SERVICE_DATA_DIR: temporaryDirectory() };
    await run('binary', own, 'init');
    const license = (...words: string[]) => run('binary', own, 'license', ...words);
    const noted = ['issue', '--plan', 'pro', '--external-id', ' shop-7 '];
    await license(...noted, '--customer', ' Example Ltd ', '--email', 'Owner@Example.com');
    const notes = { customer: 'Example Ltd', email: 'Owner@Example.com', external_id: 'shop-7' };
    expect(JSON.parse((await license('show', 'lic_1', '--json')).stdout)).toMatchObject(notes);

    const taken = 'nothing was issued: lic_1 already has this external id\n';
    expect(await license(...noted)).toEqual({ exitCode: 1, stdout: '', stderr: `redoubt: ${taken}` });
    expect(JSON.parse((await license('list', '--json')).stdout)).toHaveLength(1);
    await license('revoke', 'lic_1', ...SURE);
    expect((await license(...noted)).exitCode).toBe(0);
    await license('issue', '--plan', 'pro');
    const without = { customer: null, email: null, external_id: null };
    expect(JSON.parse((await license('show', 'lic_3', '--json')).stdout)).toMatchObject(without);
  });

  test('can move to another customer, with an audit entry, but not with a used external id', async () => {
    const own = { SERVICE_DATA_DIR: temporaryDirectory() };
    await run('binary', own, 'init');
    const license = (...words: string[]) => run('binary', own, 'license', ...words);
    await license('issue', '--plan', 'pro', '--customer', 'Old Ltd', '--external-id', 'shop-1');
    await license('issue', '--plan', 'pro', '--external-id', 'shop-2');
    const more = ['--customer', ' New Ltd ', '--email', 'new@example.com'];
    expect((await license('change', 'lic_1', ...more, '--external-id', 'shop-1')).exitCode).toBe(0);
    const [entry] = JSON.parse((await run('binary', own, 'audit', '--json')).stdout);
    expect(entry).toMatchObject({
      action: 'license.change',
      before: { customer: 'Old Ltd', email: null },
      after: { customer: 'New Ltd', email: 'new@example.com' },
    });
    const { exitCode, stderr } = await license('change', 'lic_1', '--external-id', 'shop-2');
    expect([exitCode, stderr]).toEqual([1, 'redoubt: lic_2 already has this external id\n']);
    await license('change', 'lic_1', '--customer', '', '--email', '', '--external-id', '');
    const nothing = { customer: null, email: null, external_id: null };
    expect(JSON.parse((await license('show', 'lic_1', '--json')).stdout)).toMatchObject(nothing);
    expect((await license('change', 'lic_2', '--external-id', 'shop-1')).exitCode).toBe(0);
  });

  test('shows stored text without control characters on a terminal, and exactly in JSON', async () => {
    const own = { SERVICE_DATA_DIR: temporaryDirectory() };
    await run('binary', own, 'init');
    const license = async (...words: string[]) => (await run('binary', own, 'license', ...words)).stdout;
    await license('issue', '--plan', 'pro');
    const hostile = 'a\x1b[2J\x9b31m\x7f\r\nlic_2\u2028\u202eb';
    const database = new DatabaseSync(databasePath(own.SERVICE_DATA_DIR));
    database
      .prepare('update licenses set note = ?, customer = ?, email = ?, external_id = ?')
      .run(hostile, hostile, hostile, hostile);
    database.close();
    const harmless = 'a\\u001b[2J\\u009b31m\\u007f\\r\\nlic_2\\u2028\\u202eb';
    const [listed, shown] = [await license('list'), await license('show', 'lic_1')];
    expect(listed.trimEnd().split('\n')).toEqual([expect.anything(), expect.stringContaining(harmless)]);
    for (const name of ['note', 'customer', 'email', 'external_id'])
      expect(shown).toMatch(new RegExp(`^${name} +${RegExp.escape(harmless)}$`, 'm'));
    const notes = { note: hostile, customer: hostile, email: hostile, external_id: hostile };
    const json = await license('list', '--json');
    expect(JSON.parse(json)).toMatchObject([notes]);
    for (const text of [listed, shown, json])
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Bidi_Control}]/u);
  });

  test('shows its key once; every change is audited, and final states are final', async () => {
    const issued = JSON.parse(
      (await redoubt('license', 'issue', '--plan', 'pro', '--domain', 'www.a.com', '--note', 'n', '--json'))
        .stdout,
    );
    expect(issued).toMatchObject({ license_id: 'lic_1', plan: 'pro', domains: ['a.com'] });
    const changes = [
      ['suspend', 'lic_1', '--hold', 'operator'],
      ['resume', 'lic_1', '--hold', 'operator'],
      ['extend', 'lic_1', '--expires', '2099-01-01T00:00:00Z'],
      ['bind', '1', '--domain', 'b.com'],
      ['unbind', 'lic_1', '--domain', 'b.com'],
      ['rotate', 'lic_1'],
      ['revoke', 'lic_1', '--yes'],
    ];
    for (const words of changes) {
      const { exitCode, stdout } = await redoubt('license', ...words, '--json', '--reason', 'told to');
      expect([words[0], exitCode]).toEqual([words[0], 0]);
      expect(JSON.parse(stdout).license_id).toBe('lic_1');
    }
    const shown = `${(await redoubt('license', 'list')).stdout}${(await redoubt('license', 'show', 'lic_1')).stdout}`;
    expect(shown).toContain('revoked');
    expect(shown).not.toContain(issued.key);

    const audited: AuditedEntry[] = JSON.parse(
      (await redoubt('audit', '--subject', '1', '--json')).stdout,
    ).reverse();
    expect(audited.map(({ action }) => action)).toEqual([
      'license.issue',
      ...changes.map(([name]) => `license.${name}`),
    ]);
    for (const { actor, at, reason, request_id } of audited.slice(1)) {
      expect([actor, at, reason, request_id]).toEqual([
        expect.stringMatching(/^cli:[^:]+$/),
        expect.stringMatching(/Z$/),
        'told to',
        null,
      ]);
    }
    expect(audited.map(({ before, after }) => [before, after])).toMatchObject([
      [null, { plan: 'pro', domains: ['a.com'] }],
      [{ holds: [] }, { holds: ['operator'] }],
      [{ holds: ['operator'] }, { holds: [] }],
      [{ expiresAt: null }, { expiresAt: Date.UTC(2099, 0, 1) }],
      [null, { domain: 'b.com' }],
      [{ domain: 'b.com' }, null],
      [null, null],
      [null, { revokedAt: expect.any(Number) }],
    ]);
    expect(JSON.stringify(audited)).not.toContain('rdt_');

    expect((await redoubt('license', 'resume', 'lic_1', '--hold', 'operator')).exitCode).toBe(1);
    expect((await redoubt('license', 'rotate', 'lic_1')).exitCode).toBe(1);
  }, 20_000);
});

describe('the audit log', () => {
  test('names the login behind sudo, and its filters and pages show the latest entries first', async () => {
    const own = { SERVICE_DATA_DIR: temporaryDirectory() };
    await run('binary', own, 'init');
    const by = (SUDO_USER: string, ...words: string[]) => run('binary', { ...own, SUDO_USER }, ...words);
    await by('alice', 'license', 'issue', '--plan', 'pro', '--reason', 'an order');
    await by('bob', 'license', 'suspend', 'lic_1', '--hold', 'operator');
    await by('alice', 'license', 'change', 'lic_1', '--plan', 'starter', '--expires', '2099-01-01');
    await by('bo', 'license', 'issue', '--plan', 'free');
    const again = await by('bo', 'license', 'suspend', 'lic_1', '--hold', 'operator');
    expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining('nothing changed')]);

    const audit = async (...words: string[]) => {
      const { stdout, stderr } = await run('binary', own, 'audit', ...words, '--json');
      const entries: AuditedEntry[] = JSON.parse(stdout);
      return { told: entries.map(({ actor, action }) => `${actor} ${action}`), stderr };
    };
    const all = [
      'cli:bo license.issue',
      'cli:alice license.change',
      'cli:bob license.suspend',
      'cli:alice license.issue',
    ];
    expect(await audit()).toEqual({ told: all, stderr: '' });
    const first = await audit('--limit', '3');
    expect(first.told).toEqual(all.slice(0, 3));
    const [, cursor = ''] = /--cursor (\d+)\n$/.exec(first.stderr) ?? [];
    expect(await audit('--limit', '3', '--cursor', cursor)).toEqual({ told: all.slice(3), stderr: '' });
    expect((await audit('--subject', 'lic_1')).told).toEqual(all.slice(1));
    expect((await audit('--actor', 'cli:alice')).told).toEqual([all[1] ?? '', all[3] ?? '']);
    expect((await audit('--actor', 'cli')).told).toEqual(all);
    expect((await audit('--actor', 'cli:bo')).told).toEqual(all.slice(0, 1));
    expect((await audit('--since', '2099-01-01')).told).toEqual([]);

    const table = (await run('binary', own, 'audit')).stdout;
    expect(table).toContain('plan: pro → starter; expiresAt: - → 2099-01-01T00:00:00.000Z');
    expect(table).toContain('an order');
  });
});

test('config prints values as they would be set, and names unknown settings', async () => {
  const misspelt = { ...env, SERVICE_PROT: '1' };
  const { exitCode, stdout, stderr } = await run('binary', misspelt, 'config');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^SERVICE_TRIALS_ENABLED +1$/m);
  expect(stdout).toMatch(/^SERVICE_TRUSTED_PROXIES +-$/m);
  expect(stderr).toBe('redoubt: unknown setting SERVICE_PROT is ignored\n');
});

test('a command works without secret files that it does not need', async () => {
  const withFile = { ...env, SERVICE_STRIPE_SECRET_KEY_FILE: '/run/credentials/nowhere' };
  expect((await run('binary', withFile, 'license', 'list')).exitCode).toBe(0);
  expect((await run('binary', withFile, 'config')).exitCode).toBe(2);
});

test('config --help explains every setting', async () => {
  const { stdout } = await redoubt('config', '--help');
  for (const { env: name, help } of Object.values<Setting>(SETTINGS)) {
    expect(stdout).toContain(name);
    expect(stdout).toContain(help);
  }
});

test('config shows every setting, and version shows the running version', async () => {
  const config = JSON.parse((await redoubt('config', '--json')).stdout);
  expect(config).toMatchObject({
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: 8080,
    SERVICE_DATA_DIR: env.SERVICE_DATA_DIR,
  });
  const version = JSON.parse((await redoubt('version', '--json')).stdout);
  expect(version).toEqual({
    version: '0.1.0',
    commit: expect.any(String),
    built_at: expect.anything(),
    sbom_sha256: null,
    schema_version: MIGRATIONS.length,
    runtime: expect.stringContaining('bun'),
  });
  expect((await redoubt('--version')).stdout).toBe((await redoubt('version')).stdout);
});
