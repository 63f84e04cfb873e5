import { beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../support/client.ts';
import { type RunningService, run, SURE, sharedService, TARGETS } from '../support/service.ts';
import { issueExpired } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const DAY_MS = 86_400_000;

describe.each([...TARGETS])('%s', (target) => {
  const folder = temporaryDirectory();
  const at = (name: string) => join(folder, name);
  let service: RunningService;
  beforeAll(async () => {
    service = await sharedService(target);
    writeFileSync(at('keys.json'), (await call(service.url, '/.well-known/redoubt-keys')).text);
  });
  const redoubt = (...words: string[]) => run(target, service.env, ...words);
  const elsewhere = (...words: string[]) => run(target, {}, 'verify', ...words);

  test('a license file is exported, audited, and verified by this installation and offline with saved keys', async () => {
    const { license_id, key } = await service.issue(
      ...[
        '--plan',
        'pro',
        '--domain',
        'shop.com',
        '--customer',
        'Alice Secret',
        '--email',
        'alice@secret.example',
      ],
    );
    const made = await redoubt('license', 'export', license_id, '--out', at('shop.lic'), '--reason', 'ship');
    expect([made.exitCode, made.stderr]).toEqual([0, '']);
    expect(existsSync(at('shop.lic.partial'))).toBe(false);
    const own = await redoubt('verify', at('shop.lic'), '--json');
    const found = JSON.parse(own.stdout);
    expect(found).toMatchObject({ sound: true, license: license_id, plan: 'pro', domains: ['shop.com'] });
    expect(Date.parse(found.expiry) - Date.parse(found.issued)).toBe(30 * DAY_MS);
    const known = await elsewhere(at('shop.lic'), '--keys', at('keys.json'));
    expect([known.exitCode, known.stdout]).toEqual([0, expect.stringContaining(`serial ${found.serial}`)]);
    const decoded = Buffer.from(
      readFileSync(at('shop.lic'), 'latin1').split('\n').slice(1, -2).join(''),
      'base64',
    );
    const inside = Buffer.from(JSON.parse(decoded.toString()).enc, 'base64').toString();
    for (const secret of [key, 'Alice', 'alice@secret.example']) expect(inside).not.toContain(secret);
    const [entry] = JSON.parse(await service.command('audit', '--subject', license_id, '--json'));
    const { serial, kid, expiry } = found;
    expect(entry).toMatchObject({ action: 'license.export', reason: 'ship', after: { serial, kid, expiry } });
  });

  test('it expires no later than its license, and its days are a number from 1 to 366', async () => {
    const expires = new Date(Date.now() + 2 * DAY_MS).toISOString();
    const { license_id } = await service.issue('--plan', 'pro', '--expires', expires);
    const { stdout } = await redoubt('license', 'export', license_id, '--days', '366');
    writeFileSync(at('short.lic'), stdout);
    expect(JSON.parse((await redoubt('verify', at('short.lic'), '--json')).stdout).expiry).toBe(expires);
    for (const days of ['0', '367', '1.5', '-1'])
      expect([days, (await redoubt('license', 'export', license_id, '--days', days)).exitCode]).toEqual([
        days,
        2,
      ]);
  });

  test('a license that is suspended, revoked, expired or missing gets no file, and nothing is audited or written', async () => {
    const [suspended, revoked] = await Promise.all([
      service.issue('--plan', 'pro'),
      service.issue('--plan', 'pro'),
    ]);
    await service.command('license', 'suspend', suspended.license_id, '--hold', 'operator');
    await service.command('license', 'revoke', revoked.license_id, ...SURE);
    const expired = await issueExpired(service, '--plan', 'pro');
    for (const [id, words] of [
      [suspended.license_id, 'is suspended'],
      [revoked.license_id, 'is revoked'],
      [expired.license_id, 'is expired'],
      ['lic_999999', 'there is no license'],
    ] as const) {
      const { exitCode, stdout, stderr } = await redoubt('license', 'export', id, '--out', at('none.lic'));
      expect([exitCode, stdout, stderr.split('\n').length]).toEqual([1, '', 2]);
      expect(stderr).toContain(words);
      const entries = JSON.parse(await service.command('audit', '--subject', id, '--json'));
      expect(entries.filter(({ action }: { action: string }) => action === 'license.export')).toEqual([]);
    }
    expect([existsSync(at('none.lic')), existsSync(at('none.lic.partial'))]).toEqual([false, false]);
    const { license_id } = await service.issue('--plan', 'pro');
    writeFileSync(at('mine.txt'), 'mine');
    const taken = await redoubt('license', 'export', license_id, '--out', at('mine.txt'));
    expect([taken.exitCode, taken.stderr]).toEqual([1, expect.stringContaining('already exists')]);
    expect(readFileSync(at('mine.txt'), 'utf8')).toBe('mine');
  });

  test('a file that is damaged, hostile or of another installation is refused in one sentence', async () => {
    const { license_id } = await service.issue('--plan', 'pro');
    const text = (await redoubt('license', 'export', license_id)).stdout;
    const writeLicense = (name: string, content = text) => {
      writeFileSync(at(name), content);
      return at(name);
    };
    truncateSync(writeLicense('cut.lic'), 300);
    truncateSync(writeLicense('huge.lic'), 2 ** 40);
    symlinkSync(writeLicense('real.lic'), at('link.lic'));
    writeLicense('changed.lic', text.replace(/\n(.{20}).(.*)\n/, '\n$1A$2\n'));
    writeLicense('none.json', '{}');
    writeLicense('empty.json', '{"keys":[]}');
    for (const [words, sentence] of [
      [[at('cut.lic')], 'not a complete license file'],
      [[at('huge.lic')], 'larger than'],
      [[at('link.lic')], 'not a regular file'],
      [[at('changed.lic')], 'license file'],
      [[at('real.lic'), '--keys', at('none.json')], 'it contains no keys'],
      [[at('real.lic'), '--keys', at('empty.json')], 'it is not signed by any of the keys'],
      [[at('real.lic'), '--keys', at('absent.json')], 'no such file'],
    ] as const) {
      const { exitCode, stdout, stderr } = await redoubt(
        'verify',
        ...words,
        ...(words.length === 1 ? ['--keys', at('keys.json')] : []),
      );
      expect([words, exitCode, stdout, stderr.split('\n').length]).toEqual([words, 1, '', 2]);
      expect(stderr).toContain(sentence);
    }
  });

  test('a file whose key was revoked is invalid here, and valid with keys saved earlier', async () => {
    const { license_id } = await service.issue('--plan', 'pro');
    writeFileSync(at('stolen.lic'), (await redoubt('license', 'export', license_id)).stdout);
    const { kid } = JSON.parse((await redoubt('verify', at('stolen.lic'), '--json')).stdout);
    await redoubt('keys', 'revoke', 'license', kid, '--reason', 'stolen', '--yes');
    const { exitCode, stderr } = await redoubt('verify', at('stolen.lic'));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('was revoked')]);
    expect((await elsewhere(at('stolen.lic'), '--keys', at('keys.json'))).exitCode).toBe(0);
    expect((await redoubt('license', 'export', license_id)).exitCode).toBe(0);
  });
});
