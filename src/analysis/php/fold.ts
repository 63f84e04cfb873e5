import { decodeBase64, decodeHtml, decodeUrl, inflate, latin1, mapUnits, rot13 } from '../decode.ts';
import { ORIGIN } from '../origin.ts';
import { setOf } from '../words.ts';
import { convertBase, md5, pack, replaceAll, replacePattern, sha1, trimmed } from './fold-texts.ts';
import { constant, ITEMS_MAX, originsOfAll, TEXT_MAX, type Value } from './value.ts';

type Texts = readonly string[];
type Decoder = (args: Texts) => string | undefined;

const number = (text: string | undefined, otherwise: number): number => {
  const value = Number.parseInt(text ?? '', 10);
  return Number.isNaN(value) ? otherwise : value;
};
/** Native, because code can reverse texts thousands of times. */
const reversed = (text: string): string =>
  Buffer.from(text, 'utf16le').reverse().swap16().toString('utf16le');

function substring(text: string, start: number, length: number): string {
  const from = start < 0 ? Math.max(text.length + start, 0) : start;
  const to = length < 0 ? text.length + length : from + length;
  return text.slice(from, to);
}

function translate([text = '', from = '', to = '']: Texts): string {
  const table = new Map<number, number>();
  for (let at = 0; at < Math.min(from.length, to.length); at++)
    table.set(from.charCodeAt(at), to.charCodeAt(at));
  return mapUnits(text, (unit) => table.get(unit) ?? unit);
}

