import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ACTOR_NAME } from '../../../src/domain/admin/actor-name.ts';
import {
  hashAdminToken,
  isWellFormedAdminToken,
  newAdminToken,
} from '../../../src/domain/admin/admin-token.ts';
import { hashLicenseKey, isWellFormedKey } from '../../../src/domain/license/license-key.ts';
import { providerTokenRule } from '../../../src/domain/privacy/provider-tokens.ts';
import '../../support/properties.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-. \n';

test('every token is well-formed, unique and known to the privacy gate; only its hash and last four are stored', () => {
  const made = Array.from({ length: 1_000 }, newAdminToken);
  expect(new Set(made.map(({ token }) => token)).size).toBe(1_000);
  for (const { token, stored } of made) {
    expect(token).toMatch(/^rdo_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
    expect([isWellFormedAdminToken(token), isWellFormedKey(token)]).toEqual([true, false]);
    expect(providerTokenRule(`said ${token}.`)).toBe('value.token.redoubt-admin');
    expect(stored).toEqual({ tokenHash: hashAdminToken(token), tokenLast4: token.slice(-4) });
  }
});

test('a token with any character changed, added or removed is malformed', () => {
  const character = fc.constantFrom(...ALPHABET);
  fc.assert(
    fc.property(fc.nat(), character, fc.constantFrom(0, 1), fc.boolean(), (place, other, taken, isAdded) => {
      const { token } = newAdminToken();
      const at = place % token.length;
      const changed = token.slice(0, at) + (isAdded ? other : '') + token.slice(at + taken);
      expect([changed, isWellFormedAdminToken(changed)]).toEqual([changed, changed === token]);
    }),
    { numRuns: 5_000 },
  );
});

test('the same text as a token and as a license key has different hashes', () => {
  const { token } = newAdminToken();
  expect(hashAdminToken(token)).not.toBe(hashLicenseKey(token));
});

test('a name is short, without look-alikes, and makes an actor with one colon', () => {
  for (const name of ['a', '0', 'shop.example-2_b', 'x'.repeat(40)]) expect(name).toMatch(ACTOR_NAME);
  const others = ['', 'Shop', '.a', '-a', '_a', 'a:b', 'a b', 'a\n', 'é', 'а', 'x'.repeat(41)];
  expect(others.filter((name) => ACTOR_NAME.test(name))).toEqual([]);
});
