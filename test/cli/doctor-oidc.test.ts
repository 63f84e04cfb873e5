import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Finding } from '../../src/operator/doctor/finding.ts';
import { freePort } from '../support/free-port.ts';
import { type FakeProvider, type Lies, startFakeProvider } from '../support/oidc/fake-provider.ts';
import { type Env, run } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { hostWith } from '../support/unit.ts';

// What the commands report of an identity provider, before anybody tries to sign in.

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.end());
afterEach(() => fake.beHonest());

async function findingsOf(command: readonly string[], settings: Env = {}) {
  const env = {
    ...hostWith({ LoadState: 'not-found' }),
    SERVICE_DATA_DIR: join(temporaryDirectory(), 'data'),
    SERVICE_ADMIN_URL: 'http://127.0.0.1:8081',
    SERVICE_OIDC_ROLES: 'owner=redoubt-owners',
    SERVICE_OIDC_CLIENT_SECRET: 'a secret of the console',
    ...fake.settings,
    ...settings,
  };
  const { exitCode, stdout } = await run('binary', env, ...command, '--json');
  expect(stdout).not.toContain('a secret of the console');
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return { exitCode, oidc: findings.filter(({ id }) => id.startsWith('oidc') || id === 'setting-refused') };
}
const CHECK = ['config', 'check'];

test.each([[CHECK], [['doctor']]])('%p finds nothing wrong with an honest provider', async (command) => {
  expect((await findingsOf(command)).oidc).toEqual([]);
  expect(fake.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
});

const jsonAt = (date: string, body: unknown) =>
  new Response(JSON.stringify(body), { headers: { date, 'content-type': 'application/json' } });
const LIES: readonly (readonly [what: string, lies: Lies, id: string, words: RegExp])[] = [
  [
    'another issuer',
    { discovery: (said) => ({ ...said, issuer: 'https://x.example' }) },
    'oidc-metadata',
    /issuer/,
  ],
  ['no page of that name', { discovery: () => new Response('', { status: 404 }) }, 'oidc-metadata', /status/],
  ['no key', { keys: () => ({ keys: [] }) }, 'oidc-keys', /no key/],
  ['no keys at all', { keys: () => new Response('', { status: 500 }) }, 'oidc-metadata', /status 500/],
  [
    'no code flow',
    { discovery: (said) => ({ ...said, response_types_supported: ['token'] }) },
    'oidc-metadata',
    /code/,
  ],
  [
    'no PKCE',
    { discovery: (said) => ({ ...said, code_challenge_methods_supported: ['plain'] }) },
    'oidc-metadata',
    /S256/,
  ],
  [
    'other scopes',
    { discovery: (said) => ({ ...said, scopes_supported: ['openid'] }) },
    'oidc-scopes',
    /profile, email/,
  ],
  [
    'another clock',
    { discovery: (said) => jsonAt(new Date(Date.now() - 300_000).toUTCString(), said) },
    'oidc-clock',
    /differ by (?:299|300|301) seconds/,
  ],
];

test.each(LIES)('a provider with %s is reported by both commands', async (_, lies, id, words) => {
  Object.assign(fake.lies, lies);
  for (const command of [CHECK, ['doctor']]) {
    const { exitCode, oidc } = await findingsOf(command);
    expect(oidc).toEqual([
      { id, severity: expect.any(String), what: expect.stringMatching(words), do: expect.any(String) },
    ]);
    if (command === CHECK) expect(exitCode).toBe(id === 'oidc-scopes' ? 3 : 2);
  }
});

test('a provider that is away is an error of doctor, a warning of config check, and says whom it keeps out', async () => {
  const SERVICE_OIDC_ISSUER = `http://127.0.0.1:${await freePort()}`;
  const away = { id: 'oidc-unreachable', what: expect.stringMatching(/connection was refused/) };
  expect((await findingsOf(['doctor'], { SERVICE_OIDC_ISSUER })).oidc).toMatchObject([
    { ...away, severity: 'error', do: expect.stringContaining('passwords still work') },
  ]);
  const only = await findingsOf(CHECK, { SERVICE_OIDC_ISSUER, SERVICE_OIDC_ONLY: '1' });
  expect([only.exitCode, only.oidc]).toMatchObject([
    3,
    [{ ...away, severity: 'warning', do: expect.stringContaining('redoubt operator link') }],
  ]);
});

test('settings that do not fit together are reported, and the provider is not asked', async () => {
  const { exitCode, oidc } = await findingsOf(CHECK, { SERVICE_OIDC_ROLES: '' });
  expect([exitCode, oidc]).toMatchObject([
    2,
    [{ what: expect.stringMatching(/requires SERVICE_OIDC_ROLES/) }],
  ]);
  expect(fake.asked).toEqual([]);
});
