import { gunzipSync, inflateRawSync, inflateSync, constants as zlib } from 'node:zlib';

/** Most that one compressed piece may unfold to, in bytes: a bomb ends here. */
export const INFLATED_BYTES_MAX = 128 * 1024;

export const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Base64 in either alphabet, white space ignored, as bytes in a string of code units below 256. */
export const decodeBase64 = (text: string): string => Buffer.from(text, 'base64').toString('latin1');

/** Percent-encoding, `%uXXXX` and overlong UTF-8 included; what is no encoding stays. */
export function decodeUrl(text: string): string {
  if (!text.includes('%')) return text;
  return text
    .replace(/%u([0-9a-fA-F]{4})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => utf8(Buffer.from(run.replaceAll('%', ''), 'hex')));
}

/** UTF-8 as lenient parsers read it: also overlong forms; a byte that is none stands for itself. */
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

/** HTML character references; as browsers do, also without the semicolon. */
export function decodeHtml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Escapes of JavaScript, JSON and CSS-like `\xHH`, `\uHHHH`, `\u{H}` and octal. */
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
/** By how many characters a text may grow under {@link normalize}. */
const GROWTH_CHARS_MAX = 1_000;

/**
 * A text with look-alike characters as the ordinary ones (NFKC). Marks beyond thirty on one character are dropped, as in Unicode's
 * stream-safe format (UAX #15): putting them in order takes quadratic time.
 */
export function normalize(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  return text
    .replace(MARKS_RUN, '$1')
    .normalize('NFKC')
    .slice(0, text.length + GROWTH_CHARS_MAX);
}

/** From here on a buffer takes less time than a growing text. */
const UNITS_MIN = 64;

/** A text with every UTF-16 code unit replaced: by numbers, because code can have long texts turned again and again. */
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

/** Whether a text begins as a format must (RFC 1950, 1952): a failure of the library costs more. */
const BEGINS: Readonly<Record<keyof typeof INFLATERS, (text: string) => boolean>> = {
  raw: () => true,
  zlib: (text) =>
    (text.charCodeAt(0) & 15) === 8 && (text.charCodeAt(0) * 256 + text.charCodeAt(1)) % 31 === 0,
  gzip: (text) => text.startsWith('\x1f\x8b'),
};

/** Unfolds compressed bytes; undefined when they are none or unfold to more than is looked at. */
export function inflate(text: string, format: keyof typeof INFLATERS | 'any'): string | undefined {
  const bytes = Buffer.from(text, 'latin1');
  const formats = format === 'any' ? (['gzip', 'zlib', 'raw'] as const) : [format];
  for (const each of formats) {
    if (!BEGINS[each](text)) continue;
    try {
      const unfolded = INFLATERS[each](bytes, OPTIONS);
      if (unfolded.length > 0) return latin1(unfolded);
    } catch {
      // Not of this format, damaged, or a bomb.
    }
  }
  return undefined;
}
