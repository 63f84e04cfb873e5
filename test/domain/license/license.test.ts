import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { defaultCatalog, PLANS, type Plan } from '../../../src/domain/license/catalog.ts';
import {
  HOLDS,
  type License,
  type LicenseFacts,
  type LicenseState,
  licenseStanding,
  licenseState,
  rememberStanding,
} from '../../../src/domain/license/license.ts';
import {
  generateLicenseKey,
  hashLicenseKey,
  isWellFormedKey,
} from '../../../src/domain/license/license-key.ts';
import { parseLicenseName } from '../../../src/domain/license/license-name.ts';

/** As often none as one, so that every state is frequent. */
const moment = fc.option(fc.integer({ min: 0, max: 100 }), { freq: 1 });
const fewOf = <Value>(all: Value[]) => fc.oneof(fc.constant([]), fc.subarray(all));
const terms = {
  kind: fc.constantFrom('paid', 'trial'),
  plan: fc.constantFrom(...PLANS),
  sitesOverride: fc.option(fc.integer({ min: 0, max: 50 })),
  modulesAllowed: fc.subarray(['extra_one', 'extra_two']),
  expiresAt: moment,
};
const license: fc.Arbitrary<License> = fc.record({
  ...terms,
  id: fc.integer({ min: 1 }),
  environment: fc.constantFrom('live', 'test'),
  dailyEventsOverride: fc.constant(null),
  dailyBytesOverride: fc.constant(null),
  granted: fc.option(fc.record(terms)),
  modulesDenied: fc.subarray(['firewall', 'extra_one', 'telemetry']),
  holds: fewOf([...HOLDS]),
  paymentHolds: fewOf(['payment', 'dispute']),
  paymentHoldFrom: moment,
  revokedAt: moment,
  pendingUntil: moment,
  domains: fc.constant([]),
  blockedDomains: fc.constant([]),
});

describe('the state of a license', () => {
  test('follows revoked > suspended > expired > pending > trial > active for every combination of facts', () => {
    fc.assert(
      fc.property(license, fc.integer({ min: 0, max: 100 }), (held, now) => {
        const facts = { ...held, granted: null };
        const applying = [
          facts.revokedAt !== null && 'revoked',
          facts.holds.length > 0 && 'suspended',
          facts.paymentHolds.length > 0 && 'suspended',
          facts.paymentHoldFrom !== null && facts.paymentHoldFrom <= now && 'suspended',
          facts.expiresAt !== null && facts.expiresAt <= now && 'expired',
          facts.pendingUntil !== null && 'pending',
          facts.kind === 'trial' && 'trial',
          'active',
        ].filter((state) => state !== false);
        expect<string | undefined>(licenseState(facts, now)).toBe(applying[0] as string);
      }),
    );
  });

  test("is no lower than the operator's grant, with any data of the payment processor", () => {
    const states = ['revoked', 'expired', 'suspended', 'pending', 'trial', 'active'];
    const rank = (state: LicenseState) => states.indexOf(state);
    fc.assert(
      fc.property(license, fc.integer({ min: 0, max: 100 }), (facts, now) => {
        const unpaid = { paymentHolds: [], paymentHoldFrom: null };
        const alone = { ...facts, ...facts.granted, ...unpaid, granted: null };
        const paid = { ...facts, granted: null };
        const of = (each: LicenseFacts) => licenseStanding(each, defaultCatalog, now);
        const [both, one, other] = [of(facts), of(alone), of(paid)];
        if (facts.granted === null) {
          expect(both).toEqual(other);
          return;
        }
        expect(rank(both.state)).toBe(Math.max(rank(one.state), rank(other.state)));
        if (!both.valid) return;
        const valid = [one, other].filter((each) => each.valid);
        expect(both.plan).toBe(PLANS.findLast((plan) => valid.some((each) => each.plan === plan)) as Plan);
        expect(both.sitesAllowed).toBe(Math.max(...valid.map((each) => each.sitesAllowed)));
        expect(both.modules.toSorted()).toEqual([...new Set(valid.flatMap((each) => each.modules))].sort());
        expect(both.expiresAt).toBe(
          valid.some((each) => each.expiresAt === null)
            ? null
            : Math.max(...valid.map((each) => Number(each.expiresAt))),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test('gives free rights to any invalid license, and never a denied module', () => {
    fc.assert(
      fc.property(license, fc.integer({ min: 0, max: 100 }), (facts, now) => {
        const standing = licenseStanding(facts, defaultCatalog, now);
        expect(standing.valid).toBe(['active', 'trial'].includes(standing.state));
        if (!standing.valid) {
          expect([standing.plan, standing.sitesAllowed]).toEqual(['free', defaultCatalog.free.sitesAllowed]);
          for (const module of standing.modules) expect(defaultCatalog.free.modules).toContain(module);
        }
        for (const module of facts.modulesDenied) expect(standing.modules).not.toContain(module);
        expect(rememberStanding(facts, defaultCatalog)(now)).toEqual(standing);
      }),
    );
  });

  test('is cached only while time does not change it', () => {
    const [facts] = fc.sample(license, 1) as [License];
    const never = {
      holds: [],
      paymentHolds: [],
      revokedAt: null,
      pendingUntil: null,
      expiresAt: null,
      paymentHoldFrom: null,
      granted: null,
    };
    const states = (change: Partial<License>) => {
      const standing = rememberStanding({ ...facts, kind: 'paid', ...never, ...change }, defaultCatalog);
      return [49, 50, 49].map((now) => standing(now).state);
    };
    expect(states({ expiresAt: 50 })).toEqual(['active', 'expired', 'active']);
    expect(states({ paymentHoldFrom: 50 })).toEqual(['active', 'suspended', 'active']);
    expect(states({ expiresAt: 0, granted: { ...facts, kind: 'trial', expiresAt: 50 } })).toEqual([
      'trial',
      'expired',
      'trial',
    ]);
  });

  test('is the same cached as derived, for any sequence of moments', () => {
    const moments = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 10 });
    fc.assert(
      fc.property(license, moments, (facts, asked) => {
        const standing = rememberStanding(facts, defaultCatalog);
        for (const now of asked) expect(standing(now)).toEqual(licenseStanding(facts, defaultCatalog, now));
      }),
    );
  });

  test('a name is read with and without its prefix', () => {
    expect(['lic_7', '7', 'lic_07', 'x', '0', ''].map(parseLicenseName)).toEqual([
      7,
      7,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a license key', () => {
  test('has the specified form, and its checksum refuses any change of one character', () => {
    for (let again = 0; again < 50; again++) {
      const key = generateLicenseKey(again % 2 ? 'live' : 'test');
      expect(key).toMatch(/^rdt_(live|test)_[0-9A-Za-z]{39}$/);
      expect(isWellFormedKey(key)).toBe(true);
      for (let at = 9; at < key.length; at++) {
        const other = key[at] === 'A' ? 'B' : 'A';
        expect(isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
      }
    }
  });

  test('is stored only as a hash that differs from a plain one', () => {
    const key = generateLicenseKey('live');
    expect(hashLicenseKey(key)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(hashLicenseKey(key)).not.toBe(new Bun.CryptoHasher('sha256').update(key).digest('base64url'));
  });
});
