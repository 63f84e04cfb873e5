import { afterEach, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import type { Jobs } from '../../../src/storage/engine/jobs/jobs.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { type NewAdminToken, readAdminTokens } from '../../../src/storage/operators/admin-tokens.ts';
import { engineOf } from '../../support/engines.ts';
import '../../support/properties.ts';

const engine = engineOf(import.meta);

let db: Database;
let jobs: Jobs;
beforeEach(async () => {
  db = await engine.open();
  jobs = prepareJobs(db);
});
afterEach(() => disconnect(db));

const tokenOf = (name: string, createdAt: number): NewAdminToken => ({
  name,
  createdAt,
  expiresAt: createdAt + 10,
  tokenHash: `hash of ${name} ${createdAt}`,
  tokenLast4: 'last',
  scopes: ['feed:read'],
});

test('a token is found by its hash and its name, and all are listed by name', async () => {
  for (const name of ['b', 'a.2', 'a-1']) await jobs.createAdminToken(tokenOf(name, 1));
  const { findByHash, findByName, all } = readAdminTokens(db);
  const a = { id: 2, ...tokenOf('a.2', 1), usedAt: null, revokedAt: null, tokenHash: undefined };
  expect(await findByHash('hash of a.2 1')).toEqual(a);
  expect(await findByName('a.2')).toEqual(a);
  expect((await all()).map(({ name }) => name)).toEqual(['a-1', 'a.2', 'b']);
  expect([await findByHash('hash of a'), await findByName('A.2')]).toEqual([undefined, undefined]);
});

test('an active token is not replaced, and an inactive one gives its name to a new id', async () => {
  const { findByHash, findByName } = readAdminTokens(db);
  await jobs.createAdminToken(tokenOf('shop', 1));
  await jobs.noteTokenUses({ uses: [{ id: 1, at: 5 }] });
  await expect(jobs.createAdminToken(tokenOf('shop', 10))).rejects.toThrow();
  expect(await findByName('shop')).toMatchObject({ id: 1, usedAt: 5 });

  await jobs.createAdminToken(tokenOf('shop', 11));
  await jobs.noteTokenUses({ uses: [{ id: 1, at: 12 }] });
  expect(await findByHash('hash of shop 1')).toBeUndefined();
  const { id, ...second } = (await findByHash('hash of shop 11')) ?? expect.unreachable();
  expect([id > 1, second.usedAt]).toEqual([true, null]);

  await jobs.revokeAdminToken({ name: 'shop', now: 13 });
  await jobs.revokeAdminToken({ name: 'shop', now: 14 });
  expect(await findByName('shop')).toMatchObject({ id, revokedAt: 13 });
  await jobs.createAdminToken(tokenOf('shop', 15));
  const third = (await findByName('shop')) ?? expect.unreachable();
  expect([third.id > id, third.revokedAt]).toEqual([true, null]);
});

test('the last use is the latest recorded one, in any order of arrival', async () => {
  await jobs.createAdminToken(tokenOf('shop', 1));
  const { findByName } = readAdminTokens(db);
  const batch = fc.array(fc.record({ id: fc.constantFrom(1, 2), at: fc.nat() }), { maxLength: 5 });
  const moments: number[] = [];
  await fc.assert(
    fc.asyncProperty(batch, async (uses) => {
      await jobs.noteTokenUses({ uses });
      for (const { id, at } of uses) if (id === 1) moments.push(at);
      const usedAt = moments.length === 0 ? null : Math.max(...moments);
      expect(await findByName('shop')).toMatchObject({ usedAt });
    }),
  );
  expect(moments.length).toBeGreaterThan(0);
});
