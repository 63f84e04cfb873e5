import { HASH_BYTES } from './merkle.ts';

// Fields in the texts of a log, each with one canonical form.

const DECIMAL = /^(0|[1-9]\d{0,15})$/;

/** A decimal index or size; undefined for an invalid one, or one beyond exact numbers. */
export function countIn(text: string): number | undefined {
  const count = DECIMAL.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(count) ? count : undefined;
}

/** The bytes of a hash; undefined for what is not exactly one in that encoding. */
export function hashIn(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  // Node reads base64 leniently; written again it shows whether it was.
  return bytes.length === HASH_BYTES && bytes.toString(encoding) === text ? bytes : undefined;
}

/** The bytes of several; undefined when one of them is none. */
export function hashesIn(texts: readonly string[], encoding: 'base64' | 'base64url'): Buffer[] | undefined {
  const hashes = texts.map((text) => hashIn(text, encoding)).filter((hash) => hash !== undefined);
  return hashes.length === texts.length ? hashes : undefined;
}

export const encoded = (bytes: Uint8Array, encoding: 'base64' | 'base64url'): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encoding);
