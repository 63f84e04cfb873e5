/** A shorter run cannot hold even the shortest e-mail address. */
export const BASE64_LENGTH_MIN = 8;

/**
 * The decoded text of the base64 and base64url runs of a text, if they decode to text: each run as a whole and, as its `-` and
 * `_` may be separators, each piece between them. The results are joined by line breaks, so that no rule matches across two of
 * them.
 */
export function base64Decoded(text: string): string | undefined {
  let decoded: string | undefined;
  const add = (start: number, end: number): void => {
    if (end - start < BASE64_LENGTH_MIN) return;
    const run = decodedRun(text, start, end);
    if (run !== undefined) decoded = decoded === undefined ? run : `${decoded}\n${run}`;
  };
  let start = 0;
  let pieceStart = 0;
  for (let i = 0; i <= text.length; i++) {
    const code = text.charCodeAt(i);
    const ends = i === text.length || sextet(code) < 0;
    if (!ends && code !== HYPHEN && code !== UNDERSCORE) continue;
    if (pieceStart > start || !ends) add(pieceStart, i);
    pieceStart = i + 1;
    if (!ends) continue;
    add(start, i);
    start = i + 1;
  }
  return decoded;
}

const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function decodedRun(text: string, start: number, end: number): string | undefined {
  if ((end - start) % 4 === 1 || !isTextRun(text, start, end)) return undefined;
  const bytes = new Uint8Array(Math.floor(((end - start) * 3) / 4));
  for (let i = 0; i < bytes.length; i++) bytes[i] = byteOf(text, start, i);
  return utf8.decode(bytes);
}

/** Stops at the first byte that is not text: most words of a body fail within their first four letters. */
function isTextRun(text: string, start: number, end: number): boolean {
  const length = Math.floor(((end - start) * 3) / 4);
  let continuation = 0;
  for (let i = 0; i < length && continuation >= 0; i++) {
    continuation = afterTextByte(byteOf(text, start, i), continuation);
  }
  return continuation === 0;
}

/** The byte at a place of a base64 run that begins at `start`: bits of two neighbouring characters. */
function byteOf(text: string, start: number, index: number): number {
  const bit = index * 8;
  const first = start + Math.floor(bit / 6);
  const pair = (sextet(text.charCodeAt(first)) << 6) | sextet(text.charCodeAt(first + 1));
  return (pair >> (4 - (bit % 6))) & 0xff;
}

/** How many UTF-8 continuation bytes must follow, or -1 when the byte cannot be part of a text. */
function afterTextByte(byte: number, continuation: number): number {
  if (continuation > 0) return byte >= 0x80 && byte < 0xc0 ? continuation - 1 : -1;
  if (byte >= 0x20 && byte < 0x7f) return 0;
  // NUL stands between the letters of UTF-16; plainText removes it.
  if (byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0) return 0;
  if (byte < 0xc2) return -1;
  if (byte < 0xe0) return 1;
  if (byte < 0xf0) return 2;
  return byte < 0xf5 ? 3 : -1;
}

/** The six bits that a character stands for in base64 or base64url, or -1. */
function sextet(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code - 0x47;
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x30 && code <= 0x39) return code + 4;
  if (code === 0x2b || code === 0x2d) return 62;
  return code === 0x2f || code === 0x5f ? 63 : -1;
}
