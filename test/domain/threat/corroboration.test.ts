import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  LICENSE_STATES,
  type LicenseFacts,
  licenseState,
  type Terms,
} from '../../../src/domain/license/license.ts';
import { Customers, mayVouch, type Ownership, ownerMarks } from '../../../src/domain/threat/corroboration.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/clock.ts';

const NOW = Date.UTC(2026, 10, 22);
const NOBODYS: Ownership = { customer: null, email: null, payers: [] };
const payer = (customerId: string | null, emailHash: string | null = null) => ({ customerId, emailHash });
const marksOf = (ownership: Partial<Ownership>) =>
  ownerMarks({ ...NOBODYS, ...ownership }, (email) => `hash of ${email}`);

/** Sets of licenses, each with its marks: sets with a common mark are merged, one after another. */
function merged(marks: readonly (readonly string[])[]): Set<number>[] {
  let sets: { licenses: Set<number>; marks: Set<string> }[] = [];
  for (const [license, own] of marks.entries()) {
    const met = sets.filter((set) => own.some((mark) => set.marks.has(mark)));
    sets = sets.filter((set) => !met.includes(set));
    sets.push({
      licenses: new Set([license, ...met.flatMap((set) => [...set.licenses])]),
      marks: new Set([...own, ...met.flatMap((set) => [...set.marks])]),
    });
  }
  return sets.map(({ licenses }) => licenses);
}

test('licenses are one customer exactly when marks connect them, directly or through others', () => {
  const license = fc.array(fc.constantFrom(...'abcdefghij'), { maxLength: 3 });
  fc.assert(
    fc.property(fc.array(license, { maxLength: 14 }), (marks) => {
      const customers = new Customers();
      for (const [id, own] of marks.entries()) customers.add(id, own);
      const sets = merged(marks);
      const setOf = (id: number) => sets.find((set) => set.has(id));
      for (const one of marks.keys())
        for (const other of marks.keys())
          expect(customers.of(one) === customers.of(other)).toBe(setOf(one) === setOf(other));
    }),
  );
});

test('a chain of a hundred thousand licenses is one customer, without delay', () => {
  const customers = new Customers();
  for (let id = 0; id < 100_000; id++) customers.add(id, [`m${id}`, `m${id + 1}`]);
  expect(new Set(Array.from({ length: 100_000 }, (_, id) => customers.of(id))).size).toBe(1);
});

test('one owner has the same mark in any spelling, and different ones have different marks', () => {
  const common = (one: Partial<Ownership>, other: Partial<Ownership>) =>
    !new Set(marksOf(one)).isDisjointFrom(new Set(marksOf(other)));
  expect(common({ customer: 'Example  Ltd' }, { customer: 'EXAMPLE Ltd' })).toBe(true);
  expect(common({ email: 'Owner+shop@Example.com' }, { email: 'owner@example.com' })).toBe(true);
  expect(common({ email: 'owner@example.com' }, { payers: [payer(null, 'hash of owner@example.com')] })).toBe(
    true,
  );
  expect(common({ payers: [payer('cus_1'), payer('cus_2')] }, { payers: [payer('cus_2')] })).toBe(true);
  expect(common({ payers: [payer('cus_1', 'a')] }, { payers: [payer('cus_2', 'a')] })).toBe(true);
  expect(common({ payers: [payer('cus_1', 'a')] }, { payers: [payer('cus_2', 'b')] })).toBe(false);
  expect(common({ customer: 'cus_1' }, { payers: [payer('cus_1')] })).toBe(false);
  expect(common({ customer: 'owner@example.com' }, { email: 'owner@example.com' })).toBe(false);
  expect(common({}, {})).toBe(false);
});

const TERMS: Terms = { kind: 'paid', plan: 'pro', sitesOverride: null, modulesAllowed: [], expiresAt: null };
const LICENSE: LicenseFacts = {
  ...TERMS,
  environment: 'live',
  granted: null,
  dailyEventsOverride: null,
  dailyBytesOverride: null,
  modulesDenied: [],
  holds: [],
  paymentHolds: [],
  paymentHoldFrom: null,
  revokedAt: null,
  pendingUntil: null,
};

test('of all states of all licenses, only a live, paid, active one counts', () => {
  const ends = {
    kind: fc.constantFrom('paid' as const, 'trial' as const),
    expiresAt: fc.constantFrom(null, NOW, NOW + 1),
  };
  const facts = fc.record({
    ...ends,
    granted: fc.option(fc.record(ends).map((granted) => ({ ...TERMS, ...granted }))),
    environment: fc.constantFrom('live' as const, 'test' as const),
    holds: fc.subarray(['operator' as const]),
    paymentHolds: fc.subarray(['payment' as const]),
    paymentHoldFrom: fc.constantFrom(null, NOW, NOW + 1),
    revokedAt: fc.constantFrom(null, NOW),
    pendingUntil: fc.constantFrom(null, NOW),
  });
  const met = new Set<string>();
  fc.assert(
    fc.property(facts, (each) => {
      const license = { ...LICENSE, ...each };
      const state = licenseState(license, NOW);
      met.add(state);
      const expected = license.environment === 'live' && state === 'active';
      expect(mayVouch(license, undefined, { minAgeHours: 0 }, NOW)).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
  expect([...met].sort()).toEqual([...LICENSE_STATES].sort());
});

test('a license counts from its minimum age on, while it reports; with an age of 0 always', () => {
  const vouches = (minAgeHours: number, firstSeenMs?: number, lastSeenMs = 0) => {
    const contact =
      firstSeenMs === undefined
        ? undefined
        : { firstSeenAt: NOW - firstSeenMs, lastSeenAt: NOW - lastSeenMs };
    return mayVouch(LICENSE, contact, { minAgeHours }, NOW);
  };
  expect([vouches(24), vouches(24, 24 * HOUR_MS - 1), vouches(24, 24 * HOUR_MS)]).toEqual([
    false,
    false,
    true,
  ]);
  expect([vouches(24, 9 * DAY_MS, DAY_MS - 1), vouches(24, 9 * DAY_MS, DAY_MS)]).toEqual([true, false]);
  expect([vouches(0), vouches(0, 0), vouches(0, 9 * DAY_MS, 9 * DAY_MS)]).toEqual([true, true, true]);
});
