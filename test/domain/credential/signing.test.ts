import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { credentialClaims } from '../../../src/domain/credential/claims.ts';
import { isSignedBy, readJws } from '../../../src/domain/credential/jws.ts';
import { kidOf, parseSigningKey } from '../../../src/domain/credential/signing.ts';
import type { P256Jwk } from '../../../src/domain/signing/p256-jwk.ts';
import { jwkThumbprint } from '../../../src/lib/jwk-thumbprint.ts';
import { credentialBy, keyOn, newKey, statement } from '../../support/signed.ts';

test("a key's thumbprint matches the examples of RFC 7638 (3.1) and RFC 9449 (6.1)", () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
  expect(jwkThumbprint({ n, kty: 'RSA', e: 'AQAB' })).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
  const jwk: P256Jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: 'l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs',
    y: '9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA',
  };
  expect(kidOf(jwk)).toBe('0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I');
});

test('the example of RFC 7515 (A.3) is read, and its signature is valid for its key only', async () => {
  const token =
    'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q';
  const jwk: P256Jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  };
  const jws = readJws(token, 1_000);
  if (jws === undefined) throw new Error('it is not read');
  expect(jws.payload).toEqual({ iss: 'joe', exp: 1300819380, 'http://example.com/is_root': true });
  expect([await isSignedBy(jwk, jws), await isSignedBy(newKey().jwk, jws)]).toEqual([true, false]);
  // Not a point of the curve.
  expect(await isSignedBy({ ...jwk, y: jwk.x }, jws)).toBe(false);
});

test('a credential about a site has the claims of the W3C and IETF standards, and names no license', async () => {
  expect(credentialClaims(statement({ issuer: 'https://licenses.example/' }))).toEqual({
    '@context': [
      'https://www.w3.org/ns/credentials/v2',
      { '@vocab': 'https://licenses.example/ns/posture-v1#' },
    ],
    id: 'urn:uuid:0198c1a2-7d1f-4c9a-9a53-0d9f6a3c2b11',
    jti: 'urn:uuid:0198c1a2-7d1f-4c9a-9a53-0d9f6a3c2b11',
    type: ['VerifiableCredential', 'SitePostureCredential'],
    issuer: 'https://licenses.example',
    iss: 'https://licenses.example',
    validFrom: '2026-11-22T11:00:00.000Z',
    validUntil: '2026-12-02T12:00:00.000Z',
    iat: Date.UTC(2026, 10, 22, 11) / 1_000,
    exp: Date.UTC(2026, 11, 2, 12) / 1_000,
    sub: 'https://shop.example/',
    credentialSubject: {
      id: 'https://shop.example/',
      grade: 'A',
      score: 93,
      assessedAt: '2026-11-22T10:00:00.000Z',
      assessed: ['telemetry', 'surface'],
      vulnerabilityDataAt: null,
    },
    evidence: [{ type: ['EvidenceLogEntry'], leafHash: 'x'.repeat(43) }],
    status: { status_list: { idx: 77, uri: 'https://licenses.example/status-lists/3' } },
  });
});

test('a credential about a license cites no evidence', () => {
  const subject = {
    type: 'license',
    licenseIdHash: 'h1',
    plan: 'pro',
    status: 'active',
    sitesAllowed: null,
  } as const;
  const claims = credentialClaims(statement({ subject }));
  expect(claims).toMatchObject({
    type: ['VerifiableCredential', 'LicenseCredential'],
    sub: 'urn:redoubt:license:h1',
    credentialSubject: {
      id: 'urn:redoubt:license:h1',
      plan: 'pro',
      status: 'active',
      sitesAllowed: null,
    },
  });
  expect(claims).not.toHaveProperty('evidence');
});

test('a different implementation verifies a credential with the published key: node:crypto', async () => {
  const key = newKey();
  const [head = '', body = '', signature = ''] = (await credentialBy(key)).split('.');
  const publicKey = createPublicKey({ key: { ...key.jwk }, format: 'jwk' });
  const holds = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  expect(holds).toBe(true);
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({
    alg: 'ES256',
    typ: 'vc+jwt',
    cty: 'vc',
    kid: key.kid,
  });
});

const PYTHON = `
import sys, json, base64
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives import hashes
b64 = lambda text: base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))
number = lambda data: int.from_bytes(data, 'big')
given = json.load(sys.stdin)
head, body, signature = given['token'].split('.')
raw = b64(signature)
assert len(raw) == 64
key = ec.EllipticCurvePublicNumbers(number(b64(given['x'])), number(b64(given['y'])), ec.SECP256R1()).public_key()
der = utils.encode_dss_signature(number(raw[:32]), number(raw[32:]))
key.verify(der, (head + '.' + body).encode(), ec.ECDSA(hashes.SHA256()))
print(json.loads(b64(body))['credentialSubject']['grade'])
`;
const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
const title = 'another implementation verifies a credential with the published key: Python';
test.skipIf(!hasPython)(hasPython ? title : `${title} (not run: needs python3-cryptography)`, async () => {
  const key = newKey();
  const input = JSON.stringify({ token: await credentialBy(key), ...key.jwk });
  const { stdout, stderr } = spawnSync('python3', ['-c', PYTHON], { input, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['A\n', '']);
});

test('a private key is read from a PKCS#8 PEM on P-256, and from nothing else', () => {
  const key = newKey();
  const pem = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  for (const text of [pem, `# for credentials\n${pem}`, pem.replaceAll('\n', '\r\n'), pem.trim()])
    expect(parseSigningKey(text)?.kid).toBe(key.kid);
  const others = [
    generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
    generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey,
    generateKeyPairSync('ed25519').privateKey,
  ].map((other) => other.export({ type: 'pkcs8', format: 'pem' }).toString());
  const sec1 = key.privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  const publicPem = createPublicKey(key.privateKey).export({ type: 'spki', format: 'pem' }).toString();
  for (const text of [...others, sec1, publicPem, pem.slice(0, 100), '', 'no key'])
    expect(parseSigningKey(text)).toBeUndefined();
  expect(keyOn('P-521')).toBeUndefined();
});
