import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createPublicKey } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PublishedKey } from '../../src/domain/signing/published-keys.ts';
import { minisignKeyIn } from '../../src/lib/minisign.ts';
import { parseVerifierKey } from '../../src/lib/signed-note.ts';
import { call } from '../support/client.ts';
import { type RunningService, run, SURE, start, TARGETS } from '../support/service.ts';
import { refuseEach } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const KEYS = '/.well-known/redoubt-keys';
const KID = /^[0-9a-f]{16}/;

const publishedBy = async ({ url }: RunningService): Promise<PublishedKey[]> =>
  (await call(url, KEYS)).json.keys;

describe.each([...TARGETS])('%s', (target) => {
  let service: RunningService;
  beforeAll(async () => {
    // Its own process: all of its keys are listed, rotated and revoked.
    service = await start(target);
  });
  afterAll(() => service.end());
  const keys = (...words: string[]) => run(target, service.env, 'keys', ...words);
  const statesOf = async (purpose: string) =>
    (await publishedBy(service))
      .filter((key) => key.purpose === purpose)
      .map(({ kid, state }): string[] => [kid, state]);

  test('the first keys are published to everyone, cacheable for an hour, with an ETag', async () => {
    const { status, json, headers } = await call(service.url, KEYS);
    expect([status, json.keys.map(({ purpose }: PublishedKey) => purpose)]).toEqual([
      200,
      ['evidence', 'reply', 'license', 'feed', 'webhook'],
    ]);
    for (const key of json.keys as PublishedKey[]) {
      expect(key).toMatchObject({ alg: 'Ed25519', state: 'active', not_after: null });
      const bytes = Buffer.from(key.public_key, 'base64');
      expect([KID.test(key.kid), bytes.length, key.use]).toEqual([true, 32, 'sig']);
      const imported = createPublicKey({ key: { ...key }, format: 'jwk' });
      expect(imported.export({ format: 'jwk' })).toMatchObject({
        crv: 'Ed25519',
        x: bytes.toString('base64url'),
      });
    }
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    const known = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    expect((await call(service.url, KEYS, known)).status).toBe(304);
    expect((await keys('list')).stdout).toBe('kid  state  active_from  last_expires_at  revoked_at\n');
  });

  test('keys of a purpose are listed, rotated with overlap and revoked next to a running server, which publishes the change at once', async () => {
    const [[first = ''] = []] = await statesOf('license');
    const rotated = await keys('rotate', 'license', '--reason', 'yearly');
    const next = KID.exec(rotated.stdout)?.[0] ?? '';
    expect([rotated.exitCode, rotated.stderr]).toEqual([0, '']);
    expect(await statesOf('license')).toEqual([
      [first, 'active'],
      [next, 'next'],
    ]);
    expect((await keys('rotate', 'license')).stderr).toContain('nothing changed');
    await keys('rotate', 'license', '--now');
    const listed = JSON.parse((await keys('list', 'license', '--json')).stdout);
    expect(listed.map(({ kid, state }: PublishedKey) => [kid, state])).toEqual([
      [next, 'active'],
      [first, 'retired'],
    ]);
    const revoked = await keys('revoke', 'license', next, '--reason', 'a backup was stolen', '--yes');
    const made = KID.exec(revoked.stdout.split('\n')[1] ?? '')?.[0] ?? '';
    expect(revoked.stdout.split('\n')[0]).toBe(`${next} is revoked`);
    expect(await statesOf('license')).toEqual([
      [first, 'retired'],
      [next, 'revoked'],
      [made, 'active'],
    ]);
    const jwks = (await publishedBy(service)).filter(({ kty }) => kty !== undefined).map(({ kid }) => kid);
    expect([jwks.includes(next), jwks.includes(made)]).toEqual([false, true]);
    const audit = JSON.parse(await service.command('audit', '--subject', next, '--json'));
    expect(audit.map((entry: Record<string, unknown>) => [entry.action, entry.reason])).toEqual([
      ['signing-key.revoke', 'a backup was stolen'],
      ['signing-key.add', null],
      ['signing-key.add', 'yearly'],
    ]);
  });

  test('a key is revoked only with a reason and its own purpose, and keys of evidence cannot be revoked', async () => {
    const [[kid = ''] = []] = await statesOf('reply');
    const before = await publishedBy(service);
    for (const [words, code, told] of [
      [['reply', kid], 2, '--reason'],
      [['reply', kid, '--reason', 'x'], 2, '--yes'],
      [['license', kid, ...SURE], 1, 'no such key'],
      [['evidence', kid, ...SURE], 2, 'Use one of credential, reply, license, feed, webhook'],
      [[kid, ...SURE], 1, 'no such key'],
    ] as const) {
      const { exitCode, stderr } = await keys('revoke', ...words);
      expect([exitCode, stderr]).toEqual([code, expect.stringContaining(told)]);
    }
    expect(await publishedBy(service)).toEqual(before);
  });

  test('a public key is exported in the formats of verifiers, without its private half', async () => {
    const reply = (await publishedBy(service)).find(({ purpose }) => purpose === 'reply');
    const forms = await Promise.all(
      ['jwk', 'vkey', 'minisign'].map(async (form) => (await keys('export', 'reply', '--form', form)).stdout),
    );
    const [jwk = '', vkey = '', minisign = ''] = forms.map((text) => text.trim());
    expect((await keys('export', 'reply')).stdout.trim()).toBe(jwk);
    const x = Buffer.from(reply?.public_key ?? '', 'base64').toString('base64url');
    expect(JSON.parse(jwk)).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x,
      kid: reply?.kid,
      alg: 'EdDSA',
      use: 'sig',
    });
    const publicKeys = [parseVerifierKey(vkey), minisignKeyIn(minisign)].map((key) => key?.publicKey);
    for (const key of publicKeys) expect(key?.export({ format: 'jwk' }).x).toBe(x);
    expect(Buffer.from(minisignKeyIn(minisign)?.id ?? []).toString('hex')).toBe(reply?.kid ?? '');
    const none = await keys('export', 'credential');
    expect([none.exitCode, none.stderr]).toEqual([
      1,
      expect.stringContaining('no key signs for credential yet'),
    ]);
  });

  test('a key that the database refuses leaves no private half on disk', async () => {
    const directory = join(service.env.SERVICE_KEYS_DIR ?? service.env.SERVICE_DATA_DIR ?? '', 'signing');
    const before = [readdirSync(directory).sort(), await publishedBy(service)];
    const accept = refuseEach(service, 'insert', 'signing_keys');
    expect((await keys('rotate', 'reply')).exitCode).toBe(1);
    accept();
    expect([readdirSync(directory).sort(), await publishedBy(service)]).toEqual(before);
  });
});

