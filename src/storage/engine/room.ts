import { randomFillSync } from 'node:crypto';
import { closeSync, lstatSync, rmSync, statfsSync, statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { openPlainFile } from '../../lib/read-file.ts';
import { orUnusable } from './data-directory.ts';

const MIB = 1024 * 1024;
const LOOK_EVERY_MS = 250;
/** Written at a time, so that writing the reserve delays no request. */
const CHUNK_BYTES = MIB;

/** A file in the data directory without content of value, which is freed when the disk is full. */
const reservePath = (directory: string): string => join(directory, 'redoubt.reserve');

/** Bytes that are free on the disk of a directory. */
export const freeBytesOf = (directory: string): number => {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
};

const MB = 1_000_000;

/** Describes the missing room on the disk of a directory, for the operator; undefined when so many bytes are free. */
export function lackOfRoom(directory: string, bytes: number): string | undefined {
  const free = freeBytesOf(directory);
  if (free >= bytes) return undefined;
  return `the disk of ${directory} requires ${Math.ceil(bytes / MB)} MB of free space, but has ${Math.floor(free / MB)} MB`;
}

/** 0 also for a directory, which cannot be freed. */
const sizeOf = (path: string): number => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : 0;
};

/** Free space that an operator's act, a command or a start may need. */
const ACT_BYTES = MIB;

/**
 * Shrinks the reserve until so many bytes are free, so that an operator's act or retention can write. Tenants' writes are
 * refused until the server has written it again. Frees no more than needed: the program that fills the disk may take it.
 *
 * @param keptBytes of the reserve that stay
 */
export function makeRoom(directory: string, bytes = ACT_BYTES, keptBytes = 0): void {
  const path = reservePath(directory);
  const reserve = sizeOf(path);
  const missing = bytes - freeBytesOf(directory);
  if (missing > 0 && reserve > keptBytes) truncateSync(path, Math.max(keptBytes, reserve - missing));
}

export interface RoomOptions {
  readonly directory: string;
  /** Size of the reserve, and also of the room to keep free; 0 = neither. */
  readonly reserveBytes: number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
  /** For tests. */
  readonly freeBytes?: (directory: string) => number;
}

/** The room on the disk of the data directory. */
export interface Room {
  /** Whether tenants may write: the reserve is complete, and as much again is free. Checks four times a second. */
  isEnough(): boolean;
  /** Writes the reserve if it is missing and there is room. */
  writeReserve(): Promise<void>;
  /** Frees the reserve for retention, except the part for operators' acts; see {@link makeRoom}. */
  make(): void;
  /** Frees as much of the reserve as an operator's act needs. */
  makeForOperators(): void;
}

/** For a database on another host's disk. */
export const NO_BOUND: Room = {
  isEnough: () => true,
  writeReserve: async () => {},
  make: () => {},
  makeForOperators: () => {},
};

/**
 * Watches the room on the disk from the start of a server.
 *
 * @throws DataDirectoryUnusable when the reserve's path is not a file, or belongs to another user
 */
export function watchRoom({
  directory,
  reserveBytes,
  monotonic,
  freeBytes = freeBytesOf,
}: RoomOptions): Room {
  const path = reservePath(directory);
  orUnusable(`cannot write ${path}`, () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined) closeSync(openPlainFile(path));
  });
  const isComplete = () => reserveBytes === 0 || sizeOf(path) === reserveBytes;
  let enough = true;
  let lookAgainAt = -Infinity;
  let hasTried = false;
  let writing: Promise<void> | undefined;

  const write = async () => {
    if (reserveBytes === 0) rmSync(path, { force: true });
    if (isComplete() || freeBytes(directory) < 2 * reserveBytes) return;
    try {
      await fill(path, reserveBytes);
    } catch {
      // The disk has filled up in the meantime: frees the partial reserve and tries again later.
      if (sizeOf(path) > 0) truncateSync(path);
    }
    lookAgainAt = -Infinity;
  };

  return {
    isEnough() {
      const now = monotonic();
      if (now >= lookAgainAt) {
        lookAgainAt = now + LOOK_EVERY_MS;
        // Until the first attempt ends, and while the reserve is being written, requests do not wait for it.
        const isExpected = !hasTried || writing !== undefined;
        enough = freeBytes(directory) >= reserveBytes && (isExpected || isComplete());
      }
      return enough;
    },
    writeReserve() {
      writing ??= write().finally(() => {
        writing = undefined;
        hasTried = true;
      });
      return writing;
    },
    make: () => makeRoom(directory, reserveBytes, ACT_BYTES),
    makeForOperators: () => makeRoom(directory),
  };
}

/** Random bytes, which a file system cannot compress away. */
async function fill(path: string, bytes: number): Promise<void> {
  const chunk = randomFillSync(new Uint8Array(CHUNK_BYTES));
  const file = await open(path, 'w', 0o600);
  try {
    for (let written = 0; written < bytes; written += CHUNK_BYTES) {
      await file.write(chunk.subarray(0, Math.min(CHUNK_BYTES, bytes - written)));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
