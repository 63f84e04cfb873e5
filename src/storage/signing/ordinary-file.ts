import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { Fault } from '../../lib/fault.ts';
import { wordsFor } from '../engine/trouble.ts';

/**
 * Opens a regular file for reading. Rejects links: the creator of a link chooses what is read.
 *
 * @returns its descriptor
 * @throws Fault
 */
export function openOrdinaryFile(path: string): number {
  // Opening a pipe without a writer would block.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    const fd = openSync(path, flags);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Fault('no such file. Check its name');
    if (code !== 'ELOOP') throw new Fault(`cannot read it: ${wordsFor(error)}`);
  }
  throw new Fault('it is not a regular file. Name the file itself, not a link or a directory');
}

/**
 * Reads the beginning of a regular file, to detect its type.
 *
 * @returns `bytes` bytes, padded with zeros
 * @throws Fault
 */
export function beginningOf(path: string, bytes: number): Uint8Array {
  const fd = openOrdinaryFile(path);
  try {
    const beginning = new Uint8Array(bytes);
    readSync(fd, beginning, 0, bytes, 0);
    return beginning;
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads a regular file as UTF-8.
 *
 * @param bytesMax larger ones are refused unread
 * @throws Fault
 */
export function readOrdinaryFile(path: string, bytesMax: number): string {
  const fd = openOrdinaryFile(path);
  try {
    const bytes = new Uint8Array(Math.min(fstatSync(fd).size, bytesMax) + 1);
    let read = 0;
    for (let more = -1; more !== 0 && read < bytes.length; read += more)
      more = readSync(fd, bytes, read, bytes.length - read, read);
    if (read > bytesMax) throw new Fault(`it is larger than ${bytesMax} bytes. Use another file`);
    return new TextDecoder().decode(bytes.subarray(0, read));
  } finally {
    closeSync(fd);
  }
}
