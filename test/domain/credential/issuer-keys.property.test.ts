import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  activeKey,
  type IssuerKeyFacts,
  issuerKeyState,
  publishedKeys,
} from '../../../src/domain/credential/issuer-keys.ts';

const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;

const moment = fc.integer({ min: 80, max: 120 }).map((day) => day * DAY_MS);
const keys = fc.uniqueArray(
  fc.record<IssuerKeyFacts>({
    kid: fc.string({ minLength: 1, maxLength: 3 }),
    activeFrom: moment,
    revokedAt: fc.option(moment, { freq: 3 }),
    lastExpiresAt: fc.option(moment),
  }),
  { selector: ({ kid }) => kid, maxLength: 6 },
);
const statesOf = (all: readonly IssuerKeyFacts[], at = NOW) =>
  Object.fromEntries(all.map((key) => [key.kid, issuerKeyState(key, all, at)]));

test('facts in any order give the same states, and at most one signing key', () => {
  fc.assert(
    fc.property(
      keys.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        const states = statesOf(all);
        expect(statesOf(shuffled)).toEqual(states);
        expect(publishedKeys(shuffled, NOW)).toEqual(publishedKeys(all, NOW));
        const active = all.filter(({ kid }) => states[kid] === 'active');
        const canSign = all.some((key) => key.revokedAt === null && key.activeFrom <= NOW);
        expect(active).toEqual(canSign ? [activeKey(all, NOW) as IssuerKeyFacts] : []);
      },
    ),
  );
});

test('a key is published while it signs, will sign, or has valid signatures, and never when revoked', () => {
  fc.assert(
    fc.property(keys, (all) => {
      const published = new Set(publishedKeys(all, NOW).map(({ kid }) => kid));
      for (const { kid, activeFrom, revokedAt, lastExpiresAt } of all) {
        if (revokedAt !== null) expect(published.has(kid)).toBe(false);
        else if (activeFrom > NOW || (lastExpiresAt ?? 0) > NOW) expect(published.has(kid)).toBe(true);
      }
    }),
  );
});

test('once a key has begun to sign, time leads from active to retired to gone, and never back', () => {
  const ORDER = ['next', 'active', 'retired', 'gone'];
  fc.assert(
    fc.property(keys, (all) => {
      for (const key of all.filter(({ revokedAt }) => revokedAt === null)) {
        const ranks = Array.from({ length: 60 }, (_, day) =>
          ORDER.indexOf(issuerKeyState(key, all, (75 + day) * DAY_MS)),
        );
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }
    }),
  );
});

test('a key is published until its last status list expires, also when it has signed no credential', () => {
  const facts = { revokedAt: null, lastExpiresAt: null };
  const old = { kid: 'a', activeFrom: 0, ...facts };
  const all = [old, { kid: 'b', activeFrom: NOW, ...facts }];
  expect(
    [NOW - 1, NOW, NOW + 7 * DAY_MS - 1, NOW + 7 * DAY_MS].map((at) => issuerKeyState(old, all, at)),
  ).toEqual(['active', 'retired', 'retired', 'gone']);
});

test('a key that was revoked before it signed replaced no other', () => {
  const facts = { revokedAt: null, lastExpiresAt: null };
  const old = { kid: 'a', activeFrom: 0, ...facts };
  const never = { kid: 'b', activeFrom: 10, ...facts, revokedAt: 9 };
  const once = { ...never, revokedAt: 11 };
  const last = { kid: 'c', activeFrom: NOW, ...facts };
  const stateWith = (other: IssuerKeyFacts) => issuerKeyState(old, [old, other, last], NOW);
  expect([stateWith(never), stateWith(once)]).toEqual(['retired', 'gone']);
});

test('when the signing key is revoked, its predecessor signs again', () => {
  const facts = { revokedAt: null, lastExpiresAt: null };
  const all = [
    { kid: 'a', activeFrom: 1, ...facts },
    { kid: 'b', activeFrom: 2, ...facts, revokedAt: NOW },
  ];
  expect(statesOf(all)).toEqual({ a: 'active', b: 'revoked' });
});
