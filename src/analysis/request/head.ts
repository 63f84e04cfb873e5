import { setOf } from '../words.ts';
/** A header as it was sent, its folded lines joined. */
export interface Header {
  /** In lower case; empty for a line that is none. */
  readonly name: string;
  readonly value: string;
}

const HEADER_LINE = /^([A-Za-z][A-Za-z0-9_-]{0,60})[ \t]{0,5}:[ \t]*(?![ \t])(.*)$/;
/** Headers that only programs write, and of signs that no attack can do without. */
const DULL = setOf(
  'content-length connection accept-encoding cache-control upgrade-insecure-requests sec-fetch-mode ' +
    'sec-fetch-site sec-fetch-dest sec-fetch-user sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform date ' +
    'pragma dnt te priority',
);
const PLAIN = /^[\w .,:;=*/?@+[\]-]*$/;
/** Brands of browsers, which contain odd signs on purpose (GREASE). */
const BRANDS = /^(?:"[\w .()/:;?=-]{1,40}"; ?v="[\d.]{1,20}"(?:, ?(?="))?){1,8}$|^"[\w .]{0,30}"$|^\?[01]$/;
const COMMANDS = /[;|&]\s{0,3}[\w/]+\s|\s(?:or|and|union)\s/i;

/** The headers of a message, up to the empty line. */
export function headersOf(message: string): readonly Header[] {
  const headers: { name: string; value: string }[] = [];
  for (const line of message.split(/\r?\n/)) {
    if (line === '') break;
    const last = headers.at(-1);
    if (last && /^[ \t]+\S/.test(line)) {
      last.value += ` ${line.trim()}`;
      continue;
    }
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? [];
    headers.push({ name: name.toLowerCase(), value: name === '' ? line : value });
  }
  return headers;
}

/** Whether a header has nothing in it that could be more than what such headers are for. */
export const isDull = ({ name, value }: Header): boolean =>
  (DULL.has(name) && PLAIN.test(value) && !COMMANDS.test(value)) ||
  (name.startsWith('sec-ch-ua') && BRANDS.test(value));
