import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeStatusList, signStatusList } from '../../src/domain/credential/status-list.ts';
import { call } from '../support/client.ts';
import { type RunningService, run, runIn, start, TARGETS } from '../support/service.ts';
import { credentialBy, ISSUER, NOW, newKey } from '../support/signed.ts';
import { rows } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const DAY_MS = 86_400_000;
const KID = /^[A-Za-z0-9_-]{43}/;

describe.each([...TARGETS])('%s', (target) => {
  let service: RunningService;
  beforeAll(async () => {
    // Its own process: all of its keys are listed, rotated and revoked.
    service = await start(target, { SERVICE_BASE_URL: ISSUER });
  });
  afterAll(() => service.end());

  const keys = (...words: string[]) => run(target, service.env, 'keys', ...words);
  const listed = async (): Promise<{ kid: string; state: string }[]> =>
    JSON.parse((await keys('list', '--json')).stdout);
  const published = async (): Promise<string[]> => {
    const answer = await fetch(`${service.url}/.well-known/jwks.json`);
    const set = (await answer.json()) as { keys: { kid: string }[] };
    return set.keys.map(({ kid }) => kid);
  };

  test('keys are listed, rotated and revoked next to the server, which publishes the result immediately', async () => {
    const [first] = await listed();
    expect([first?.state, await published()]).toEqual(['active', [first?.kid ?? '']]);
    const rotated = await keys('rotate', '--reason', 'yearly');
    const next = KID.exec(rotated.stdout)?.[0] ?? '';
    expect([rotated.exitCode, rotated.stderr]).toEqual([0, '']);
    expect(await published()).toEqual([first?.kid ?? '', next]);
    const again = await keys('rotate');
    expect([again.exitCode, again.stdout]).toEqual([0, '']);
    expect(again.stderr).toMatch(/^redoubt: nothing changed: .* Use --now to let it sign at once\n$/);
    expect((await keys('rotate', '--now')).stdout).toStartWith(`${next} signs from`);
    expect((await listed()).map(({ kid, state }) => [kid, state])).toEqual([
      [next, 'active'],
      [first?.kid ?? '', 'retired'],
    ]);
    const revoked = await keys('revoke', next, '--reason', 'a backup was stolen', '--yes');
    expect([revoked.exitCode, revoked.stdout.split('\n')[0]]).toEqual([0, `${next} is revoked`]);
    expect(revoked.stderr).toContain('still trust it');
    const made = KID.exec(revoked.stdout.split('\n')[1] ?? '')?.[0] ?? '';
    expect(await published()).toEqual([first?.kid ?? '', made]);
    const audit = JSON.parse(await service.command('audit', '--subject', next, '--json'));
    expect(audit.map((entry: Record<string, unknown>) => [entry.action, entry.reason])).toEqual([
      ['credential-key.revoke', 'a backup was stolen'],
      ['credential-key.add', null],
      ['credential-key.add', 'yearly'],
    ]);
  });

  test('a key is revoked with a reason, and only an existing one', async () => {
    const before = await listed();
    expect((await keys('revoke', before[0]?.kid ?? '')).exitCode).toBe(2);
    const none = await keys('revoke', 'none', '--reason', 'x', '--yes');
    expect([none.exitCode, none.stderr]).toEqual([
      1,
      'redoubt: no such key. List them with redoubt keys list\n',
    ]);
    expect(await listed()).toEqual(before);
  });

  test('the keys and the issuer are public, cacheable for an hour, with an ETag', async () => {
    for (const [path, content] of [
      ['/.well-known/jwks.json', { keys: expect.any(Array) }],
      ['/.well-known/jwt-vc-issuer', { issuer: ISSUER, jwks_uri: `${ISSUER}/.well-known/jwks.json` }],
    ] as const) {
      const answer = await fetch(service.url + path);
      expect([answer.status, await answer.json()]).toEqual([200, content]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'cache-control': 'public, max-age=3600',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
        'x-ratelimit-remaining': expect.any(String),
      });
      const known = { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } };
      expect((await fetch(service.url + path, known)).status).toBe(304);
    }
    const { keys } = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as {
      keys: object[];
    };
    const coordinate = expect.stringMatching(/^[A-Za-z0-9_-]{43}$/);
    const key = { kty: 'EC', crv: 'P-256', x: coordinate, y: coordinate, kid: coordinate };
    for (const each of keys) expect(each).toEqual({ ...key, alg: 'ES256', use: 'sig' });
  });

  test('a key that the database refuses leaves no private key file', async () => {
    const files = () => readdirSync(join(service.env.SERVICE_DATA_DIR ?? '', 'signing')).sort();
    const before = [files(), await published()];
    rows(
      service,
      "create trigger broken before insert on credential_keys begin select raise(abort, 'x'); end",
    );
    expect((await keys('rotate')).exitCode).toBe(1);
    rows(service, 'drop trigger broken');
    expect([files(), await published()]).toEqual(before);
  });

  test("the operator's own key signs from the start; one with a wrong curve or mode is refused", async () => {
    const directory = temporaryDirectory();
    const own = newKey();
    const file = join(directory, 'own.pem');
    const pem = own.privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(file, pem, { mode: 0o600 });
    const settings = { SERVICE_BASE_URL: ISSUER, SERVICE_SIGNING_KEY_FILE: file };
    const other = await start(target, settings);
    try {
      const { keys } = JSON.parse(await (await fetch(`${other.url}/.well-known/jwks.json`)).text());
      expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual([own.kid]);
      const rotate = await run(target, other.env, 'keys', 'rotate');
      expect([rotate.exitCode, rotate.stdout]).toEqual([1, '']);
      expect(rotate.stderr).toContain('SERVICE_SIGNING_KEY_FILE');
      const revoke = await run(
        target,
        other.env,
        'keys',
        'revoke',
        '--reason',
        'lost',
        '--yes',
        '--',
        own.kid,
      );
      expect(revoke.stderr).toContain('until then, the service signs with a key that it created');
      const signing = readdirSync(join(other.env.SERVICE_DATA_DIR ?? '', 'signing'));
      expect(signing).toContain(`credential-${own.kid}.revoked`);
      const renewed = JSON.parse(await (await fetch(`${other.url}/.well-known/jwks.json`)).text());
      expect(renewed.keys.map(({ kid }: { kid: string }) => `credential-${kid}.pem`)).toEqual(
        signing.filter((name) => name.startsWith('credential-') && name.endsWith('.pem')),
      );
    } finally {
      await other.end();
    }
    for (const [path, text, mode, words] of [
      ['open.pem', pem, 0o644, 'is open to every user of this host'],
      ['none.pem', 'sentinel', 0o600, 'SERVICE_SIGNING_KEY_FILE is not a P-256 private key'],
    ] as const) {
      const named = join(directory, path);
      writeFileSync(named, text, { mode });
      const env = { ...settings, SERVICE_DATA_DIR: directory, SERVICE_SIGNING_KEY_FILE: named };
      const refused = await run(target, env, 'serve');
      expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining(words)]);
      expect(refused.stderr).not.toContain('sentinel');
    }
  });
});

