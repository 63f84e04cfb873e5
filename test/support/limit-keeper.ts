import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AskForGrants, GroupedGrant } from '../../src/lib/shared-draws.ts';

/** A store of the limits of all nodes, as a test sees it. */
export interface LimitKeeper {
  /** The request of each of several nodes. */
  nodes(): readonly AskForGrants[];
  /** Moves the moment when a license's bucket `key` is full: later, or earlier if negative. */
  shift(licenseId: number, ms: number): Promise<void>;
  /** The number of buckets that a property tests. */
  readonly runs: number;
}

let lastLicense = 0;
/** A license without earlier draws. */
export const newLicense = (): number => ++lastLicense;

export const grantedIn = (grants: readonly GroupedGrant[]): number =>
  grants.reduce((sum, grant) => sum + grant.granted, 0);

/** Guarantees for every store of limits. */
export function testLimitKeeper({ nodes, shift, runs }: LimitKeeper): void {
  const ask: AskForGrants = async (draws) => (await nodes()[0]?.(draws)) ?? [];
  const askOne = async (licenseId: number, capacity: number, count: number) =>
    (await ask([{ bucket: 'key', capacity, licenseId, units: 1, count }]))[0];

  test('concurrent draws of nodes get exactly the tokens of a full bucket', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
        async (capacity, counts) => {
          const wanted = { bucket: 'key', capacity, units: 1, licenseId: newLicense() };
          const asks = nodes();
          const begun = performance.now();
          const drawn = await Promise.all(
            counts.map((count, index) => asks[index % asks.length]?.([{ ...wanted, count }]) ?? []),
          );
          const regained = ((performance.now() - begun) * capacity) / 60_000;
          const total = counts.reduce((sum, count) => sum + count, 0);
          expect(grantedIn(drawn.flat())).toBeWithin(
            Math.min(total, capacity),
            Math.min(total, capacity + regained) + 1,
          );
        },
      ),
      { numRuns: runs },
    ));

  test('a bucket returns the time until it is full, and has a token when it has regained one', async () => {
    const licenseId = newLicense();
    const first = await askOne(licenseId, 600, 600);
    expect(first?.granted).toBe(600);
    expect(first?.fullInMs).toBeWithin(59_000, 60_001);
    expect((await askOne(licenseId, 600, 600))?.granted).toBeLessThan(10);
    await shift(licenseId, -30_000);
    expect((await askOne(licenseId, 600, 600))?.granted).toBeWithin(300, 310);
  });

  test('a clock set back by an hour delays no request for more than a minute', async () => {
    const licenseId = newLicense();
    await askOne(licenseId, 600, 1);
    await shift(licenseId, 3_600_000);
    const refused = await askOne(licenseId, 600, 1);
    expect(refused?.granted).toBe(0);
    expect(refused?.fullInMs).toBeWithin(59_000, 60_001);
  });

  test('buckets of several licenses and kinds are drawn from together, each independently', async () => {
    const [one, other] = [newLicense(), newLicense()];
    const units = 1;
    const draws = [
      { bucket: 'page', capacity: 5, licenseId: other, units, count: 9 },
      { bucket: 'key', capacity: 3, licenseId: one, units, count: 2 },
      { bucket: 'key', capacity: 7, licenseId: other, units, count: 9 },
    ];
    expect((await ask(draws)).map(({ granted }) => granted)).toEqual([5, 2, 7]);
    expect((await ask(draws)).map(({ granted }) => granted)).toEqual([0, 1, 0]);
  });

  test('a draw of several tokens takes all of them or none, from a new or known bucket', async () => {
    const [licenseId, other] = [newLicense(), newLicense()];
    const wanted = { bucket: 'key', capacity: 20, licenseId };
    const [many, one] = [
      { ...wanted, units: 8, count: 3 },
      { ...wanted, units: 1, count: 1 },
    ];
    const granted = async (...draws: Parameters<AskForGrants>[0]) =>
      (await ask(draws)).map((grant) => grant.granted);
    expect(await granted(many)).toEqual([2]);
    const [left] = await ask([{ ...many, count: 1 }]);
    expect(left?.granted).toBe(0);
    expect(left?.fullInMs).toBeWithin(46_000, 48_001);
    expect(await granted({ ...many, licenseId: other }, one)).toEqual([2, 1]);
    expect(await granted({ ...one, count: 9 }, many)).toEqual([3, 0]);
    expect(await granted({ ...many, units: 20, licenseId: newLicense() })).toEqual([1]);
  });
}
