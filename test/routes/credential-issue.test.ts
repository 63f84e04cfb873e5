import { beforeEach, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { DAY_MS } from '../../src/lib/clock.ts';
import { credentialIssue } from '../../src/routes/credential-issue.ts';
import type { SignedCredential } from '../../src/storage/credentials/credentials.ts';
import { alone, type PartsFor } from '../support/endpoint.ts';

type CredentialParts = PartsFor<typeof credentialIssue>;

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const NOW = 1_800_000_000_123;

/** How often the store reports that a place was taken meanwhile. */
let taken: number;
let hasKey: boolean;
let environment: string;
let expiresAt: number | null;
/** The credentials given to the store. */
let signed: SignedCredential[];
beforeEach(() => {
  [taken, hasKey, environment, expiresAt, signed] = [0, true, 'live', null, []];
});

/** The route with a store that the test controls. */
async function ask(): Promise<{ status: number; refusal: unknown }> {
  const parts = {
    authenticate: () => ({
      caller: {
        license: { id: 1, environment },
        standing: { plan: 'pro', state: 'active', sitesAllowed: 1, expiresAt },
      },
    }),
    identities: { licenseIdHash: () => 'hash' },
    clock: { now: () => NOW, monotonic: () => NOW },
    config: { baseUrl: 'https://redoubt.example', credentialDays: 90, dailyCap: 1 },
    credentialKeys: { active: async () => (hasKey ? { kid: 'kid', privateKey } : undefined) },
    statusLists: { open: async () => 3, isFree: async () => true },
    tenantData: { credentials: { same: async () => undefined } },
    writer: {
      write: async (_: string, input: SignedCredential) => {
        signed.push(input);
        if (taken-- > 0) return undefined;
        return { ...input, siteId: null, revokedAt: null, keyRevokedAt: null, revocationReason: null };
      },
    },
  } as unknown as CredentialParts;
  const request = new Request('http://localhost/credentials', { method: 'POST', body: '{"type":"license"}' });
  const answer = await alone(credentialIssue, parts)(request);
  return { status: answer.status, refusal: answer.ok ? undefined : await answer.json() };
}

test('a credential that loses a race is signed again, under another name and at another place', async () => {
  taken = 3;
  expect(await ask()).toEqual({ status: 200, refusal: undefined });
  expect(signed).toHaveLength(4);
  for (const name of ['publicId', 'listIndex', 'token'] as const)
    expect(new Set(signed.map((each) => each[name])).size).toBe(4);
  for (const each of signed) {
    const claims = JSON.parse(Buffer.from(each.token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({
      id: `urn:uuid:${each.publicId}`,
      iat: 1_800_000_000,
      status: { status_list: { idx: each.listIndex, uri: 'https://redoubt.example/status-lists/3' } },
    });
    expect(each).toMatchObject({ kid: 'kid', issuedAt: 1_800_000_000_000, now: NOW });
  }
});

test('a lost race is not retried endlessly', async () => {
  taken = 1_000;
  const { status, refusal } = await ask();
  expect([status, refusal]).toEqual([
    503,
    expect.objectContaining({ refused: 'STORE_UNAVAILABLE', retryAfterSeconds: 1 }),
  ]);
  expect(signed).toHaveLength(4);
});

test('a missing signing key is reported when a public address is set', async () => {
  hasKey = false;
  const { status, refusal } = await ask();
  expect([status, refusal]).toEqual([403, expect.objectContaining({ refused: 'CREDENTIALS_DISABLED' })]);
  expect(String((refusal as { message: string }).message)).not.toContain('SERVICE_BASE_URL');
  expect(signed).toEqual([]);
});

test.each<[number | null, number]>([
  [null, 1_800_000_000_000 + 90 * DAY_MS],
  [NOW + 91 * DAY_MS, 1_800_000_000_000 + 90 * DAY_MS],
  [NOW + DAY_MS, 1_800_000_000_000 + DAY_MS],
])('a credential of a license that ends at %p is valid until %i', async (endsAt, until) => {
  expiresAt = endsAt;
  await ask();
  const claims = JSON.parse(Buffer.from(signed[0]?.token.split('.')[1] ?? '', 'base64url').toString());
  expect([signed[0]?.expiresAt, claims.exp, Date.parse(claims.validUntil)]).toEqual([
    until,
    until / 1_000,
    until,
  ]);
});

test('a test license gets the refusal that it has no credentials', async () => {
  environment = 'test';
  const { status, refusal } = await ask();
  expect([status, refusal, signed]).toEqual([
    403,
    expect.objectContaining({
      refused: 'CREDENTIALS_DISABLED',
      message: expect.stringContaining('test license'),
    }),
    [],
  ]);
});
