import { createHash } from 'node:crypto';
import { writeBytes } from '../../lib/write-all.ts';
import type { FeedFile } from '../files/feed-file.ts';

/**
 * Appends a part of a file to another file, in chunks.
 *
 * @param to descriptor of the other file, open for writing
 * @param onBytes receives the length of each chunk
 * @returns SHA-256 of the part, in lower-case hexadecimal
 */
export function copyPart(
  file: FeedFile,
  from: number,
  bytes: number,
  to: number,
  onBytes?: (bytes: number) => void,
): string {
  const hash = createHash('sha256');
  for (const chunk of file.chunks(from, from + bytes)) {
    hash.update(chunk);
    writeBytes(to, chunk);
    onBytes?.(chunk.length);
  }
  return hash.digest('hex');
}
