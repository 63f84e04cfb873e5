import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { fileWords } from '../../lib/file-trouble.ts';
import { changed, FeedRefused } from '../feed-refused.ts';

const WINDOW_BYTES = 1_024 * 1_024;
const CHUNK_BYTES = 256 * 1_024;

/** A feed file, open for reading. */
export interface FeedFile {
  readonly bytes: number;
  /** Random access. Each view has its own buffer, so several can read different parts. */
  window(): View;
  /** The bytes from `from` (inclusive) to `to` (exclusive) in chunks; a chunk is valid until the next. */
  chunks(from: number, to: number): Iterable<Uint8Array>;
  /** Throws {@link FeedRefused} if the file changed since it was opened. */
  assertUnchanged(): void;
  close(): void;
}

/** Returns exactly `length` bytes, valid until the next call; throws {@link FeedRefused} if the file is shorter. */
export type View = (position: number, length: number) => Uint8Array;

/** Opens a regular file. Rejects links, because the creator of a link chooses the file that is read. */
export function openFeedFile(path: string): FeedFile {
  const named = attempt(() => lstatSync(path, { bigint: true }));
  if (!named.isFile())
    throw new FeedRefused(
      'not_a_file',
      'It is not a regular file. Name the file itself, not a link or a directory.',
    );
  const fd = attempt(() => openSync(path, 'r'));
  const opened = fstatSync(fd, { bigint: true });
  const file = fileOf(fd, opened);
  if (isSame(named, opened)) return file;
  file.close();
  throw changed();
}

/**
 * Computes the SHA-256 of the whole file, in lower-case hexadecimal.
 *
 * @param onProgress receives the number of bytes so far
 */
export function digestOf(file: FeedFile, onProgress: (bytes: number) => void): string {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const chunk of file.chunks(0, file.bytes)) {
    hash.update(chunk);
    bytes += chunk.length;
    onProgress(bytes);
  }
  return hash.digest('hex');
}

function fileOf(fd: number, opened: BigIntStats): FeedFile {
  const bytes = Number(opened.size);
  const buffer = new Uint8Array(CHUNK_BYTES);

  const fill = (target: Uint8Array, position: number): Uint8Array => {
    let filled = 0;
    while (filled < target.length) {
      const read = readSync(fd, target, filled, target.length - filled, position + filled);
      if (read === 0) throw changed();
      filled += read;
    }
    return target;
  };

  return {
    bytes,
    window() {
      let window: Uint8Array = new Uint8Array(0);
      let windowAt = 0;
      return (position, length) => {
        const isIn = position >= windowAt && position + length <= windowAt + window.length;
        if (!isIn) {
          const wanted = Math.min(Math.max(length, WINDOW_BYTES), bytes - position);
          if (wanted < length)
            throw new FeedRefused('truncated', 'The feed is truncated. Download it again.');
          window = fill(window.length === wanted ? window : new Uint8Array(wanted), position);
          windowAt = position;
        }
        return window.subarray(position - windowAt, position - windowAt + length);
      };
    },
    *chunks(from, to) {
      for (let at = from; at < to; at += CHUNK_BYTES)
        yield fill(buffer.subarray(0, Math.min(CHUNK_BYTES, to - at)), at);
    },
    assertUnchanged() {
      if (!isSame(opened, fstatSync(fd, { bigint: true }))) throw changed();
    },
    close: () => closeSync(fd),
  };
}

const isSame = (a: BigIntStats, b: BigIntStats): boolean =>
  a.dev === b.dev &&
  a.ino === b.ino &&
  a.size === b.size &&
  a.mtimeNs === b.mtimeNs &&
  a.ctimeNs === b.ctimeNs;

function attempt<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    const words = fileWords(error as NodeJS.ErrnoException);
    throw new FeedRefused('not_a_file', `Cannot open it: ${words}.`);
  }
}
