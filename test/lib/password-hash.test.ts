import { expect, test } from 'bun:test';
import { hashPassword, isPassword } from '../../src/lib/password-hash.ts';
import { quickHash } from '../support/quick-hash.ts';

const PASSWORD = 'correct horse battery';

test('a password is stored as scrypt with N = 2^15, r = 8, p = 3 and a salt of its own', async () => {
  const hashes = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)]);
  expect(new Set(hashes).size).toBe(2);
  for (const hash of hashes) expect(hash).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  expect(await isPassword(PASSWORD, hashes[0])).toBe(true);
  expect(await isPassword('wrong horse battery', hashes[0])).toBe(false);
});

test('a hash is checked at the cost in it', async () => {
  const hash = quickHash(PASSWORD);
  expect([await isPassword(PASSWORD, hash), await isPassword('wrong horse battery', hash)]).toEqual([
    true,
    false,
  ]);
});

test('without a hash no password is right', async () => {
  expect(await isPassword(PASSWORD, undefined)).toBe(false);
});
