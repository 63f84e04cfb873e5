const IGNORABLE =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Mn}\p{Me}\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu;

/**
 * Text as the rules read it: compatibility forms folded (Unicode NFKC and further: accents fall away too),
 * invisible characters and controls removed. Every rule is about ASCII, so nothing is lost by it.
 *
 * Marks are removed before the folding as well: ordering a long run of them is not linear in every engine.
 */
export const plainText = (text: string): string =>
  text.replace(IGNORABLE, '').normalize('NFKD').replace(IGNORABLE, '');

/** The text with its percent escapes decoded once, or undefined when it has none. Never throws. */
export function percentDecoded(text: string): string | undefined {
  const bytes: number[] = [];
  let decoded = '';
  let copied = 0;
  let at = text.indexOf('%');
  while (at >= 0) {
    let end = at;
    bytes.length = 0;
    while (text.charCodeAt(end) === 0x25) {
      const high = hexDigit(text.charCodeAt(end + 1));
      const low = hexDigit(text.charCodeAt(end + 2));
      if (high < 0 || low < 0) break;
      bytes.push(high * 16 + low);
      end += 3;
    }
    if (end === at) {
      at = text.indexOf('%', at + 1);
      continue;
    }
    decoded += text.slice(copied, at) + utf8.decode(Uint8Array.from(bytes));
    copied = end;
    at = text.indexOf('%', end);
  }
  return copied === 0 ? undefined : decoded + text.slice(copied);
}

/** A shorter run cannot hold even the shortest e-mail address. */
export const BASE64_LENGTH_MIN = 8;

/**
 * What the base64 and base64url runs of a text say, where they decode to text at all. Runs are joined by
 * line breaks, so that no rule matches across two of them.
 */
export function base64Decoded(text: string): string | undefined {
  let decoded: string | undefined;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && sextet(text.charCodeAt(i)) >= 0) continue;
    if (i - start >= BASE64_LENGTH_MIN) {
      const run = decodedRun(text, start, i);
      if (run !== undefined) decoded = decoded === undefined ? run : `${decoded}\n${run}`;
    }
    start = i + 1;
  }
  return decoded;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Gives up at the first byte that is not text: most words of a body fail within their first four letters. */
function decodedRun(text: string, start: number, end: number): string | undefined {
  const length = end - start;
  if (length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let count = 0;
  let bits = 0;
  let held = 0;
  let continuation = 0;
  for (let i = start; i < end; i++) {
    held = ((held << 6) | sextet(text.charCodeAt(i))) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (held >> bits) & 0xff;
    continuation = afterTextByte(byte, continuation);
    if (continuation < 0) return undefined;
    bytes[count++] = byte;
  }
  return continuation === 0 ? utf8.decode(bytes) : undefined;
}

/** How many UTF-8 continuation bytes must follow, or -1 when the byte cannot be part of a text. */
function afterTextByte(byte: number, continuation: number): number {
  if (continuation > 0) return byte >= 0x80 && byte < 0xc0 ? continuation - 1 : -1;
  if (byte >= 0x20 && byte < 0x7f) return 0;
  if (byte === 0x09 || byte === 0x0a || byte === 0x0d) return 0;
  if (byte < 0xc2) return -1;
  if (byte < 0xe0) return 1;
  if (byte < 0xf0) return 2;
  return byte < 0xf5 ? 3 : -1;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** The six bits that a character stands for in base64 or base64url, or -1. */
function sextet(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code - 0x47;
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x30 && code <= 0x39) return code + 4;
  if (code === 0x2b || code === 0x2d) return 62;
  return code === 0x2f || code === 0x5f ? 63 : -1;
}
