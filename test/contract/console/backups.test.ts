import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from '../../../src/storage/engine/migrations.ts';
import { auditOf } from '../../support/admin.ts';
import { type Browser, operatorOf, PASSWORD } from '../../support/console.ts';
import { type RunningService, start, until } from '../../support/service.ts';
import { keepBackup, rows } from '../../support/store.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const PATH = '/console/backups';
const VERIFY = `${PATH}/verify`;
const HOUR_MS = 3_600_000;
const FOLDER = temporaryDirectory();

let service: RunningService;
let owner: Browser;
let operator: Browser;
beforeAll(async () => {
  // Its own process: the page shows all backups.
  service = await start('binary');
  owner = await operatorOf(service, 'olivia');
  operator = await operatorOf(service, 'olga', 'operator');
});
afterAll(() => service.end());
beforeEach(() => rows(service, 'delete from backups'));

const read = async (browser = owner) => (await browser.get(PATH)).text;
const kept = () => [rows(service, 'select * from backups'), auditOf(service, 'backup.verify')];
const idOf = (path: string) => String(rows(service, 'select id from backups where path = ?', path)[0]?.id);

/** A file that is not a backup, recorded as one. */
async function keepBroken(name: string): Promise<string> {
  const path = join(FOLDER, name);
  writeFileSync(path, 'no backup');
  await keepBackup(service, { path });
  return path;
}

/** Facts of the page by name. */
const factsOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<dt>([^<]*)<[/]dt><dd>(.*?)<[/]dd>/g)].map(([, name, fact = '']) => [
      name,
      fact.replace(/<[^>]*>/g, ''),
    ]),
  );

/** The row of a backup, after its path. */
const cellsOf = (text: string, path: string) => {
  const [, row = ''] = new RegExp(`<th scope="row">${path}<.th>(.*?)</tr>`).exec(text) ?? [];
  return [...row.matchAll(/<td[^>]*>(.*?)<[/]td>/g)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, ''));
};

