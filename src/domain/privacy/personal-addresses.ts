import { DECIMAL_HOST, emailSignFrom, HYPHENATED_IPV4, ipv4From, ipv6From } from './addresses.ts';
import { isLetterOrDigit } from './characters.ts';
import type { Place, PlaceRule } from './place.ts';

/** What may stand next to each other in an e-mail address as it occurs in a text, `=` and brackets apart. */
const isOfAddress = (code: number): boolean => isLetterOrDigit(code) || code > 0x7f || SIGNS.has(code);
const SIGNS = new Set([...`._%+'~-`].map((sign) => sign.charCodeAt(0)));
const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

function* emails(text: string): Generator<Place> {
  for (let sign = emailSignFrom(text, 0); sign >= 0; ) {
    let start = isBlank(text.charCodeAt(sign - 1)) ? sign - 1 : sign;
    do start--;
    while (isOfAddress(text.charCodeAt(start)));
    let end = isBlank(text.charCodeAt(sign + 1)) ? sign + 2 : sign + 1;
    if (text[end] === '[') end = Math.max(end, text.indexOf(']', end)) + 1;
    while (isOfAddress(text.charCodeAt(end))) end++;
    yield { start: start + 1, end };
    sign = emailSignFrom(text, end);
  }
}

function* each(text: string, from: (text: string, place: number) => Place | undefined): Generator<Place> {
  for (let place = from(text, 0); place !== undefined; place = from(text, place.end)) yield place;
}

function* matches(pattern: RegExp, text: string): Generator<Place> {
  for (const { 0: found, index } of text.matchAll(pattern)) yield { start: index, end: index + found.length };
}

const hyphenated = new RegExp(HYPHENATED_IPV4, 'g');
const decimalHosts = new RegExp(DECIMAL_HOST, 'g');

/** E-mail and IP addresses: a tenant's own data, unless the operator wants none of them. */
export const ADDRESS_RULES: readonly PlaceRule[] = [
  { id: 'value.email', mayBeIn: (text) => text.includes('@'), placesIn: emails },
  { id: 'value.ipv4', mayBeIn: (text) => /\d/.test(text), placesIn: (text) => each(text, ipv4From) },
  {
    id: 'value.ipv4',
    mayBeIn: (text) => HYPHENATED_IPV4.test(text),
    placesIn: (text) => matches(hyphenated, text),
  },
  {
    id: 'value.ipv4',
    mayBeIn: (text) => text.includes('://'),
    placesIn: (text) => matches(decimalHosts, text),
  },
  { id: 'value.ipv6', mayBeIn: (text) => text.includes(':'), placesIn: (text) => each(text, ipv6From) },
];