/** Decoding functions: their results were hidden in the source. */
export const DECODERS: Readonly<Record<string, Decoder>> = {
  base64_decode: ([text = '']) => decodeBase64(text),
  gzinflate: ([text = '']) => inflate(text, 'raw'),
  gzuncompress: ([text = '']) => inflate(text, 'zlib'),
  gzdecode: ([text = '']) => inflate(text, 'gzip'),
  zlib_decode: ([text = '']) => inflate(text, 'any'),
  str_rot13: ([text = '']) => rot13(text),
  strrev: ([text = '']) => reversed(text),
  hex2bin: ([text = '']) => latin1(Buffer.from(text, 'hex')),
  pack,
  base_convert: convertBase,
  chr: ([code]) => String.fromCharCode(((number(code, 0) % 256) + 256) % 256),
  urldecode: ([text = '']) => decodeUrl(text.replaceAll('+', ' ')),
  rawurldecode: ([text = '']) => decodeUrl(text),
  html_entity_decode: ([text = '']) => decodeHtml(text),
  htmlspecialchars_decode: ([text = '']) => decodeHtml(text),
  stripcslashes: ([text = '']) =>
    text.replace(/\\x([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  strtr: translate,
};

/** Functions whose results are as readable as their arguments. */
const PLAIN: Readonly<Record<string, Decoder>> = {
  trim: trimmed('both'),
  ltrim: trimmed('start'),
  rtrim: trimmed('end'),
  chop: trimmed('end'),
  strtolower: ([text = '']) => text.toLowerCase(),
  strtoupper: ([text = '']) => text.toUpperCase(),
  sanitize_key: ([text = '']) => text.toLowerCase().replace(/[^a-z0-9_-]/g, ''),
  ucfirst: ([text = '']) => text.slice(0, 1).toUpperCase() + text.slice(1),
  lcfirst: ([text = '']) => text.slice(0, 1).toLowerCase() + text.slice(1),
  substr: ([text = '', start, length]) => substring(text, number(start, 0), number(length, text.length)),
  str_replace: replaceAll,
  str_ireplace: replaceAll,
  ord: ([text = '']) => String((text.charCodeAt(0) || 0) & 255),
  strlen: ([text = '']) => String(text.length),
  strpos: ([text = '', search = '']) => {
    const at = search === '' ? -1 : text.indexOf(search);
    return at < 0 ? '' : String(at);
  },
  floor: ([text]) => String(Math.floor(Number(text))),
  abs: ([text]) => String(Math.abs(Number(text))),
  md5,
  sha1,
  preg_replace: replacePattern,
  preg_filter: replacePattern,
  intval: ([text]) => String(number(text, 0)),
  hexdec: ([text = '']) => String(Number.parseInt(text, 16) || 0),
  octdec: ([text = '']) => String(Number.parseInt(text, 8) || 0),
  bindec: ([text = '']) => String(Number.parseInt(text, 2) || 0),
  dechex: ([text]) => number(text, 0).toString(16),
  strval: ([text = '']) => text,
  str_repeat: ([text = '', times]) =>
    text.length * number(times, 1) > TEXT_MAX ? undefined : text.repeat(Math.max(0, number(times, 1))),
  addslashes: ([text = '']) => text,
  stripslashes: ([text = '']) => text.replace(/\\(.)/g, '$1'),
  basename: ([text = '']) => text.slice(text.lastIndexOf('/') + 1),
  dirname: ([text = '']) => text.slice(0, Math.max(0, text.lastIndexOf('/'))),
};

/** Functions that apply a pattern to every character, which takes twice as long. */
export const SLOW: ReadonlySet<string> = setOf(
  'html_entity_decode htmlspecialchars_decode rawurldecode sanitize_key stripcslashes ' +
    'stripslashes urldecode',
);

/** Functions that can assemble a hidden name from readable texts. */
const REWRITES = new Set([
  'preg_replace',
  'preg_filter',
  'str_replace',
  'str_ireplace',
  'substr',
  'sanitize_key',
]);

/** Functions that can be evaluated. */
export const FOLDED: ReadonlySet<string> = new Set([
  'array_map',
  'explode',
  'str_split',
  ...Object.keys(PLAIN),
  ...Object.keys(DECODERS),
]);

const asItems = (values: readonly string[], origins: number): Value => ({
  origins,
  items: new Map(values.slice(0, ITEMS_MAX).map((text, index) => [String(index), { text, origins }])),
});

function pieces(text: string, size: number): string[] {
  const all: string[] = [];
  for (let at = 0; at < text.length && all.length < ITEMS_MAX; at += size)
    all.push(text.slice(at, at + size));
  return all;
}

/**
 * Evaluates a built-in function with constant arguments; undefined if it cannot be evaluated. Decoded results are marked as
 * disguised.
 */
export function foldCall(name: string, args: readonly Value[]): Value | undefined {
  if (name === 'array_map') return foldMap(args);
  const texts: string[] = [];
  for (const { text } of args) {
    if (text === undefined) return undefined;
    texts.push(text);
  }
  const origins = originsOfAll(args);
  if (name === 'explode' && texts.length >= 2)
    return asItems((texts[1] as string).split(texts[0] || ' ', ITEMS_MAX), origins);
  if (name === 'str_split')
    return asItems(pieces(texts[0] ?? '', Math.min(Math.max(1, number(texts[1], 1)), 999)), origins);
  if (Object.hasOwn(PLAIN, name)) {
    const text = PLAIN[name]?.(texts);
    const made = REWRITES.has(name) && text !== texts[0] ? origins | ORIGIN.assembled : origins;
    return text === undefined ? undefined : constant(text, made);
  }
  if (!Object.hasOwn(DECODERS, name)) return undefined;
  const text = DECODERS[name]?.(texts);
  return text === undefined ? undefined : constant(text, origins | ORIGIN.disguised);
}

/** Evaluates array_map with a built-in function. */
function foldMap([callback, list]: readonly Value[]): Value | undefined {
  const name = callback?.text?.toLowerCase() ?? '';
  if (list?.items === undefined || !(Object.hasOwn(DECODERS, name) || Object.hasOwn(PLAIN, name)))
    return undefined;
  const items = new Map<string, Value>();
  for (const [key, item] of list.items) {
    const made = item.items ? undefined : foldCall(name, [item]);
    if (made === undefined) return undefined;
    items.set(key, made);
  }
  return { origins: list.origins | ORIGIN.disguised, items };
}
