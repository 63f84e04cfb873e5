import { beforeEach, expect, test } from 'bun:test';
import { mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRoom, type Room, watchRoom } from '../../../src/storage/engine/room.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const MIB = 1024 * 1024;
const RESERVE = 3 * MIB;

let directory: string;
let free: number;
let now: number;
let room: Room;
beforeEach(() => {
  directory = temporaryDirectory();
  [free, now] = [10 * MIB, 0];
  room = watchRoom({ directory, reserveBytes: RESERVE, monotonic: () => now, freeBytes: () => free });
});
const reserve = () => join(directory, 'redoubt.reserve');
const laid = () => statSync(reserve(), { throwIfNoEntry: false })?.size;
/** A later look. */
const isEnough = () => {
  now += 1_000;
  return room.isEnough();
};

test('tenants may write only while the reserve is laid and as much again is free', async () => {
  // At the start, before it was tried.
  expect(isEnough()).toBe(true);
  await room.layReserve();
  expect([laid(), isEnough()]).toEqual([RESERVE, true]);
  free = RESERVE - 1;
  expect(isEnough()).toBe(false);
  free = RESERVE;
  expect(isEnough()).toBe(true);
  truncateSync(reserve(), RESERVE - MIB);
  expect(isEnough()).toBe(false);
});

test('the reserve is laid only where room for tenants is left beside it, and by one at a time', async () => {
  free = 2 * RESERVE - 1;
  await room.layReserve();
  expect(laid()).toBeUndefined();
  free = 2 * RESERVE;
  await Promise.all([room.layReserve(), room.layReserve()]);
  expect([laid(), isEnough()]).toEqual([RESERVE, true]);
});

test('a directory in place of the reserve is refused at the start, and survives one that comes later', async () => {
  mkdirSync(reserve());
  for (const reserveBytes of [0, RESERVE])
    expect(() => watchRoom({ directory, reserveBytes, monotonic: () => now })).toThrow(
      `cannot write ${reserve()}: it is a directory. Move it away`,
    );
  await room.layReserve();
  expect([isEnough(), statSync(reserve()).isDirectory()]).toEqual([false, true]);
  rmSync(reserve(), { recursive: true });
  await room.layReserve();
  expect([laid(), isEnough()]).toEqual([RESERVE, true]);
});

test('without a reserve, the disk alone decides, and a file of before goes', async () => {
  await room.layReserve();
  const none = watchRoom({ directory, reserveBytes: 0, monotonic: () => now, freeBytes: () => free });
  await none.layReserve();
  free = 0;
  expect([laid(), none.isEnough()]).toEqual([undefined, true]);
});

test('nothing is given back while there is room', () => {
  writeFileSync(reserve(), Buffer.alloc(RESERVE));
  makeRoom(directory);
  expect(laid()).toBe(RESERVE);
});

test('retention leaves the part of the reserve that an act of an operator needs', () => {
  writeFileSync(reserve(), Buffer.alloc(RESERVE));
  const missing = Number.MAX_SAFE_INTEGER / 2;
  makeRoom(directory, missing, MIB);
  expect(laid()).toBe(MIB);
  makeRoom(directory, missing, MIB);
  expect(laid()).toBe(MIB);
  makeRoom(directory, missing);
  expect(laid()).toBe(0);
});
