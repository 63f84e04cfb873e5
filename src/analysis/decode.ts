import { gunzipSync, inflateRawSync, inflateSync, constants as zlib } from 'node:zlib';

/** Maximum expanded size of one compressed piece; protects against decompression bombs. */
export const INFLATED_BYTES_MAX = 128 * 1024;

export const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Decodes base64 in either alphabet, ignoring white space, into one character per byte. */
export const decodeBase64 = (text: string): string => Buffer.from(text, 'base64').toString('latin1');

/** Decodes percent-encoding, including `%uXXXX` and overlong UTF-8; keeps malformed sequences. */
export function decodeUrl(text: string): string {
  if (!text.includes('%')) return text;
  return text
    .replace(/%u([0-9a-fA-F]{4})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => utf8(Buffer.from(run.replaceAll('%', ''), 'hex')));
}

/** Decodes UTF-8 leniently: accepts overlong forms, and keeps invalid bytes as characters. */
export function utf8(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0;
    let code = byte & (0xff >> (more + 2));
    let length = 0;
    while (length < more && ((bytes[at + length + 1] ?? 0) & 0xc0) === 0x80) {
      length++;
      code = (code << 6) | ((bytes[at + length] as number) & 0x3f);
    }
    if (more > 0 && length === more && code <= 0x10ffff) {
      text += String.fromCodePoint(code);
      at += more;
    } else text += String.fromCharCode(byte);
  }
  return text;
}

const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  tab: '\t',
  newline: '\n',
  colon: ':',
  lpar: '(',
  rpar: ')',
  sol: '/',
  bsol: '\\',
  equals: '=',
  semi: ';',
  comma: ',',
  period: '.',
  grave: '`',
  lbrack: '[',
  rbrack: ']',
  lcub: '{',
  rcub: '}',
  dollar: '$',
  num: '#',
  percnt: '%',
  excl: '!',
  quest: '?',
  plus: '+',
  lowbar: '_',
  vert: '|',
  commat: '@',
};
const ENTITY = /&(?:#x([0-9a-fA-F]{1,8})|#([0-9]{1,9})|([A-Za-z]{2,8}));?/g;

/** Decodes HTML character references like browsers, also without the semicolon. */
export function decodeHtml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Decodes escapes of JavaScript, JSON and similar languages: `\xHH`, `\uHHHH`, `\u{H}` and octal. */
export function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-3]?[0-7]{2,3}))/g,
    (whole, point, unit, byte, octal) => {
      const code =
        octal === undefined ? Number.parseInt(point ?? unit ?? byte, 16) : Number.parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

const MARKS_RUN = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
/** Maximum growth of a text in {@link normalize}, in characters. */
const GROWTH_CHARS_MAX = 1_000;

/**
 * Replaces look-alike characters by ordinary ones (NFKC). Drops marks after the thirtieth on one character, as in Unicode's
 * stream-safe format (UAX #15), because sorting them takes quadratic time.
 */
export function normalize(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  return text
    .replace(MARKS_RUN, '$1')
    .normalize('NFKC')
    .slice(0, text.length + GROWTH_CHARS_MAX);
}

/** From this length, a buffer is faster than appending to a string. */
const UNITS_MIN = 64;

/** Maps each UTF-16 code unit as a number, because code can transform long texts many times. */
export function mapUnits(text: string, unitOf: (unit: number, at: number) => number): string {
  if (text.length < UNITS_MIN) {
    let mapped = '';
    for (let at = 0; at < text.length; at++) mapped += String.fromCharCode(unitOf(text.charCodeAt(at), at));
    return mapped;
  }
  const units = new Uint16Array(text.length);
  for (let at = 0; at < units.length; at++) units[at] = unitOf(text.charCodeAt(at), at);
  return Buffer.from(units.buffer).toString('utf16le');
}

export const rot13 = (text: string): string =>
  mapUnits(text, (unit) => {
    const letter = unit | 32;
    if (letter < 97 || letter > 122 || unit > 122) return unit;
    return letter <= 109 ? unit + 13 : unit - 13;
  });

const OPTIONS = { maxOutputLength: INFLATED_BYTES_MAX, finishFlush: zlib.Z_SYNC_FLUSH };
const INFLATERS = { raw: inflateRawSync, zlib: inflateSync, gzip: gunzipSync } as const;

/** Checks the header (RFC 1950, 1952) first, because failing in the library is slower. */
const BEGINS: Readonly<Record<keyof typeof INFLATERS, (text: string) => boolean>> = {
  raw: () => true,
  zlib: (text) =>
    (text.charCodeAt(0) & 15) === 8 && (text.charCodeAt(0) * 256 + text.charCodeAt(1)) % 31 === 0,
  gzip: (text) => text.startsWith('\x1f\x8b'),
};

/** Decompresses bytes; undefined if they are malformed or expand beyond the limit. */
export function inflate(text: string, format: keyof typeof INFLATERS | 'any'): string | undefined {
  const bytes = Buffer.from(text, 'latin1');
  const formats = format === 'any' ? (['gzip', 'zlib', 'raw'] as const) : [format];
  for (const each of formats) {
    if (!BEGINS[each](text)) continue;
    try {
      const unfolded = INFLATERS[each](bytes, OPTIONS);
      if (unfolded.length > 0) return latin1(unfolded);
    } catch {
      // Another format, damaged, or a decompression bomb.
    }
  }
  return undefined;
}
