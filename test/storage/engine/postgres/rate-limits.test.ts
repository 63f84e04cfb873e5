import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Database, disconnect } from '../../../../src/storage/engine/database.ts';
import {
  forgetFullBuckets,
  postgresRateLimits,
} from '../../../../src/storage/engine/postgres/rate-limits.ts';
import { execute, prepare } from '../../../../src/storage/engine/statement.ts';
import { newPostgresDatabase, openPostgres } from '../../../support/postgres.ts';

/** As many connections, each a node's. */
let nodes: Database[];
beforeAll(async () => {
  const address = await newPostgresDatabase();
  nodes = [openPostgres(address), openPostgres(address), openPostgres(address)];
});
afterAll(async () => void (await Promise.all(nodes.map(disconnect))));

let licenseId = 0;
const asks = () => nodes.map((db) => postgresRateLimits(db));
const granted = (grants: readonly { granted: number }[]) =>
  grants.reduce((sum, grant) => sum + grant.granted, 0);

test('however nodes draw at once, a full bucket gives what it holds, and no more', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
      async (capacity, counts) => {
        licenseId += 1;
        const wanted = { bucket: 'key', capacity, licenseId };
        const begun = performance.now();
        const drawn = await Promise.all(
          counts.map((count, index) => asks()[index % nodes.length]?.([{ ...wanted, count }]) ?? []),
        );
        const regained = ((performance.now() - begun) * capacity) / 60_000;
        const total = counts.reduce((sum, count) => sum + count, 0);
        expect(granted(drawn.flat())).toBeWithin(
          Math.min(total, capacity),
          Math.min(total, capacity + regained) + 1,
        );
      },
    ),
    { numRuns: 60 },
  ));

test('a bucket tells how long it takes until it is full, and gives a token when it has regained one', async () => {
  const [ask] = asks();
  licenseId += 1;
  const one = { bucket: 'key', capacity: 600, licenseId, count: 1 };
  const [first] = (await ask?.([{ ...one, count: 600 }])) ?? [];
  expect(first?.granted).toBe(600);
  expect(first?.fullInMs).toBeWithin(59_000, 60_001);
  const [refused] = (await ask?.([{ ...one, count: 600 }])) ?? [];
  expect(refused?.granted).toBeLessThan(10);
  await execute(
    nodes[0] as Database,
    `update rate_limits set full_at = full_at - 30000000 where license_id = ${licenseId}`,
  );
  const [half] = (await ask?.([{ ...one, count: 600 }])) ?? [];
  expect(half?.granted).toBeWithin(300, 310);
});

test('a clock that was set back by an hour keeps nobody waiting for more than a minute', async () => {
  const [ask] = asks();
  licenseId += 1;
  const one = { bucket: 'key', capacity: 600, licenseId, count: 1 };
  await ask?.([one]);
  await execute(
    nodes[0] as Database,
    `update rate_limits set full_at = full_at + 3600000000 where license_id = ${licenseId}`,
  );
  const [refused] = (await ask?.([one])) ?? [];
  expect(refused?.granted).toBe(0);
  expect(refused?.fullInMs).toBeLessThanOrEqual(60_000);
});

test('buckets of several licenses and kinds are drawn from together, each for itself', async () => {
  const [ask] = asks();
  const [one, other] = [++licenseId, ++licenseId];
  const draws = [
    { bucket: 'page', capacity: 5, licenseId: other, count: 9 },
    { bucket: 'key', capacity: 3, licenseId: one, count: 2 },
    { bucket: 'key', capacity: 7, licenseId: other, count: 9 },
  ];
  expect((await ask?.(draws))?.map((grant) => grant.granted)).toEqual([5, 2, 7]);
  expect((await ask?.(draws))?.map((grant) => grant.granted)).toEqual([0, 1, 0]);
});

test('buckets that are full again are forgotten, and no others', async () => {
  const db = nodes[0] as Database;
  const [full, spent] = [++licenseId, ++licenseId];
  const [ask] = asks();
  await ask?.([full, spent].map((id) => ({ bucket: 'key', capacity: 5, licenseId: id, count: 5 })));
  await execute(db, `update rate_limits set full_at = 1 where license_id = ${full}`);
  await forgetFullBuckets(db);
  const left = await prepare<{ id: number }>(
    db,
    `select license_id as id from rate_limits where license_id in (${full}, ${spent})`,
  ).all();
  expect(left).toEqual([{ id: spent }]);
});

test('nothing of it is written to the log, so that counting costs no flush', async () => {
  const [{ kind } = { kind: '' }] = await prepare<{ kind: string }>(
    nodes[0] as Database,
    "select relpersistence as kind from pg_class where relname = 'rate_limits'",
  ).all();
  expect(kind).toBe('u');
});
