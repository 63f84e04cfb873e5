import { describe, expect, test } from 'bun:test';
import { createHmac, createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { credentialClaims } from '../../../src/domain/credential/claims.ts';
import { credentialStatus } from '../../../src/domain/credential/credential.ts';
import type { SigningKey } from '../../../src/domain/credential/signing.ts';
import { encodeStatusList, statusAt } from '../../../src/domain/credential/status-list.ts';
import {
  type PlaceStatus,
  type Verification,
  type Verifier,
  verifyCredential,
} from '../../../src/domain/credential/verify.ts';
import { credentialBy, forged, headerOf, ISSUER, NOW, newKey, statement } from '../../support/signed.ts';

const KEY = newKey();
const TOKEN = await credentialBy(KEY);
const CLAIMS = credentialClaims(statement());

const verifier = (change: Partial<Verifier> = {}): Verifier => ({
  keys: [{ ...KEY, revokedAt: null }],
  now: NOW,
  isIssuer: (issuer) => issuer === ISSUER,
  statusOf: () => false,
  ...change,
});
const verify = (token: string, change?: Partial<Verifier>) => verifyCredential(token, verifier(change));

/** The untrusted content of a credential. */
const unbelieved = (reason: Verification['reason']): Verification => ({
  valid: false,
  reason,
  type: null,
  issuer: null,
  subject: null,
  issuedAt: null,
  expiresAt: null,
  claims: null,
});

const byUs = (payload: string | object, header: string | object = headerOf(KEY)) =>
  forged(header, payload, KEY.privateKey);
const claims = (change: object) => ({ ...CLAIMS, ...change });
const malformed = async (token: string) => expect(await verify(token)).toEqual(unbelieved('malformed'));

test('a credential of this service is valid, and its content is returned', async () => {
  expect(await verify(TOKEN)).toEqual({
    valid: true,
    reason: null,
    type: 'site_posture',
    issuer: ISSUER,
    subject: 'https://shop.example/',
    issuedAt: NOW - 3_600_000,
    expiresAt: NOW + 10 * 86_400_000,
    claims: JSON.parse(JSON.stringify(CLAIMS)),
  });
  // The forgeries of the other tests are otherwise equal.
  expect(await verify(byUs(CLAIMS))).toMatchObject({ valid: true });
});

test('its place in the list is looked up as claimed', async () => {
  const asked: unknown[] = [];
  await verify(TOKEN, {
    statusOf: (place) => {
      asked.push(place);
      return undefined;
    },
  });
  expect(asked).toEqual([{ id: CLAIMS.id, uri: `${ISSUER}/status-lists/3`, index: 77 }]);
});

describe('none of its content is returned', () => {
  test('of a token by another issuer', async () => {
    const token = await credentialBy(KEY, { issuer: 'https://other.example' });
    expect(await verify(token)).toEqual(unbelieved('unknown_issuer'));
  });

  test('of one with a foreign key', async () => {
    expect(await verify(await credentialBy(newKey()))).toEqual(unbelieved('unknown_key'));
  });

  test("of one with another key under the service's name", async () => {
    const stranger: SigningKey = { ...newKey(), kid: KEY.kid };
    expect(await verify(await credentialBy(stranger))).toEqual(unbelieved('bad_signature'));
  });

  test('of one that contains its own key', async () => {
    const { jwk, privateKey } = newKey();
    const more = { jwk, jku: 'https://evil.example/jwks', x5u: 'https://evil.example/x', x5c: ['AAAA'] };
    const token = forged({ ...headerOf(KEY), ...more }, CLAIMS, privateKey);
    expect(await verify(token)).toEqual(unbelieved('bad_signature'));
    expect(await verify(byUs(CLAIMS, { ...headerOf(KEY), ...more }))).toMatchObject({ valid: true });
  });

  test('of one with the claims or the signature of another', async () => {
    const [head, body, signature] = TOKEN.split('.');
    const other = (await credentialBy(KEY, { listIndex: 78 })).split('.');
    expect(await verify(`${head}.${other[1]}.${signature}`)).toEqual(unbelieved('bad_signature'));
    expect(await verify(`${head}.${body}.${other[2]}`)).toEqual(unbelieved('bad_signature'));
    const zeros = Buffer.alloc(64).toString('base64url');
    expect(await verify(`${head}.${body}.${zeros}`)).toEqual(unbelieved('bad_signature'));
  });
});

describe('a signature of another kind is malformed', () => {
  const [head = '', body = '', signature = ''] = TOKEN.split('.');
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

  test.each(['none', 'None', 'nOnE', '', 'HS256', 'RS256', 'ES384', 'ES256K', 'EdDSA', 'es256', null, 7])(
    'alg %p',
    async (alg) => {
      const other = encoded({ ...headerOf(KEY), alg });
      for (const end of ['', signature]) await malformed(`${other}.${body}.${end}`);
      await malformed(byUs(CLAIMS, { ...headerOf(KEY), alg }));
    },
  );

  test.each(['pem', 'der', 'jwk'] as const)('HS256 with the public key as its secret: %s', async (form) => {
    const publicKey = createPublicKey(KEY.privateKey);
    const secret =
      form === 'jwk'
        ? JSON.stringify(KEY.jwk)
        : publicKey.export({ type: 'spki', format: form as 'pem' }).toString();
    const signed = `${encoded({ ...headerOf(KEY), alg: 'HS256' })}.${body}`;
    await malformed(`${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`);
  });

  test('DER, or more or fewer bytes than 64', async () => {
    const raw = Buffer.from(signature, 'base64url');
    for (const bytes of [raw.subarray(1), raw.subarray(0, 63), Buffer.concat([raw, Buffer.of(0)])])
      await malformed(`${head}.${body}.${bytes.toString('base64url')}`);
    const half = (from: number) => Buffer.concat([Buffer.of(2, 33, 0), raw.subarray(from, from + 32)]);
    const der = Buffer.concat([Buffer.of(0x30, 70), half(0), half(32)]);
    await malformed(`${head}.${body}.${der.toString('base64url')}`);
  });
});

describe('a foreign header is malformed', () => {
  test.each([
    { typ: 'JWT' },
    { typ: 'statuslist+jwt' },
    { typ: 'VC+JWT' },
    { typ: undefined },
    { cty: 'jwt' },
    { kid: undefined },
    { kid: 7 },
    { crit: ['exp'] },
    { crit: ['b64'], b64: false },
    { crit: [] },
  ])('%j', (change) => malformed(byUs(CLAIMS, { ...headerOf(KEY), ...change })));

  test.each(['[]', 'null', '"x"', '{', '{"alg":"ES256"', ''])('%s', (text) => malformed(byUs(CLAIMS, text)));
});

describe('inconsistent or foreign claims are malformed, with any signature', () => {
  test.each([
    { iss: 'https://other.example' },
    { issuer: 'https://other.example' },
    { issuer: { id: ISSUER } },
    { exp: CLAIMS.exp + 1 },
    { validUntil: '2030-01-01T00:00:00.000Z' },
    { validUntil: undefined },
    { exp: String(CLAIMS.exp) },
    { exp: CLAIMS.exp + 0.5 },
    { exp: 1e300 },
    { exp: Date.UTC(10_000, 0) / 1_000, validUntil: '+010000-01-01T00:00:00.000Z' },
    { exp: 8_640_000_000_001 },
    { iat: CLAIMS.iat - 1 },
    { validFrom: '2026-11-22' },
    { jti: 'urn:uuid:0198c1a2-7d1f-4c9a-9a53-0d9f6a3c2b12' },
    { id: 'x', jti: 'x' },
    { sub: 'https://bank.example/' },
    { credentialSubject: { ...CLAIMS.credentialSubject, id: 'https://bank.example/' } },
    { credentialSubject: [CLAIMS.credentialSubject] },
    { credentialSubject: null },
    { type: ['VerifiableCredential'] },
    { type: ['VerifiableCredential', 'OtherCredential'] },
    { type: ['VerifiableCredential', 'toString'] },
    { type: ['VerifiableCredential', 'LicenseCredential', 'SitePostureCredential'] },
    { type: 'VerifiableCredential' },
    { '@context': ['https://www.w3.org/2018/credentials/v1'] },
    { '@context': undefined },
    { status: undefined },
    { status: { status_list: { idx: 77 } } },
    { status: { status_list: { idx: -1, uri: 'x' } } },
    { status: { status_list: { idx: 1.5, uri: 'x' } } },
    { status: { status_list: { idx: '77', uri: 'x' } } },
  ])('%j', (change) => malformed(byUs(claims(change))));
});

describe('ambiguous text is malformed', () => {
  const text = JSON.stringify(CLAIMS);

  test('a repeated claim or header, also with an escape in its name', async () => {
    await malformed(byUs(text.replace('{', '{"sub":"https://bank.example/",')));
    await malformed(byUs(text.replace('{', '{"\\u0073ub":"https://bank.example/",')));
    await malformed(byUs(text.replace('"grade":"A"', '"grade":"F","grade":"A"')));
    await malformed(byUs(CLAIMS, JSON.stringify(headerOf(KEY)).replace('{', '{"alg":"none",')));
  });

  test('lone surrogates, invalid UTF-8, a byte order mark', async () => {
    await malformed(byUs(text.replace('"grade":"A"', '"grade":"\\ud800"')));
    await malformed(byUs(`\ufeff${text}`));
    const [head, , signature] = TOKEN.split('.');
    const latin1 = Buffer.from(text.replace('"A"', '"\xe4"'), 'latin1').toString('base64url');
    await malformed(`${head}.${latin1}.${signature}`);
  });

  test('deep JSON, in the header or among the claims', async () => {
    const deep = '['.repeat(4_000) + ']'.repeat(4_000);
    await malformed(byUs(text.replace('{', `{"deep":${deep},`)));
    await malformed(byUs(CLAIMS, JSON.stringify(headerOf(KEY)).replace('{', `{"deep":${deep},`)));
  });

  test('base64url with padding, other alphabets, spaces or spare bits', async () => {
    const parts = TOKEN.split('.') as [string, string, string];
    for (const at of [0, 1, 2] as const) {
      for (const change of [
        (part: string) => `${part}=`,
        (part: string) => `${part}==`,
        (part: string) => `${part} `,
        (part: string) => `\n${part}`,
        (part: string) => part.replace(/^./, '+'),
        (part: string) => `${part}A`,
      ])
        await malformed(parts.with(at, change(parts[at])).join('.'));
    }
    // 64 bytes leave four spare bits in the last of 86 characters.
    const spare = ['A', 'Q', 'g', 'w'].indexOf(parts[2].at(-1) ?? '');
    expect(spare).not.toBe(-1);
    await malformed(`${parts[0]}.${parts[1]}.${parts[2].slice(0, -1)}${'BRhx'[spare]}`);
  });

  test('more or fewer parts than three', async () => {
    for (const token of [
      '',
      '.',
      '..',
      '...',
      TOKEN.slice(0, TOKEN.lastIndexOf('.')),
      `${TOKEN}.`,
      `${TOKEN}~`,
    ])
      await malformed(token);
  });

  test('more than 16 KiB, even with a valid signature', async () => {
    const filled = (characters: number) => byUs(claims({ more: 'x'.repeat(characters) }));
    expect(await verify(filled(10_000))).toMatchObject({ valid: true });
    expect(filled(12_000).length).toBeGreaterThan(16 * 1_024);
    await malformed(filled(12_000));
  });
});

test('a change of any single character makes a credential invalid', async () => {
  const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
  const character = fc.oneof(
    fc.constantFrom(...base64url),
    fc.string({ unit: 'binary', minLength: 0, maxLength: 1 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: TOKEN.length - 1 }), character, async (at, by) => {
      fc.pre(TOKEN[at] !== by);
      const found = await verify(TOKEN.slice(0, at) + by + TOKEN.slice(at + 1));
      expect([found.valid, found.claims]).toEqual([false, null]);
    }),
    { numRuns: 1_000 },
  );
});

