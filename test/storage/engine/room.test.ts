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
/** A later check. */
const isEnough = () => {
  now += 1_000;
  return room.isEnough();
};

test('tenants may write only while the reserve exists and as much again is free', async () => {
  // At the start, before an attempt.
  expect(isEnough()).toBe(true);
  await room.writeReserve();
  expect([laid(), isEnough()]).toEqual([RESERVE, true]);
  free = RESERVE - 1;
  expect(isEnough()).toBe(false);
  free = RESERVE;
  expect(isEnough()).toBe(true);
  truncateSync(reserve(), RESERVE - MIB);
  expect(isEnough()).toBe(false);
});

test('the reserve is created only where space for tenants is left, one process at a time', async () => {
  free = 2 * RESERVE - 1;
  await room.writeReserve();
  expect(laid()).toBeUndefined();
  free = 2 * RESERVE;
  await Promise.all([room.writeReserve(), room.writeReserve()]);
  expect([laid(), isEnough()]).toEqual([RESERVE, true]);
});

test('a directory in place of the reserve is refused at the start, and stays when it comes later', async () => {
  mkdirSync(reserve());
  for (const reserveBytes of [0, RESERVE])
    expect(() => watchRoom({ directory, reserveBytes, monotonic: () => now })).toThrow(
      `cannot write ${reserve()}: it is a directory. Move it away`,
    );
  await room.writeReserve();
  expect([isEnough(), statSync(reserve()).isDirectory()]).toEqual([false, true]);
  rmSync(reserve(), { recursive: true });
  await room.writeReserve();
  expect([laid(), isEnough()]).toEqual([RESERVE, true]);
});

test('without a reserve, only the disk decides, and a file of earlier settings is removed', async () => {
  await room.writeReserve();
  const none = watchRoom({ directory, reserveBytes: 0, monotonic: () => now, freeBytes: () => free });
  await none.writeReserve();
  free = 0;
  expect([laid(), none.isEnough()]).toEqual([undefined, true]);
});

test('nothing is released while there is space', () => {
  writeFileSync(reserve(), Buffer.alloc(RESERVE));
  makeRoom(directory);
  expect(laid()).toBe(RESERVE);
});

test("retention leaves the part of the reserve that an operator's act needs", () => {
  writeFileSync(reserve(), Buffer.alloc(RESERVE));
  const missing = Number.MAX_SAFE_INTEGER / 2;
  makeRoom(directory, missing, MIB);
  expect(laid()).toBe(MIB);
  makeRoom(directory, missing, MIB);
  expect(laid()).toBe(MIB);
  makeRoom(directory, missing);
  expect(laid()).toBe(0);
});
