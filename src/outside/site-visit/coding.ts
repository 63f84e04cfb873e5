import { constants, createGunzip } from 'node:zlib';

/**
 * Supported although not requested, because cloud storage ignores Accept-Encoding. Brotli is not: decoding can take 16 MiB per
 * answer.
 */
const GZIP = ['gzip', 'x-gzip'];

/**
 * Decodes the beginning of a body; a truncated body gives as much as can be decoded.
 *
 * @param bytesMax limit of the decoded size
 * @returns empty if the coding is unknown or the body is not in it
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
    // Keep the parts decoded before the error.
  }
  return Buffer.concat(parts).subarray(0, bytesMax);
}
