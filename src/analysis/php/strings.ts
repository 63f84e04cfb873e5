import type { TemplatePart } from './token.ts';

const PARTS_MAX = 1_000;
const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u\{([0-9a-fA-F]{1,6})\}|([\s\S]))/g;
const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  v: '\v',
  e: '\u001b',
  f: '\f',
};
// `$name`, `{$name` and `${name`; the rest up to the brace does not affect the origin of the value.
const PLACE =
  /(\\[\s\S])|\{\$([A-Za-z_]\w{0,100})[^{}"]{0,100}\}|\$\{([A-Za-z_]\w{0,100})\}|\$([A-Za-z_]\w{0,100})/g;

/** A superglobal with its key, which needs no quotes within a text. */
const KEY = /^\{?\$_[A-Z]{3,7}\[\\?['"]?(\w{1,40})\\?['"]?\]/;
const KEY_CHARS_MAX = 60;

/** The value of a single-quoted string. */
export const unescapeSingle = (raw: string): string =>
  raw.includes('\\') ? raw.replace(/\\([\\'])/g, '$1') : raw;

/** Printable ASCII, which needs no numeric escape, unlike bytes of a protocol or other alphabets. */
const isTyped = (char: string): boolean => char >= ' ' && char <= '~';

/** Resolves the escapes of a double-quoted text without variables, and counts numeric escapes of printable characters. */
export function unescapeDouble(raw: string): { readonly text: string; readonly escapes: number } {
  if (!raw.includes('\\')) return { text: raw, escapes: 0 };
  let escapes = 0;
  const text = raw.replace(ESCAPE, (whole, hex, octal, unicode, other) => {
    if (other !== undefined) return SIMPLE[other] ?? ('\\"$`'.includes(other) ? other : whole);
    const code =
      hex === undefined && octal !== undefined
        ? Number.parseInt(octal, 8) & 255
        : Number.parseInt(hex ?? unicode, 16);
    if (code > 0x10ffff) return whole;
    const char = String.fromCodePoint(code);
    if (isTyped(char)) escapes++;
    return char;
  });
  return { text, escapes };
}

/** Reads a double-quoted text; `parts` is set only if it contains a variable. */
export function readTemplate(raw: string): {
  readonly text: string;
  readonly escapes: number;
  readonly parts?: readonly TemplatePart[];
} {
  if (!raw.includes('$')) return unescapeDouble(raw);
  const parts: TemplatePart[] = [];
  let escapes = 0;
  let from = 0;
  const keep = (until: number) => {
    if (until <= from) return;
    const piece = unescapeDouble(raw.slice(from, until));
    escapes += piece.escapes;
    parts.push({ text: piece.text });
  };
  for (const found of raw.matchAll(PLACE)) {
    const variable = found[2] ?? found[3] ?? found[4];
    if (variable === undefined) continue;
    if (parts.length >= PARTS_MAX) break;
    keep(found.index);
    const key =
      variable[0] === '_' ? KEY.exec(raw.slice(found.index, found.index + KEY_CHARS_MAX))?.[1] : undefined;
    parts.push(key === undefined ? { variable } : { variable, key });
    from = found.index + found[0].length;
  }
  if (from === 0) return unescapeDouble(raw);
  keep(raw.length);
  return { text: parts.map((part) => ('text' in part ? part.text : '')).join(''), escapes, parts };
}

/** Converts a number literal to the text that PHP prints. */
export function readNumber(text: string): string {
  const digits = text.replaceAll('_', '');
  if (/^0[0-7]+$/.test(digits)) return String(Number.parseInt(digits, 8));
  return String(Number(digits));
}
