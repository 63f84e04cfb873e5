import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { malformed, truncated } from '../feed-refused.ts';
import type { Expansion } from './expansion.ts';

const CHUNK_BYTES = 256 * 1_024;

/** Expands gzip with one or several members; throws {@link FeedRefused} for malformed data and decompression bombs. */
export const gunzipped = (chunks: Iterable<Uint8Array>, expansion: Expansion): AsyncIterable<Uint8Array> =>
  expanded(chunks, createGunzip({ chunkSize: CHUNK_BYTES }), expansion);

/** Like `gunzipped`, for the raw deflate of a zip member. */
export const inflated = (chunks: Iterable<Uint8Array>, expansion: Expansion): AsyncIterable<Uint8Array> =>
  expanded(chunks, createInflateRaw({ chunkSize: CHUNK_BYTES }), expansion);

async function* expanded(
  chunks: Iterable<Uint8Array>,
  transform: Transform,
  expansion: Expansion,
): AsyncGenerator<Uint8Array> {
  pipeline(Readable.from(counted(chunks, expansion)), transform, () => {
    // The error reaches the reader through the transform.
  });
  try {
    for await (const chunk of transform as AsyncIterable<Uint8Array>) {
      expansion.expand(chunk.length);
      yield chunk;
    }
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Counts and copies the chunks: streams keep them, but the file reuses its buffer. */
function* counted(chunks: Iterable<Uint8Array>, expansion: Expansion): Generator<Uint8Array> {
  for (const chunk of chunks) {
    expansion.read(chunk.length);
    yield chunk.slice();
  }
}

/** Converts an error of zlib into a refusal; returns other errors unchanged. */
export function refusalOf(error: unknown): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === 'Z_BUF_ERROR') return truncated('its compressed data');
  if (code?.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE')
    return malformed('The compressed data of the feed is damaged');
  return error;
}
