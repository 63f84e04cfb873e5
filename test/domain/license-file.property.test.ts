import { expect, test } from 'bun:test';
import { createPublicKey, sign } from 'node:crypto';
import fc from 'fast-check';
import { type LicenseFile, readLicenseFile, signLicenseFile } from '../../src/domain/license/license-file.ts';
import { type Ed25519Key, newEd25519Key } from '../../src/domain/signing/ed25519-key.ts';
import type { TrustedKey } from '../../src/domain/signing/published-keys.ts';

const NOW = Date.parse('2026-11-27T12:00:00.000Z');
const DAY_MS = 86_400_000;
const key = newEd25519Key();
const trusted = ({ kid, privateKey }: Ed25519Key, change: Partial<TrustedKey> = {}): TrustedKey => ({
  kid,
  publicKey: createPublicKey(privateKey),
  isRevoked: false,
  notAfter: null,
  ...change,
});
const facts: Omit<LicenseFile, 'kid'> = {
  license: 'lic_7',
  plan: 'pro',
  modules: ['firewall'],
  domains: ['shop.example', 'bücher.example'],
  issued: new Date(NOW).toISOString(),
  expiry: new Date(NOW + 30 * DAY_MS).toISOString(),
  serial: '0123456789abcdef',
};
const good = signLicenseFile(facts, key);
const read = (text: string, at = NOW, keys = [trusted(key)]) => readLicenseFile(text, keys, at);

/** Arbitrary signed content. */
const signed = (said: object, alg = 'base64+ed25519', by = key, prefix = 'license/') => {
  const enc = Buffer.from(JSON.stringify(said)).toString('base64');
  const sig = sign(null, Buffer.from(prefix + enc), by.privateKey).toString('base64');
  const body = Buffer.from(JSON.stringify({ enc, sig, alg })).toString('base64');
  return `-----BEGIN LICENSE FILE-----\n${body}\n-----END LICENSE FILE-----\n`;
};

test('a license file returns the signed content until it expires, also with the line ends of Windows', () => {
  expect(read(good)).toMatchObject({ ...facts, kid: key.kid });
  expect(read(good.replaceAll('\n', '\r\n'), NOW + 30 * DAY_MS - 1)).toMatchObject({ serial: facts.serial });
  expect(read(good, NOW + 30 * DAY_MS)).toEqual({
    refused: expect.stringMatching(/^it expired at 2026-12-27/),
  });
});

test('a file with any flipped bit, or truncated anywhere, is refused', () => {
  fc.assert(
    fc.property(fc.nat(good.trimEnd().length - 1), fc.integer({ min: 0, max: 7 }), (at, bit) => {
      const bytes = Buffer.from(good);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      expect(read(bytes.toString('latin1'))).toHaveProperty('refused');
      expect(read(good.slice(0, at))).toHaveProperty('refused');
    }),
    { numRuns: 500 },
  );
});

test('any text read as a license file gets a refusal of one sentence, never an exception', () => {
  const body = fc.oneof(fc.string(), fc.json()).map((text) => Buffer.from(text).toString('base64'));
  const armoured = body.map((text) => `-----BEGIN LICENSE FILE-----\n${text}\n-----END LICENSE FILE-----\n`);
  const enveloped = fc
    .dictionary(fc.constantFrom('enc', 'sig', 'alg', 'x'), fc.jsonValue())
    .map((envelope) => {
      const text = Buffer.from(JSON.stringify({ alg: 'base64+ed25519', ...envelope })).toString('base64');
      return `-----BEGIN LICENSE FILE-----\n${text}\n-----END LICENSE FILE-----\n`;
    });
  fc.assert(
    fc.property(fc.oneof(fc.string(), armoured, enveloped), (text) => {
      expect(read(text)).toEqual({ refused: expect.stringMatching(/^[^\n]{10,}$/) });
    }),
  );
});

const all = { format: 'redoubt-license/1', ...facts, kid: key.kid };
const stranger = newEd25519Key();

test.each<[string, string, string, TrustedKey[]?]>([
  [
    'belongs to another installation',
    signLicenseFile(facts, stranger),
    'it is not signed by any of the keys',
  ],
  [
    'by a foreign key with the name of the key',
    signed(all, undefined, stranger),
    'it does not match its signature',
  ],
  ['signed for another purpose', signed(all, undefined, key, 'machine/'), 'it does not match its signature'],
  ['of a newer format', signed({ ...all, format: 'redoubt-license/2' }), 'it was created by a newer redoubt'],
  ['signed by another algorithm', signed(all, 'base64+mldsa65'), 'it was created by a newer redoubt'],
  ['of another format', signed({ ...all, format: 'other' }), 'it is not a license file'],
  ['issued in the future', signed({ ...all, issued: '2026-11-27T12:05:01Z' }), 'Set the clock of this host'],
  ['issued at an invalid moment', signed({ ...all, issued: 'soon' }), 'Set the clock of this host'],
  ['that never expires', signed({ ...all, expiry: undefined }), 'it expired'],
  ['by a revoked key', good, 'was revoked', [trusted(key, { isRevoked: true })]],
  ['by an expired key', good, 'the key that signed it expired', [trusted(key, { notAfter: NOW })]],
])('a file %s is refused', (_, text, words, keys = [trusted(key)]) => {
  expect(read(text, NOW, keys)).toEqual({ refused: expect.stringContaining(words) });
});
