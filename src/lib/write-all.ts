import { writeSync } from 'node:fs';

const RETRY_MS = 2;

/**
 * Writes a whole text to a file descriptor synchronously, so that the process may exit afterwards.
 *
 * @param patienceMs how long to wait for a slow reader before the rest is dropped
 * @returns whether the whole text was written
 */
export function writeAll(fd: number, text: string, patienceMs: number): boolean {
  const bytes = Buffer.from(text);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  let waitedMs = 0;
  let written = 0;
  while (written < bytes.length && waitedMs <= patienceMs) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return false;
      Atomics.wait(pause, 0, 0, RETRY_MS);
      waitedMs += RETRY_MS;
    }
  }
  return written === bytes.length;
}

/** Writes all bytes to a file; a single write may be partial. */
export function writeBytes(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}