describe('the page', () => {
  test('gives the remedy where there is no valid backup, and names the command for a restore', async () => {
    const text = await read();
    for (const words of [
      'No verified backup',
      'redoubt backup create',
      'systemctl enable --now redoubt-backup.timer',
      'redoubt restore FILE',
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('<table');
  });

  test('shows the last verified one first, and for each whether its file exists', async () => {
    const at = Date.now() - 30 * HOUR_MS;
    await keepBackup(service, { path: '/mnt/away.tar', at, bytes: 3.5 * 2 ** 30, encrypted: true });
    await keepBroken('here.tar');
    rows(
      service,
      "update backups set checked_at = 1, problem = 'it was changed' where path like '%here.tar'",
    );
    const text = await read();
    expect(factsOf(text)).toMatchObject({
      age: '30 h',
      path: '/mnt/away.tar',
      size: '3.5 GiB',
      encrypted: 'yes',
      verified: 'never',
      created: '1 day ago',
    });
    expect(text).toContain('Its file is missing');
    const broken = cellsOf(text, join(FOLDER, 'here.tar'));
    expect(broken.slice(0, 4)).toEqual(['5 MiB', 'no', '1 Jan 1970: it was changed', 'yes']);
    expect(cellsOf(text, '/mnt/away.tar').slice(1)).toEqual(['yes', 'never', 'no', '–']);
  });

  test('warns about one that is too old', async () => {
    await keepBackup(service, { path: '/a', at: Date.now() - 49 * HOUR_MS });
    expect(await read()).toContain('is older than SERVICE_BACKUP_WARN_HOURS');
    await keepBackup(service, { path: '/b' });
    expect(await read()).not.toContain('is older than');
  });

  test('lists at most the newest 50', async () => {
    for (let number = 1; number <= 52; number += 1)
      await keepBackup(service, { path: `/${number}`, at: number });
    const paths = [...(await read()).matchAll(/<th scope="row">([^<]*)/g)].map(([, path]) => path);
    expect([paths.length, paths[0], paths.at(-1)]).toEqual([50, '/52', '/3']);
  });

  test('shows the running version, with its commit, its runtime and its database schema', async () => {
    const { version, commit, runtime } = JSON.parse(await service.command('version', '--json'));
    const text = await read();
    expect(factsOf(text)).toMatchObject({
      version,
      commit,
      runtime,
      'database schema': String(MIGRATIONS.length),
    });
    expect(text).not.toContain('The executable on disk');
  });

  test('is not available to viewers, and only owners get the button', async () => {
    const path = await keepBroken('roles.tar');
    const viewer = await operatorOf(service, 'vera', 'viewer');
    expect((await viewer.get('/console')).text).not.toContain(PATH);
    expect((await viewer.get(PATH)).status).toBe(403);
    const before = kept();
    for (const browser of [viewer, operator])
      expect((await browser.post(VERIFY, { id: idOf(path) })).status).toBe(403);
    expect((await owner.post(VERIFY, { id: idOf(path) }, { origin: 'null' })).status).toBe(403);
    expect([(await read(operator)).includes(VERIFY), (await read()).includes(VERIFY)]).toEqual([false, true]);
    expect(kept()).toEqual(before);
  });
});

describe('verifying', () => {
  test('shows and stores the result, with an audit entry, and the previous one is the last verified one', async () => {
    await keepBackup(service, { path: '/before.tar', at: 1 });
    const path = await keepBroken('broken.tar');
    const { status, headers } = await owner.post(VERIFY, { id: idOf(path), reason: 'monthly' });
    expect([status, headers.get('location')]).toEqual([303, PATH]);
    const { problem } = await until(
      () => rows(service, 'select * from backups where path = ? and checked_at > 0', path)[0],
    );
    expect(problem).toBeString();
    await until(async () => (await read()).includes(`<strong>${path}: ${problem}</strong>`));
    const text = await read();
    expect(text).not.toContain('data-again');
    expect([text.includes(`just now</time>: ${problem}`), factsOf(text).path]).toEqual([true, '/before.tar']);
    expect(auditOf(service, 'backup.verify')).toMatchObject([
      {
        actor: 'operator:olivia',
        subject: path,
        reason: 'monthly',
        after: JSON.stringify({ result: problem }),
      },
    ]);
  });

  test.each([
    ['nothing', () => ({}), 'is no longer listed'],
    ['an invalid number', () => ({ id: '1 or 1' }), 'is no longer listed'],
    ['an unknown one', () => ({ id: '999999' }), 'is no longer listed'],
    ['one without its file', () => ({ id: idOf('/gone.tar') }), 'file is missing'],
    ['a folder', () => ({ id: idOf(FOLDER) }), 'file is missing'],
    [
      'an encrypted one',
      () => ({ id: idOf(join(FOLDER, 'sealed')) }),
      'redoubt backup verify FILE --age-identity',
    ],
  ])('is refused for %s, and nothing is stored', async (_, form, why) => {
    await keepBackup(service, { path: '/gone.tar' });
    await keepBackup(service, { path: FOLDER });
    await keepBackup(service, { path: await keepBroken('sealed'), encrypted: true });
    const before = kept();
    const { status, text } = await owner.post(VERIFY, form() as Record<string, string>);
    expect([status, text]).toEqual([409, expect.stringContaining(why)]);
    expect(kept()).toEqual(before);
  });

  test('needs the password again after half an hour, and a wrong one changes nothing', async () => {
    const path = await keepBroken('late.tar');
    rows(service, 'update operator_sessions set confirmed_at = ?', Date.now() - 30 * 60_000);
    const before = kept();
    const form = { id: idOf(path) };
    expect((await owner.post(VERIFY, form)).text).toContain('type="password"');
    expect((await owner.post(VERIFY, { ...form, password: 'wrong horse battery' })).status).toBe(401);
    expect(kept()).toEqual(before);
    expect((await owner.post(VERIFY, { ...form, password: PASSWORD })).status).toBe(303);
    await until(() => rows(service, 'select 1 from backups where path = ? and checked_at > 0', path)[0]);
  });
});

describe('creating', () => {
  const CREATE = `${PATH}/create`;

  test('shows the backup to the operator when it is complete, and an owner verifies it', async () => {
    await until(async () => (await read(operator)).includes(CREATE));
    const { status, headers } = await operator.post(CREATE);
    expect([status, headers.get('location')]).toEqual([303, PATH]);
    expect(auditOf(service, 'backup.begin')).toMatchObject([{ actor: 'operator:olga' }]);
    await until(async () => (await read()).includes('The backup was created'));
    const [made] = rows(service, 'select * from backups');
    expect(existsSync(String(made?.path))).toBe(true);
    expect((await owner.post(VERIFY, { id: String(made?.id) })).status).toBe(303);
    await until(async () => (await read()).includes('verified: no problems found'));
  });

  test('is refused to viewers, and nothing is stored', async () => {
    const viewer = await operatorOf(service, 'vito', 'viewer');
    const before = [rows(service, 'select * from backups'), auditOf(service, 'backup.begin').length];
    expect((await viewer.post(CREATE)).status).toBe(403);
    expect([rows(service, 'select * from backups'), auditOf(service, 'backup.begin').length]).toEqual(before);
  });
});
