import { describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { createIdentities } from '../../src/domain/identity.ts';

const SECRET = new Uint8Array(32).fill(7);

describe('a derived identity', () => {
  test('is an HMAC-SHA-256 of its name and license with the installation secret, in base64url', () => {
    const expected = createHmac('sha256', SECRET)
      .update('redoubt-identity-v1\nlicenseIdHash\n42')
      .digest('base64url');
    expect(createIdentities(SECRET).licenseIdHash(42)).toBe(expected);
  });

  test('is stable, in the form of threat reports, and different for every license', () => {
    const { licenseIdHash } = createIdentities(SECRET);
    const hashes = Array.from({ length: 1_000 }, (_, index) => licenseIdHash(index + 1));
    expect(new Set(hashes).size).toBe(1_000);
    for (const hash of hashes) expect(hash).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
    expect(createIdentities(SECRET).licenseIdHash(1)).toBe(hashes[0] as string);
  });

  test('of a site differs for every site and license, and reveals none of the input', () => {
    const { siteIdHash } = createIdentities(SECRET);
    const hashes = [
      siteIdHash(1),
      siteIdHash(1, 'a'),
      siteIdHash(1, 'b'),
      siteIdHash(2, 'a'),
      siteIdHash(1, '1'),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(siteIdHash(1, 'a')).toBe(hashes[1] as string);
    for (const hash of hashes) expect(hash).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test('differs on every installation', () => {
    const other = createIdentities(new Uint8Array(32).fill(8));
    expect(other.licenseIdHash(1)).not.toBe(createIdentities(SECRET).licenseIdHash(1));
  });
});
