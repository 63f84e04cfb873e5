import { constants, createGunzip } from 'node:zlib';

/** Cloud storage sends files as stored, ignoring Accept-Encoding. Not brotli, whose decoding can take 16 MiB per answer. */
const GZIP = ['gzip', 'x-gzip'];

/**
 * The beginning of a body, decoded; what was cut short gives what there is.
 *
 * @param bytesMax no more is decoded, however small the body is
 * @returns empty when the coding is unknown or not what it says
 */
export async function decoded(body: Buffer, coding: string, bytesMax: number): Promise<Buffer> {
  const name = coding.toLowerCase();
  if (name === 'identity' || name === '') return body;
  if (!GZIP.includes(name)) return Buffer.alloc(0);
  const decoder = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  const parts: Buffer[] = [];
  let length = 0;
  decoder.end(body);
  try {
    for await (const part of decoder) {
      parts.push(part);
      length += part.length;
      if (length >= bytesMax) break;
    }
  } catch {
    // What came before the fault is all there is.
  }
  return Buffer.concat(parts).subarray(0, bytesMax);
}
