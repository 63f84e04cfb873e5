import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type RefusalCode, refuse } from '../domain/refusal.ts';

/** Maximum compression ratio. */
const RATIO_MAX = 100;
const GZIP = /^(?:x-)?gzip$/i;
const PLAIN = /^(?:identity)?$/i;

const inflate = promisify(gunzip);

/** @throws Refusal for an encoding other than gzip and identity */
export function isGzip(encoding: string): boolean {
  const sent = encoding.trim();
  if (GZIP.test(sent)) return true;
  if (PLAIN.test(sent)) return false;
  throw refuse('UNSUPPORTED_CONTENT_ENCODING', 'Content-Encoding: only gzip and identity are supported.');
}

/** @throws Refusal if the result exceeds the cap or the maximum ratio, or the body is not gzip */
export async function inflated(
  bytes: Uint8Array,
  capBytes: number,
  refusedAs: RefusalCode,
): Promise<Uint8Array> {
  if (bytes.length === 0) return bytes;
  const maxOutputLength = Math.min(capBytes, RATIO_MAX * bytes.length);
  try {
    return await inflate(bytes, { maxOutputLength });
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_BUFFER_TOO_LARGE' && name !== 'RangeError')
      throw refuse(refusedAs, 'The body is not valid gzip, which its Content-Encoding announces.');
    const limit =
      maxOutputLength === capBytes
        ? `larger than this route's limit of ${capBytes} bytes`
        : `more than ${RATIO_MAX} times its compressed size`;
    throw refuse('PAYLOAD_TOO_LARGE', `The decompressed body is ${limit}.`);
  }
}