test.each([undefined, 'http://licenses.example'])(
  'at %p there are no keys, nor paths for them',
  async (baseUrl) => {
    const service = await start('binary', baseUrl === undefined ? {} : { SERVICE_BASE_URL: baseUrl });
    try {
      const unknown = await call(service.url, '/nope');
      for (const path of ['/.well-known/jwks.json', '/.well-known/jwt-vc-issuer']) {
        const { status, json } = await call(service.url, path);
        expect([status, json.error]).toEqual([unknown.status, unknown.json.error]);
      }
      expect(await service.command('keys', 'list', '--json')).toBe('[]\n');
    } finally {
      await service.end();
    }
  },
);

describe.each([...TARGETS])('%s: redoubt credential verify', (target) => {
  const directory = temporaryDirectory();
  const key = newKey();
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
  const list = (revoked: number[], issuedAt = NOW, by = key, listId = 3) =>
    signStatusList({ issuer: ISSUER, listId, issuedAt, lst: encodeStatusList(revoked), key: by });
  beforeAll(async () => {
    write('shop.jwt', `${await credentialBy(key)}\n`);
    write('far.jwt', await credentialBy(key, { listIndex: 200_000 }));
    write('jwks.json', JSON.stringify({ keys: [{ kty: 'RSA' }, { ...key.jwk, kid: 'any', alg: 'ES256' }] }));
    write('strangers.json', JSON.stringify({ keys: [newKey().jwk] }));
    write('empty.json', '{"keys":[]}');
    write('good.list', await list([78]));
    write('revoked.list', await list([77]));
    write('old.list', await list([], NOW - 8 * DAY_MS));
    write('other.list', await list([], NOW, key, 4));
    write('forged.list', await list([], NOW, { ...newKey(), kid: key.kid }));
  });
  const verify = (words: string, at = NOW) =>
    runIn(
      directory,
      target,
      {},
      'credential',
      'verify',
      ...words.split(' '),
      '--at',
      new Date(at).toISOString(),
    );

  test('a credential is verified with files only: no settings, no database, no network', async () => {
    const { exitCode, stdout, stderr } = await verify(
      'shop.jwt --jwks jwks.json --status-list good.list --json',
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: true,
      reason: null,
      type: 'site_posture',
      issuer: ISSUER,
      subject: 'https://shop.example/',
      expires_at: '2026-12-02T12:00:00.000Z',
      claims: { credentialSubject: { grade: 'A' } },
      status_list: { expires_at: '2026-11-29T12:00:00.000Z', expired: false },
    });
  });

  test.each([
    ['shop.jwt --jwks jwks.json', 0, 'revocation was not checked'],
    ['shop.jwt --jwks jwks.json --status-list old.list', 0, 'expired at 2026-11-21T12:00:00.000Z'],
    ['shop.jwt --jwks jwks.json --status-list revoked.list', 1, 'the credential was revoked'],
    ['shop.jwt --jwks jwks.json --status-list other.list', 1, 'the credential names another one'],
    ['shop.jwt --jwks jwks.json --status-list forged.list', 1, 'its signature is invalid'],
    ['shop.jwt --jwks jwks.json --status-list shop.jwt', 1, 'it is not a status list'],
    ['far.jwt --jwks jwks.json --status-list good.list', 1, 'its index is not in the status list'],
    ['shop.jwt --jwks strangers.json', 1, 'not signed by a key'],
    ['shop.jwt --jwks empty.json', 1, 'has no P-256'],
    ['jwks.json --jwks jwks.json', 1, 'this is not a credential of Redoubt'],
    ['none.jwt --jwks jwks.json', 1, 'cannot read none.jwt: no such file or directory. Check its path'],
    ['. --jwks jwks.json', 1, 'is not a file'],
    ['shop.jwt', 2, "required option '--jwks <file>' not specified"],
  ])('%s ends with %i and one line: %s', async (words, code, line) => {
    const { exitCode, stdout, stderr } = await verify(words);
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(line)]);
    if (code === 0)
      expect([stdout, stderr.split('\n').length]).toEqual([expect.stringMatching(/^valid +true$/m), 2]);
  });

  test('the credential is judged at a given moment', async () => {
    const after = await verify('shop.jwt --jwks jwks.json --json', NOW + 11 * DAY_MS);
    expect([after.exitCode, JSON.parse(after.stdout).reason]).toEqual([1, 'expired']);
    const before = await verify('shop.jwt --jwks jwks.json --json', NOW - DAY_MS);
    expect([before.exitCode, JSON.parse(before.stdout).reason]).toEqual([1, 'not_yet_valid']);
  });
});
