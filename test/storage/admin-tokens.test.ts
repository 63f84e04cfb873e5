import { afterEach, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type NewAdminToken, readAdminTokens } from '../../src/storage/admin-tokens.ts';
import { connect, type Database } from '../../src/storage/engine/database.ts';
import { type Jobs, prepareJobs } from '../../src/storage/engine/jobs.ts';
import { newDatabase } from '../support/database.ts';
import '../support/properties.ts';

let db: Database;
let jobs: Jobs;
beforeEach(() => {
  db = connect(newDatabase());
  jobs = prepareJobs(db);
});
afterEach(() => db.$client.close());

const tokenOf = (name: string, createdAt: number): NewAdminToken => ({
  ...{
    name,
    createdAt,
    expiresAt: createdAt + 10,
    tokenHash: `hash of ${name} ${createdAt}`,
    tokenLast4: 'last',
  },
  scopes: ['feed:read'],
});

test('a token is found by its hash and its name, and all by the order of their names', async () => {
  for (const name of ['b', 'a.2', 'a-1']) jobs.createAdminToken(tokenOf(name, 1));
  const { findByHash, findByName, all } = readAdminTokens(db);
  const a = { id: 2, ...tokenOf('a.2', 1), usedAt: null, revokedAt: null, tokenHash: undefined };
  expect(await findByHash('hash of a.2 1')).toEqual(a);
  expect(await findByName('a.2')).toEqual(a);
  expect((await all()).map(({ name }) => name)).toEqual(['a-1', 'a.2', 'b']);
  expect([await findByHash('hash of a'), await findByName('A.2')]).toEqual([undefined, undefined]);
});

test('a token that works is not replaced, one that does not gives its name to one with an id and uses of its own', async () => {
  const { findByHash, findByName } = readAdminTokens(db);
  jobs.createAdminToken(tokenOf('shop', 1));
  jobs.noteTokenUses({ uses: [{ id: 1, at: 5 }] });
  expect(() => jobs.createAdminToken(tokenOf('shop', 10))).toThrow();
  expect(await findByName('shop')).toMatchObject({ id: 1, usedAt: 5 });

  jobs.createAdminToken(tokenOf('shop', 11));
  jobs.noteTokenUses({ uses: [{ id: 1, at: 12 }] });
  expect(await findByHash('hash of shop 1')).toBeUndefined();
  expect(await findByHash('hash of shop 11')).toMatchObject({ id: 2, usedAt: null });

  jobs.revokeAdminToken({ name: 'shop', now: 13 });
  jobs.revokeAdminToken({ name: 'shop', now: 14 });
  expect(await findByName('shop')).toMatchObject({ id: 2, revokedAt: 13 });
  jobs.createAdminToken(tokenOf('shop', 15));
  expect(await findByName('shop')).toMatchObject({ id: 3, revokedAt: null });
});

test('the last use is the latest that was noted, in whatever order uses come', async () => {
  jobs.createAdminToken(tokenOf('shop', 1));
  const { findByName } = readAdminTokens(db);
  const batch = fc.array(fc.record({ id: fc.constantFrom(1, 2), at: fc.nat() }), { maxLength: 5 });
  const moments: number[] = [];
  await fc.assert(
    fc.asyncProperty(batch, async (uses) => {
      jobs.noteTokenUses({ uses });
      for (const { id, at } of uses) if (id === 1) moments.push(at);
      const usedAt = moments.length === 0 ? null : Math.max(...moments);
      expect(await findByName('shop')).toMatchObject({ usedAt });
    }),
  );
  expect(moments.length).toBeGreaterThan(0);
});