test('any text gets an answer instead of an error', async () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.tuple(fc.json(), fc.json()).map(([header, payload]) => byUs(payload, header)),
    fc.json().map((payload) => byUs(payload)),
    fc.object().map((change) => byUs(claims(change))),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      expect((await verify(text)).reason).not.toBe('bad_signature');
    }),
    { numRuns: 500 },
  );
});

describe('the effect of time and revocation on a credential', () => {
  const { issuedAt, expiresAt } = { issuedAt: NOW - 3_600_000, expiresAt: NOW + 10 * 86_400_000 };

  test.each([
    [issuedAt - 60_001, 'not_yet_valid'],
    [issuedAt - 60_000, null],
    [expiresAt - 1, null],
    [expiresAt, 'expired'],
  ] as const)(
    'at %d it is %p: a clock may be a minute late at its beginning, not at its end',
    async (now, reason) => {
      const found = await verify(TOKEN, { now });
      expect([found.valid, found.reason, found.subject]).toEqual([
        reason === null,
        reason,
        'https://shop.example/',
      ]);
    },
  );

  test('a place beyond the list, or a list that cannot be read, is refused', async () => {
    for (const status of ['out_of_bounds', 'malformed'] as const)
      expect(await verify(TOKEN, { statusOf: () => status })).toEqual(unbelieved('malformed'));
    const far = await credentialBy(KEY, { listIndex: 131_072 });
    const statusOf = ({ index }: { index: number }) => statusAt(encodeStatusList([]), index);
    expect(await verify(far, { statusOf })).toEqual(unbelieved('malformed'));
  });

  test('it gets its current status', async () => {
    const status = fc.constantFrom<PlaceStatus>(true, false, undefined);
    const moment = fc.constantFrom(NOW, expiresAt - 1, expiresAt, expiresAt + 1);
    await fc.assert(
      fc.asyncProperty(status, fc.option(fc.constant(NOW)), moment, async (isRevoked, keyRevokedAt, now) => {
        const keys = [{ ...KEY, revokedAt: keyRevokedAt }];
        const { reason } = await verify(TOKEN, { keys, now, statusOf: async () => isRevoked });
        const revokedAt = isRevoked ? NOW : null;
        expect(reason ?? 'valid').toBe(credentialStatus({ expiresAt, revokedAt, keyRevokedAt }, now));
      }),
    );
  });
});
