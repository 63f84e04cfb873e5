import { expect, test } from 'bun:test';
import { createPrivateKey } from 'node:crypto';
import fc from 'fast-check';
import { contentDigest, signComponents, wantedSignature } from '../../src/lib/http-signature.ts';

test('signatures are those of RFC 9421, B.2.6', () => {
  // Its test-key-ed25519, B.1.4.
  const pem =
    '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n';
  const { input, signature } = signComponents(
    'sig-b26',
    [
      ['"date"', 'Tue, 20 Apr 2021 02:07:55 GMT'],
      ['"@method"', 'POST'],
      ['"@path"', '/foo'],
      ['"@authority"', 'example.com'],
      ['"content-type"', 'application/json'],
      ['"content-length"', '18'],
    ],
    { created: 1618884473, keyid: 'test-key-ed25519' },
    createPrivateKey(pem),
  );
  expect(input).toBe(
    'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  );
  expect(signature).toBe(
    'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
  );
});

test('digests are those of RFC 9530, D.1', () => {
  expect(contentDigest(Buffer.from('{"hello": "world"}\n'))).toBe(
    'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:',
  );
});

test('of any request, only a short label and a nonce of harmless characters are repeated, without delay', () => {
  const part = fc.constantFrom(
    'sig',
    '=',
    '(',
    ')',
    ';',
    'nonce',
    '"',
    'a',
    '\\',
    ',',
    ' ',
    'created',
    'alg',
    '?1',
    ';a',
    '\n',
  );
  const header = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 400 }).map((parts) => parts.join('')),
  );
  const begun = performance.now();
  fc.assert(
    fc.property(header, (text) => {
      const { label = 'a', nonce = 'a' } = wantedSignature(text) ?? {};
      expect([label, nonce].join(' ')).toMatch(/^[a-z*][a-z0-9_.*-]{0,63} [A-Za-z0-9+/=_.~:-]{1,128}$/);
    }),
    { numRuns: 2_000 },
  );
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect(wantedSignature('sig1=("@status"; req);created ; nonce="abc" ;alg="ed25519"')).toEqual({
    label: 'sig1',
    nonce: 'abc',
  });
});
