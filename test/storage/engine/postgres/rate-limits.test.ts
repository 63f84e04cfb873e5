import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Database, disconnect } from '../../../../src/storage/engine/database.ts';
import {
  forgetFullBuckets,
  postgresRateLimits,
} from '../../../../src/storage/engine/postgres/rate-limits.ts';
import { execute, prepare } from '../../../../src/storage/engine/statement.ts';
import { newLicense, testLimitKeeper } from '../../../support/limit-keeper.ts';
import { newPostgresDatabase, openPostgres } from '../../../support/postgres.ts';

/** The given number of connections, each of one node. */
let nodes: Database[];
beforeAll(async () => {
  const address = await newPostgresDatabase();
  nodes = [openPostgres(address), openPostgres(address), openPostgres(address)];
});
afterAll(async () => void (await Promise.all(nodes.map(disconnect))));

testLimitKeeper({
  nodes: () => nodes.map((db) => postgresRateLimits(db)),
  shift: async (licenseId, ms) =>
    execute(
      nodes[0] as Database,
      `update rate_limits set full_at = full_at + ${ms * 1_000} where license_id = ${licenseId}`,
    ),
  runs: 60,
});

test('only full buckets are deleted', async () => {
  const db = nodes[0] as Database;
  const [full, spent] = [newLicense(), newLicense()];
  await postgresRateLimits(db)(
    [full, spent].map((licenseId) => ({ bucket: 'key', capacity: 5, licenseId, units: 1, count: 5 })),
  );
  await execute(db, `update rate_limits set full_at = 1 where license_id = ${full}`);
  await forgetFullBuckets(db);
  const left = await prepare<{ id: number }>(
    db,
    `select license_id as id from rate_limits where license_id in (${full}, ${spent})`,
  ).all();
  expect(left).toEqual([{ id: spent }]);
});

test('counting writes nothing to the log and needs no flush', async () => {
  const [{ kind } = { kind: '' }] = await prepare<{ kind: string }>(
    nodes[0] as Database,
    "select relpersistence as kind from pg_class where relname = 'rate_limits'",
  ).all();
  expect(kind).toBe('u');
});
