import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API, call } from '../support/client.ts';
import { commandOf, type RunningService, run, SURE, start, TARGETS, until } from '../support/service.ts';
import { spreadsheetRows } from '../support/spreadsheet.ts';
import { rows, stored } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const FOREIGN = 'old,system/0123456789';

describe.each([...TARGETS])('%s', (target) => {
  let service: RunningService;
  beforeAll(async () => {
    // Its own process: rows of all licenses are counted, and a table is renamed.
    service = await start(target);
  });
  afterAll(() => service.end());

  const directory = temporaryDirectory();
  const at = (name: string) => join(directory, name);
  const license = (...words: string[]) => run(target, service.env, 'license', ...words);
  const importText = (text: string, name: string, ...words: string[]) => {
    writeFileSync(at(name), text);
    return license('import', at(name), ...words);
  };
  const keysIn = (name: string) => spreadsheetRows(readFileSync(at(name), 'utf8'), ',');
  const audit = async (...words: string[]) => JSON.parse(await service.command('audit', '--json', ...words));
  const me = (key: string) => call(service.url, `${API}/me`, { key });
  const newest = () => Number(rows(service, 'select max(id) as id from licenses')[0]?.id ?? 0);

  test('an import issues every license of a file, and keys of another system work for their licenses', async () => {
    const text = `\ufeffkey,plan,domains,expires,note,customer,email,external_id\r
"${FOREIGN}",pro,a.com www.b.com,2099-01-01,n,"Example, Ltd",a@example.com,shop-1\r
,,,,,,b@example.com,shop-2\r\n`;
    const first = newest() + 1;
    const words = ['--plan', 'starter', '--out', at('made.csv'), '--reason', 'moving over', '--json'];
    const dry = await importText(text, 'a.csv', ...words, '--dry-run');
    const told = { dry_run: true, licenses: 2, license_ids: null, keys_made: 1, keys_file: null };
    expect([JSON.parse(dry.stdout), newest(), existsSync(at('made.csv'))]).toEqual([told, first - 1, false]);
    expect(await importText(text, 'a.csv', '--plan', 'starter', '--dry-run')).toEqual({
      exitCode: 0,
      stdout: 'Would import 2 licenses, 1 of them with a new key. Nothing was changed.\n',
      stderr: 'redoubt: some rows have no key. Name a file for their new keys with --out\n',
    });

    const { exitCode, stdout, stderr } = await importText(text, 'a.csv', ...words);
    const range = `lic_${first}..lic_${first + 1}`;
    const done = { ...told, dry_run: false, license_ids: range, keys_file: at('made.csv') };
    expect([exitCode, stderr, JSON.parse(stdout)]).toEqual([0, '', done]);
    expect(JSON.parse(await service.command('license', 'show', `lic_${first}`, '--json'))).toMatchObject({
      key: '…6789',
      plan: 'pro',
      domains: ['a.com', 'b.com'],
      expires_at: '2099-01-01T00:00:00.000Z',
      note: 'n',
      customer: 'Example, Ltd',
      email: 'a@example.com',
      external_id: 'shop-1',
    });
    const [columns, [madeId, madeKey = '', line] = []] = keysIn('made.csv');
    expect([columns, madeId, line]).toEqual([['license_id', 'key', 'line'], `lic_${first + 1}`, '3']);
    expect(statSync(at('made.csv')).mode & 0o777).toBe(0o600);

    expect([(await me(FOREIGN)).json.data.plan, (await me(madeKey)).json.data.plan]).toEqual([
      'pro',
      'starter',
    ]);
    for (const sent of [
      { key: FOREIGN, body: { domain: 'b.com' } },
      { body: { api_key: FOREIGN, domain: 'b.com' } },
    ])
      expect((await call(service.url, `${API}/license/verify`, sent)).json.valid).toBe(true);
    expect((await me(`${FOREIGN}0`)).status).toBe(401);
    expect(
      (await call(service.url, `${API}/auth/verify`, { key: FOREIGN, method: 'POST' })).json.data.valid,
    ).toBe(true);

    const entries: Record<string, unknown>[] = await audit('--limit', '3');
    expect(entries.map(({ action, subject, reason }) => [action, subject, reason])).toEqual([
      ['license.import', range, 'moving over'],
      ['license.issue', `lic_${first + 1}`, 'moving over'],
      ['license.issue', `lic_${first}`, 'moving over'],
    ]);
    expect(service.log() + JSON.stringify(entries)).not.toContain('system');
  });

  test('an import with any error is refused as a whole, with the line of each, and stores nothing', async () => {
    const taken = await service.issue('--plan', 'pro', '--external-id', 'taken');
    await importText(`{"key":"there-already-000","plan":"pro"}`, 'b.ndjson');
    await importText(`{"key":"there-before-0000","plan":"pro"}`, 'b.ndjson');
    const old = newest();
    // The state after a rotation.
    rows(
      service,
      "insert into previous_keys select id, key_hash, '', '', 9e15 from licenses where id = ?",
      old,
    );
    rows(service, "update licenses set key_hash = 'another' where id = ?", old);
    const text = [
      { key: 'there-already-000', plan: 'pro' },
      { key: 'there-before-0000', plan: 'pro' },
      { key: 'twice-in-the-file', plan: 'pro', external_id: 'twice' },
      { key: 'twice-in-the-file', plan: 'pro', external_id: 'twice' },
      { plan: 'pro', external_id: 'taken' },
      { plan: 'pro', expires: '2020-01-01' },
      { plan: 'free', domains: ['a.com', 'b.com', 'c.com', 'd.com'] },
      {
        key: 'rdt_live_012345678',
        plan: 'gold',
        expires: 'May',
        email: 'x',
        note: '\u001b',
        domains: ['a..b', 'localhost'],
      },
      {},
    ];
    const before = stored(service);
    const words = ['--out', at('none.csv')];
    const refused = await importText(text.map((row) => JSON.stringify(row)).join('\n'), 'b.ndjson', ...words);
    expect(refused.stderr.split('\n').map((line) => line.replace(/^redoubt: /, ''))).toEqual([
      'line 1: key: another license has it',
      'line 2: key: another license has it',
      'line 4: key: repeats line 3',
      'line 4: external_id: repeats line 3',
      `line 5: external_id: ${taken.license_id} has it`,
      'line 6: expires: the expiry is in the past. To stop a license, suspend or revoke it',
      'line 7: domains: 4 exceed the limit of the plan free, 1',
      'line 8: key: must have 16 to 128 printable ASCII characters without spaces, and not start with rdt_',
      'line 8: plan: is not one of free, starter, pro, enterprise',
      'line 8: expires: is not an ISO 8601 time in the years 0000 to 9999, such as 2027-01-31T00:00:00Z',
      'line 8: note: must be one line of 1 to 500 characters without control characters',
      'line 8: email: is not an e-mail address',
      'line 8: domains: number 1 is not a domain',
      'line 8: domains: number 2 is a development host, which requires no registration',
      'line 9: plan: is missing, and there is no default plan',
      'nothing was imported: 8 lines are refused',
      '',
    ]);
    expect([refused.exitCode, stored(service), existsSync(at('none.csv'))]).toEqual([1, before, false]);

    const many = await importText('plan\n'.concat('gold\n'.repeat(25)), 'c.csv');
    expect(many.stderr.match(/line \d+: plan/g)).toHaveLength(20);
    expect(many.stderr).toEndWith(
      'redoubt: and 5 more\nredoubt: nothing was imported: 25 lines are refused (--json lists all)\n',
    );
    const all = await importText('plan\n'.concat('gold\n'.repeat(25)), 'c.csv', '--json');
    expect([all.exitCode, all.stderr]).toEqual([1, 'redoubt: nothing was imported: 25 lines are refused\n']);
    const lines = Array.from({ length: 25 }, (_, at) => at + 2);
    const noPlan = 'plan: is not one of free, starter, pro, enterprise';
    expect(JSON.parse(all.stdout)).toEqual({ refusals: lines.map((line) => ({ line, refused: noPlan })) });
    expect(await importText('plan\n', 'c.csv')).toMatchObject({ exitCode: 1, stdout: '' });
    expect((await importText('plan\npro\n', 'c.csv')).exitCode).toBe(2);
    writeFileSync(at('there.csv'), 'mine');
    for (const words of [
      ['--out', '-'],
      ['--out', '-', '--dry-run'],
    ])
      expect((await importText('plan\npro\n', 'c.csv', ...words)).exitCode).toBe(2);
    for (const [file, exitCode, why] of [
      ['gone.csv', 1, 'gone.csv: no such file'],
      ['folder.csv', 1, 'folder.csv is a directory'],
      ['c.txt', 2, 'the file must end in .csv or .ndjson'],
    ] as const) {
      mkdirSync(at('folder.csv'), { recursive: true });
      const stderr = expect.stringContaining(why);
      expect(await license('import', at(file))).toMatchObject({ exitCode, stderr });
    }
    for (const out of ['there.csv', 'no/folder.csv'])
      expect((await importText('plan\npro\n', 'c.csv', '--out', at(out))).exitCode).toBe(1);
    expect([readFileSync(at('there.csv'), 'utf8'), stored(service)]).toEqual(['mine', before]);
  });

  test('many licenses are issued together, with their keys in one file and one audit entry for all', async () => {
    const first = newest() + 1;
    const many = ['issue', '--plan', 'starter', '--customer', 'Reseller', '--count', '300'];
    const { exitCode, stdout } = await license(
      ...many,
      '--out',
      at('many.csv'),
      '--csv',
      '--reason',
      'a reseller',
    );
    const range = `lic_${first}..lic_${first + 299}`;
    expect([exitCode, stdout]).toEqual([
      0,
      `${range} (starter): issued 300. Their keys are only in ${at('many.csv')}: keep it safe.\n`,
    ]);
    const [columns, ...keys] = keysIn('many.csv');
    expect([columns, new Set(keys.map(([, key]) => key)).size]).toEqual([['license_id', 'key'], 300]);
    expect(keys.map(([id]) => id)).toEqual(keys.map((_, index) => `lic_${first + index}`));
    expect(statSync(at('many.csv')).mode & 0o777).toBe(0o600);
    const [id, key = ''] = keys[299] ?? [];
    expect((await me(key)).json.data.plan).toBe('starter');
    expect(JSON.parse(await service.command('license', 'show', id ?? '', '--json')).customer).toBe(
      'Reseller',
    );
    const [entry, earlier] = await audit('--limit', '2');
    expect(entry).toMatchObject({
      action: 'license.issue',
      subject: range,
      reason: 'a reseller',
      after: { licenses: 300 },
    });
    expect(earlier.subject).not.toBe(`lic_${first + 299}`);
    const logged = rows(service, 'select count(*) as n from evidence_logs where license_id >= ?', first);
    expect(logged).toEqual([{ n: 300 }]);

    const one = ['--count', '1', '--domain', 'c.com', '--out', at('one.csv')];
    await service.command('license', 'issue', '--plan', 'pro', ...one);
    expect(rows(service, 'select size from evidence_logs where license_id = ?', first + 300)).toEqual([
      { size: 1 },
    ]);
    const [alone, before] = await audit('--limit', '2');
    expect(alone).toMatchObject({ action: 'license.issue', subject: `lic_${first + 300}` });
    expect(before.subject).toBe(range);
    expect(readdirSync(directory).filter((name) => name.endsWith('.partial'))).toEqual([]);
    expect((await license(...many, '--out', '-')).exitCode).toBe(2);

    const kept = stored(service);
    for (const words of [
      ['--out', at('many.csv')],
      ['--out', at('x.csv'), '--expires', '2020-01-01'],
    ])
      expect(await license(...many, ...words)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('nothing was issued: '),
      });
    expect([stored(service), existsSync(at('x.csv')), keysIn('many.csv').length]).toEqual([kept, false, 301]);
  });

  test('no key stays in a file when its licenses could not be issued', async () => {
    const kept = stored(service);
    rows(service, 'alter table evidence_logs rename to taken_away');
    const failed = await license('issue', '--plan', 'pro', '--count', '2', '--out', at('failed.csv'));
    rows(service, 'alter table taken_away rename to evidence_logs');
    expect([failed.exitCode, stored(service), existsSync(at('failed.csv'))]).toEqual([1, kept, false]);
  });

  test('a killed command leaves no file named like one with active keys, and reports what it left', async () => {
    const kept = stored(service);
    const out = at('killed.csv');
    const [command, before] = await commandOf(target);
    const words = ['license', 'issue', '--plan', 'pro', '--count', '50000', '--out', out];
    const child = spawn(command, [...before, ...words], { env: { ...process.env, ...service.env } });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await until(() => (statSync(`${out}.partial`, { throwIfNoEntry: false })?.size ?? 0) > 0);
    child.kill('SIGKILL');
    await ended;
    expect([stored(service), existsSync(out)]).toEqual([kept, false]);

    const again = () => license('issue', '--plan', 'pro', '--count', '2', '--out', out);
    const left = readFileSync(`${out}.partial`, 'utf8');
    const stderr = expect.stringContaining('check a key in it with "redoubt license find -"');
    expect(await again()).toMatchObject({ exitCode: 1, stderr });
    expect([readFileSync(`${out}.partial`, 'utf8'), existsSync(out)]).toEqual([left, false]);
    writeFileSync(`${out}.partial`, '');
    expect(await again()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('it is empty and can be removed'),
    });
    expect(stored(service)).toEqual(kept);
    rmSync(`${out}.partial`);
    expect((await again()).exitCode).toBe(0);
    expect([keysIn('killed.csv').length, existsSync(`${out}.partial`)]).toEqual([3, false]);
  });

  test('an expired old key may be imported, and become an old key again', async () => {
    const key = 'ended-before-00000';
    await importText(`{"key":"${key}","plan":"free"}`, 'd.ndjson');
    const old = newest();
    rows(service, "insert into previous_keys select id, key_hash, '', '', 1 from licenses where id = ?", old);
    rows(service, "update licenses set key_hash = 'yet another' where id = ?", old);
    expect((await importText(`{"key":"${key}","plan":"pro"}`, 'd.ndjson')).exitCode).toBe(0);
    expect((await me(key)).json.data.plan).toBe('pro');
    expect((await audit('--limit', '1'))[0].subject).toBe(`lic_${old + 1}`);
    await service.command('license', 'rotate', `lic_${old + 1}`, '--grace', '1h');
    expect((await me(key)).json.data.plan).toBe('pro');
  });

  test('a domain in several rows is reported with their lines, also in a dry run', async () => {
    const row = (at: number) => `long-enough-key-${at},enterprise,www.t${at % 7}.com t${at % 7}.com`;
    const text = ['key,plan,domains', ...Array.from({ length: 14 }, (_, at) => row(at))].join('\n');
    const warnings = [
      ...Array.from(
        { length: 5 },
        (_, at) => `warning: t${at}.com is in both line ${at + 9} and line ${at + 2}`,
      ),
      'warning: 2 more domains are repeated',
    ];
    const printed = warnings.map((warning) => `redoubt: ${warning}\n`).join('');
    for (const words of [['--dry-run'], []])
      expect(await importText(text, 'e.csv', ...words)).toMatchObject({ exitCode: 0, stderr: printed });
  });

  test('customer data is forgotten, in the audit log as well, and the rest stays', async () => {
    const { license_id, key } = await service.issue('--plan', 'pro', '--customer', 'Zebra Ltd');
    await service.command(
      'license',
      'change',
      license_id,
      '--customer',
      'Zebra Inc',
      '--email',
      'zebra@a.com',
      '--plan',
      'free',
    );
    await service.command('license', 'change', license_id, '--note', 'zebra', '--external-id', 'zebra');
    await service.command('license', 'revoke', license_id, ...SURE);
    const other = await service.issue('--plan', 'pro', '--customer', 'Other Ltd');
    const forgotten = await license('forget', license_id, '--reason', 'asked to', '--yes');
    expect(forgotten).toEqual({
      exitCode: 0,
      stdout: `${license_id}: customer, e-mail, external id and note deleted\n`,
      stderr: 'redoubt: existing backups, and reasons in the audit log, still contain them\n',
    });
    const nothing = { customer: null, email: null, external_id: null, note: null };
    const shown = JSON.parse(await service.command('license', 'show', license_id, '--json'));
    expect(shown).toMatchObject({ ...nothing, status: 'revoked', plan: 'free' });
    const entries = await audit('--subject', license_id);
    const gone = '[forgotten]';
    const all = { customer: gone, email: gone, externalId: gone, note: gone };
    expect(entries[0]).toMatchObject({ action: 'license.forget', reason: 'asked to', before: all });
    expect(entries[3].before).toMatchObject({ customer: gone, email: null, plan: 'pro' });
    expect(JSON.stringify(entries).toLowerCase()).not.toContain('zebra');
    expect(JSON.parse(await service.command('license', 'show', other.license_id, '--json')).customer).toBe(
      'Other Ltd',
    );

    const again = await license('forget', license_id, '--json', ...SURE);
    expect(JSON.parse(again.stdout)).toEqual({ license_id, forgotten: false });
    expect(again.stderr).toBe(
      `redoubt: nothing changed: ${license_id} has no customer, e-mail, external id or note\n`,
    );
    expect(await audit('--subject', license_id)).toEqual(entries);
    expect((await me(key)).status).toBe(401);
  });
});
