import { setOf } from '../words.ts';
/** A header with unfolded lines. */
export interface Header {
  /** Lower-case; empty for a malformed line. */
  readonly name: string;
  readonly value: string;
}

const HEADER_LINE = /^([A-Za-z][A-Za-z0-9_-]{0,60})[ \t]{0,5}:[ \t]*(?![ \t])(.*)$/;
/** Headers written only by programs. */
const PROGRAM_HEADERS = setOf(
  'content-length connection accept-encoding cache-control upgrade-insecure-requests sec-fetch-mode ' +
    'sec-fetch-site sec-fetch-dest sec-fetch-user sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform date ' +
    'pragma dnt te priority',
);
const PLAIN = /^[\w .,:;=*/?@+[\]-]*$/;
/** Browser brands, which contain arbitrary characters on purpose (GREASE). */
const BRANDS = /^(?:"[\w .()/:;?=-]{1,40}"; ?v="[\d.]{1,20}"(?:, ?(?="))?){1,8}$|^"[\w .]{0,30}"$|^\?[01]$/;
const COMMANDS = /[;|&]\s{0,3}[\w/]+\s|\s(?:or|and|union)\s/i;

/** The headers of a message. */
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

/** Whether a header contains only its usual content. */
export const isTrivial = ({ name, value }: Header): boolean =>
  (PROGRAM_HEADERS.has(name) && PLAIN.test(value) && !COMMANDS.test(value)) ||
  (name.startsWith('sec-ch-ua') && BRANDS.test(value));
