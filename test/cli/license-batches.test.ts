import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API, call } from '../support/client.ts';
import { type RunningService, run, start, TARGETS } from '../support/service.ts';
import { rows, stored } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const FOREIGN = 'old,system/0123456789';

describe.each([...TARGETS])('%s', (target) => {
  let service: RunningService;
  beforeAll(async () => {
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
  const keysIn = (name: string) =>
    readFileSync(at(name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(','));
  const audit = async (...words: string[]) => JSON.parse(await service.command('audit', '--json', ...words));
  const me = (key: string) => call(service.url, `${API}/me`, { key });
  const newest = () => Number(rows(service, 'select max(id) as id from licenses')[0]?.id ?? 0);

  test('an import issues every license of a file, and keys of another system open what they belong to', async () => {
    const text = `\ufeffkey,plan,domains,expires,note,customer,email,external_id\r
"${FOREIGN}",pro,a.com www.b.com,2099-01-01,n,"Example, Ltd",a@example.com,shop-1\r
,,,,,,b@example.com,shop-2\r\n`;
    const first = newest() + 1;
    const words = ['--plan', 'starter', '--out', at('made.csv'), '--reason', 'moving over', '--json'];
    const dry = await importText(text, 'a.csv', ...words, '--dry-run');
    const told = { dry_run: true, licenses: 2, license_ids: null, keys_made: 1, keys_file: null };
    expect([JSON.parse(dry.stdout), newest(), existsSync(at('made.csv'))]).toEqual([told, first - 1, false]);

    const { exitCode, stdout, stderr } = await importText(text, 'a.csv', ...words);
    const range = `lic_${first}..lic_${first + 1}`;
    const done = { ...told, dry_run: false, license_ids: range, keys_file: at('made.csv') };
    expect([exitCode, stderr, JSON.parse(stdout)]).toEqual([0, '', done]);
    expect(JSON.parse(await service.command('license', 'show', `lic_${first}`, '--json'))).toMatchObject({
      key: '…6789',
      plan: 'pro',
      domains: ['a.com', 'b.com'],
      expires_at: '2099-01-01T00:00:00.000Z',
      ...{ note: 'n', customer: 'Example, Ltd', email: 'a@example.com', external_id: 'shop-1' },
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

  test('an import is refused as a whole, with the line of everything that is wrong, and leaves nothing', async () => {
    const taken = await service.issue('--plan', 'pro', '--external-id', 'taken');
    await importText(`{"key":"there-already-000","plan":"pro"}`, 'b.ndjson');
    await importText(`{"key":"there-before-0000","plan":"pro"}`, 'b.ndjson');
    const old = newest();
    // As a rotation leaves it.
    rows(service, "insert into previous_keys select id, key_hash, '', '', 0 from licenses where id = ?", old);
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
      'line 1: key: a license has it already',
      'line 2: key: a license has it already',
      'line 4: key: is that of line 3',
      'line 4: external_id: is that of line 3',
      `line 5: external_id: ${taken.license_id} has it already`,
      'line 6: expires: the end lies in the past: to stop a license, suspend or revoke it',
      'line 7: domains: has 4, where the plan free allows 1',
      'line 8: key: takes 16 to 128 printable ASCII characters without blanks, not starting with rdt_',
      'line 8: plan: is none of free, starter, pro, enterprise',
      'line 8: expires: is not an ISO 8601 moment, such as 2027-01-31T00:00:00Z',
      'line 8: note: takes one line of 1 to 500 characters, none of them a control character',
      'line 8: email: is not an e-mail address',
      'line 8: domains: number 1 is not a domain',
      'line 8: domains: number 2 is a development host and needs no registration',
      'line 9: plan: is missing, and no plan is given for all',
      'nothing was imported: 8 lines are refused',
      '',
    ]);
    expect([refused.exitCode, stored(service), existsSync(at('none.csv'))]).toEqual([1, before, false]);

    const many = await importText('plan\n'.concat('gold\n'.repeat(25)), 'c.csv');
    expect(many.stderr.match(/line \d+: plan/g)).toHaveLength(20);
    expect(many.stderr).toEndWith(
      'redoubt: and 5 more\nredoubt: nothing was imported: 25 lines are refused\n',
    );
    expect(await importText('plan\n', 'c.csv')).toMatchObject({ exitCode: 1, stdout: '' });
    expect((await importText('plan\npro\n', 'c.csv')).exitCode).toBe(2);
    writeFileSync(at('there.csv'), 'mine');
    for (const out of ['there.csv', 'no/folder.csv'])
      expect((await importText('plan\npro\n', 'c.csv', '--out', at(out))).exitCode).toBe(1);
    expect([readFileSync(at('there.csv'), 'utf8'), stored(service)]).toEqual(['mine', before]);
  });

  test('many licenses are issued at once, with their keys in one file and one audit entry for all', async () => {
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
      `${range} (starter): issued 300. Their keys are in ${at('many.csv')} alone: keep it safe.\n`,
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

  test('no key stays in a file whose licenses could not be issued', async () => {
    const kept = stored(service);
    rows(service, 'alter table evidence_logs rename to taken_away');
    const failed = await license('issue', '--plan', 'pro', '--count', '2', '--out', at('failed.csv'));
    rows(service, 'alter table taken_away rename to evidence_logs');
    expect([failed.exitCode, stored(service), existsSync(at('failed.csv'))]).toEqual([1, kept, false]);
  });

  test('what was noted of a customer is forgotten, in the audit log as well, and the rest stays', async () => {
    const { license_id, key } = await service.issue('--plan', 'pro', '--customer', 'Zq7 Ltd');
    await service.command(
      'license',
      'change',
      license_id,
      '--customer',
      'Zq7 Inc',
      '--email',
      'zq7@a.com',
      '--plan',
      'free',
    );
    await service.command('license', 'change', license_id, '--note', 'zq7', '--external-id', 'zq7');
    await service.command('license', 'revoke', license_id);
    const other = await service.issue('--plan', 'pro', '--customer', 'Other Ltd');
    const forgotten = await license('forget', license_id, '--reason', 'asked to');
    expect(forgotten).toEqual({
      exitCode: 0,
      stdout: `${license_id}: customer, e-mail, external id and note are forgotten\n`,
      stderr: 'redoubt: backups, and the reasons of acts in the audit log, keep what they had\n',
    });
    const nothing = { customer: null, email: null, external_id: null, note: null };
    const shown = JSON.parse(await service.command('license', 'show', license_id, '--json'));
    expect(shown).toMatchObject({ ...nothing, status: 'revoked', plan: 'free' });
    const entries = await audit('--subject', license_id);
    const gone = '[forgotten]';
    const all = { customer: gone, email: gone, externalId: gone, note: gone };
    expect(entries[0]).toMatchObject({ action: 'license.forget', reason: 'asked to', before: all });
    expect(entries[3].before).toMatchObject({ customer: gone, email: null, plan: 'pro' });
    expect(JSON.stringify(entries).toLowerCase()).not.toContain('zq7');
    expect(JSON.parse(await service.command('license', 'show', other.license_id, '--json')).customer).toBe(
      'Other Ltd',
    );

    const again = await license('forget', license_id, '--json');
    expect(JSON.parse(again.stdout)).toEqual({ license_id, forgotten: false });
    expect(again.stderr).toBe(
      `redoubt: nothing changed: neither customer, e-mail, external id nor note is kept of ${license_id}\n`,
    );
    expect(await audit('--subject', license_id)).toEqual(entries);
    expect((await me(key)).status).toBe(401);
  });
});
