import { FeedRefused } from '../feed-refused.ts';
import type { FeedLimits } from '../limits.ts';
import type { Expansion } from './expansion.ts';
import type { FeedFile } from './feed-file.ts';
import { gunzipped } from './inflate.ts';
import { type Chunks, unzipped } from './unzip.ts';

/** Unsupported formats by their leading bytes. */
const FOREIGN: readonly (readonly [name: string, magic: readonly number[]])[] = [
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['7-Zip', [0x37, 0x7a, 0xbc, 0xaf]],
  ['SQLite', [0x53, 0x51, 0x4c, 0x69]],
];
const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b];
const MAGIC_BYTES = 4;

/**
 * The documents of a file, recognised by its leading bytes: the members of a zip archive, or the single document in a gzip or
 * plain file. Each must be read to its end before the next.
 */
export function documentsOf(file: FeedFile, limits: FeedLimits, expansion: Expansion): Iterable<Chunks> {
  if (file.bytes === 0) throw new FeedRefused('truncated', 'The file is empty. Download it again.');
  const magic = file.window()(0, Math.min(MAGIC_BYTES, file.bytes));
  if (beginsWith(magic, ZIP)) return unzipped(file, limits, expansion);
  const chunks = file.chunks(0, file.bytes);
  return [beginsWith(magic, GZIP) ? gunzipped(chunks, expansion) : expansion.plain(chunks)];
}

/** Refuses a document that is compressed a second time or is not UTF-8. */
export function assertUnpacked(beginning: Uint8Array): void {
  const foreign = [...FOREIGN, ['gzip', GZIP] as const, ['zip', [...ZIP, 3, 4]] as const];
  const packed = foreign.find(([, magic]) => beginsWith(beginning, magic));
  if (packed !== undefined)
    throw new FeedRefused('unrecognised', `The feed is in a ${packed[0]} file. Unpack it first.`);
  if (beginsWith(beginning, [0xff, 0xfe]) || beginsWith(beginning, [0xfe, 0xff]))
    throw new FeedRefused('malformed', 'The feed is UTF-16. Save it as UTF-8, or download it again.');
}

const beginsWith = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, at) => bytes[at] === byte);
