import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { systemAfter } from '../../../../src/lib/clock.ts';
import type { ClockWork } from '../../../../src/storage/engine/clock-work.ts';
import { type Database, disconnect } from '../../../../src/storage/engine/database.ts';
import { sharedClockWork } from '../../../../src/storage/engine/postgres/clock-work.ts';
import { execute } from '../../../../src/storage/engine/statement.ts';
import { newPostgresDatabase, openPostgres } from '../../../support/postgres.ts';

let dbs: Database[];
let one: ClockWork;
let other: ClockWork;
beforeAll(async () => {
  const address = await newPostgresDatabase();
  dbs = [openPostgres(address), openPostgres(address)];
});
beforeEach(async () => {
  await execute(dbs[0] as Database, 'delete from clock_work');
  [one, other] = dbs.map((db) => sharedClockWork(db, systemAfter)) as [ClockWork, ClockWork];
});
afterAll(async () => void (await Promise.all(dbs.map(disconnect))));

const nothing = async () => {};

test('of several nodes that start together one does the work, and the others learn that it is running', async () => {
  const over = Promise.withResolvers<void>();
  let times = 0;
  const work = () => {
    times += 1;
    return over.promise;
  };
  const both = [one.once('feed', 1_000, work), other.once('feed', 1_000, work)];
  expect(await Promise.race(both)).toBe('held');
  over.resolve();
  expect((await Promise.all(both)).toSorted()).toEqual(['done', 'held']);
  expect(times).toBe(1);
});

test('completed work is not repeated by any node until it is due again', async () => {
  expect(await one.once('retention', 1_000, nothing)).toBe('done');
  expect(await one.once('retention', 1_000, nothing)).toBe('past');
  expect(await other.once('retention', 999, nothing)).toBe('past');
  expect(await other.once('retention', 1_001, nothing)).toBe('done');
  expect(await other.once('feed', 1_000, nothing)).toBe('done');
});

test('failed work is available to the next node that tries', async () => {
  const failing = one.once('feed', 1_000, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await other.once('feed', 1_000, nothing)).toBe('done');
});

test('work of a node that died passes to the others, and its own late result is ignored', async () => {
  const over = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const late = one.once('feed', 1_000, () => {
    begun.resolve();
    return over.promise;
  });
  await begun.promise;
  await execute(dbs[0] as Database, 'update clock_work set held_until = 0');
  const taken = Promise.withResolvers<void>();
  const begunAnew = Promise.withResolvers<void>();
  const second = other.once('feed', 1_000, () => {
    begunAnew.resolve();
    return taken.promise;
  });
  await begunAnew.promise;
  over.resolve();
  await late;
  expect(await one.once('feed', 1_000, nothing)).toBe('held');
  taken.resolve();
  expect(await second).toBe('done');
  expect(await one.once('feed', 1_000, nothing)).toBe('past');
});

test('a clock that ran ahead by more than a day prevents no work', async () => {
  expect(await one.once('feed', 10 * 86_400_000, nothing)).toBe('done');
  expect(await other.once('feed', 1_000, nothing)).toBe('done');
});