test('an installation that issues credentials also publishes their keys, with the id and the point of its JWKS', async () => {
  const service = await start('binary', { SERVICE_BASE_URL: 'https://licenses.example' });
  try {
    const [key] = await publishedBy(service);
    const { kid, x, y } = (await call(service.url, '/.well-known/jwks.json')).json.keys[0];
    const halves = [x, y].map((half: string) => Buffer.from(half, 'base64url'));
    const public_key = Buffer.concat([Uint8Array.of(4), ...halves]).toString('base64');
    expect(key).toMatchObject({ purpose: 'credential', kid, alg: 'ES256', public_key, state: 'active' });
    const exported = await service.command('keys', 'export', 'credential');
    expect(JSON.parse(exported)).toMatchObject({ kty: 'EC', kid, x, y });
    const refused = await run('binary', service.env, 'keys', 'export', 'credential', '--form', 'minisign');
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('Omit --form')]);
  } finally {
    await service.end();
  }
});

test('a backup contains the keys, and a key revoked later stays revoked after its restore', async () => {
  const first = await start('binary');
  const { env } = first;
  const file = join(temporaryDirectory(), 'backup.tar');
  const before = await publishedBy(first);
  const stolen = before.find(({ purpose }) => purpose === 'license')?.kid ?? '';
  await first.command('backup', 'create', '--to', file);
  await first.command('keys', 'revoke', 'license', stolen, '--reason', 'stolen', '--yes');
  await first.end();
  expect((await run('binary', env, 'restore', file)).stderr).not.toContain('cannot');
  const second = await start('binary', env);
  const states = async (service: RunningService) =>
    (await publishedBy(service)).filter(({ kid }) => kid === stolen).map(({ state }) => state);
  expect(await states(second)).toEqual(['revoked']);
  await second.end();

  const lost = { ...env, SERVICE_DATA_DIR: temporaryDirectory() };
  expect((await run('binary', lost, 'restore', file)).exitCode).not.toBe(2);
  const third = await start('binary', lost);
  expect(await publishedBy(third)).toEqual(before);
  await third.end();
}, 30_000);
