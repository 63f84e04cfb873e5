import { isDigit, isHexDigit, isLetter, isLetterOrDigit } from './characters.ts';
import type { Place } from './place.ts';

/** An addr-spec of RFC 5322 with a domain or an address literal, and also `account@host`. */
export const hasEmailAddress = (text: string): boolean => emailSignFrom(text, 0) >= 0;

/** The place of the first one's `@` from a place on; -1 without any. */
export function emailSignFrom(text: string, from: number): number {
  for (let at = text.indexOf('@', from); at >= 0; at = text.indexOf('@', at + 1)) {
    const before = text.charCodeAt(at - 1);
    const next = text.charCodeAt(at + 1);
    if (isSpace(before) || isSpace(next)) {
      const localEnd = isSpace(before) ? at - 2 : at - 1;
      const isLocal = isLocalPartEnd(text.charCodeAt(localEnd));
      if (isLocal && hasNamedLabel(text, isSpace(next) ? at + 2 : at + 1)) return at;
      continue;
    }
    if (!isLocalPartEnd(before)) continue;
    if (isLetter(next) || next > 0x7f || next === OPEN_BRACKET) return at;
    if (isDigit(next) && hasNamedLabel(text, at + 1)) return at;
  }
  return -1;
}

const isLocalPartEnd = (code: number): boolean =>
  isLetterOrDigit(code) || code > 0x7f || LOCAL_PART_SIGNS.has(code);

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** A domain may start with a digit (163.com), but `tool@1.2.3` is a version. */
function hasNamedLabel(text: string, start: number): boolean {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT && isLetter(text.charCodeAt(at + 1))) return true;
    if (code !== DOT && code !== HYPHEN && !isLetterOrDigit(code)) return false;
  }
}

/**
 * An IPv4 address: four parts of decimal, octal or hexadecimal (`10.4.0.1`, `0177.0.0.01`, `0x7f.0.0.1`), or
 * fewer with a hexadecimal one (`0x7f.1`, `0x7f000001`), or one decimal number as a URL's host.
 *
 * Versions: an address and a version of four small numbers look the same, so `10.4.0.1` is refused, in
 * `agentVersion` too. A version has three parts, or a part over 255, or a leading `v`: these pass.
 */
export const hasIpv4Address = (text: string): boolean =>
  ipv4From(text, 0) !== undefined || (text.includes('://') && DECIMAL_HOST.test(text));

/** The first one from a place on, but for a decimal number. */
export function ipv4From(text: string, from: number): Place | undefined {
  for (let i = from; i < text.length; i++) {
    if (!isDigit(text.charCodeAt(i)) || !startsNumber(text, i)) continue;
    const end = ipv4End(text, i);
    if (end !== undefined) return { start: i, end };
  }
  return undefined;
}

/** An IPv4 address with hyphens or underscores for dots, as host names and file names have it: `ip-10-0-0-1`. */
export const hasHyphenatedIpv4Address = (text: string): boolean => HYPHENATED_IPV4.test(text);

/** The first digit of a number that is not itself a later part of a dotted number, nor of a `v` version. */
function startsNumber(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (isDigit(before)) return false;
  if (before === DOT) return !isDigit(text.charCodeAt(at - 2));
  return !((before | 0x20) === LETTER_V && !isLetterOrDigit(text.charCodeAt(at - 2)));
}

/** The end of the address that starts at a place, if any. */
function ipv4End(text: string, start: number): number | undefined {
  let at = start;
  let hexadecimal = false;
  for (let parts = 1; ; parts++) {
    const isHex = text.charCodeAt(at) === ZERO && (text.charCodeAt(at + 1) | 0x20) === LETTER_X;
    const from = isHex ? at + 2 : at;
    let end = from;
    while (end - from < IPV4_PART_MAX && (isHex ? isHexDigit : isDigit)(text.charCodeAt(end))) {
      end++;
    }
    if (end === from || isDigit(text.charCodeAt(end))) return undefined;
    if (isHex) {
      hexadecimal = true;
      if (isLetterOrDigit(text.charCodeAt(end))) return undefined;
    } else if (text.charCodeAt(from) === ZERO) {
      if (Number.parseInt(text.slice(from, end), 8) > 255) return undefined;
    } else if (Number(text.slice(from, end)) > 255) return undefined;
    const more = text.charCodeAt(end) === DOT && isDigit(text.charCodeAt(end + 1));
    if (parts === 4) return more ? undefined : end;
    if (!more) return hexadecimal && (parts > 1 || end - from === 8) ? end : undefined;
    at = end + 1;
  }
}

/**
 * An IPv6 address in every form of RFC 4291: full, compressed, mapped (`::ffff:1.2.3.4`), with brackets, a
 * zone or a prefix length around it. Times (`12:00:00`) have neither eight groups nor `::`.
 */
export const hasIpv6Address = (text: string): boolean => ipv6From(text, 0) !== undefined;

/** The first one from a place on. */
export function ipv6From(text: string, place: number): Place | undefined {
  let start = place;
  for (let i = place; i <= text.length; i++) {
    const code = text.charCodeAt(i);
    if (isHexDigit(code) || code === COLON || code === DOT) continue;
    if (i - start >= IPV6_LENGTH_MIN && !isLetterOrDigit(code)) {
      const glued = isLetterOrDigit(text.charCodeAt(start - 1));
      const from = glued ? text.indexOf(':', start) + 1 : start;
      if ((!glued || from > start) && i - from <= IPV6_LENGTH_MAX && isIpv6(text.slice(from, i)))
        return { start: from, end: i };
    }
    start = i + 1;
  }
  return undefined;
}

function isIpv6(run: string): boolean {
  const trimmed = run.replace(/^:(?!:)/, '').replace(/\.$|(?<!:):$/, '');
  const halves = trimmed.split('::');
  if (halves.length > 2 || !/[0-9a-f]/i.test(trimmed)) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    if (half === '') continue;
    const parts = half.split(':');
    const last = parts.at(-1) ?? '';
    if (index === halves.length - 1 && last.includes('.')) {
      if (!DOTTED_QUAD.test(last)) return false;
      parts.pop();
      groups += 2;
    }
    if (!parts.every((part) => IPV6_GROUP.test(part))) return false;
    groups += parts.length;
  }
  return halves.length === 2 ? groups <= 7 : groups === 8;
}

/** A MAC address (EUI-48, EUI-64) in pairs with colons, hyphens, underscores or spaces between. */
export const hasMacAddress = (text: string): boolean => MAC_PAIRS.test(text);

/** A MAC address in Cisco's groups of four with dots between. */
export const hasDottedMacAddress = (text: string): boolean =>
  text.length >= DOTTED_MAC_LENGTH && MAC_DOTTED.test(text);

const PART = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
export const HYPHENATED_IPV4 = new RegExp(
  `(?<![\\dvV]|\\d[-_])${PART}([-_])${PART}\\1${PART}\\1${PART}(?![-_]?\\d|[A-Za-z])`,
);
const MAC_PAIRS =
  /(?<![0-9a-z])[0-9a-f]{2}([:_ -])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?:(?:\1[0-9a-f]{2}){2})?(?![0-9a-z])/i;
const MAC_DOTTED = /(?<![0-9a-z.])[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?![0-9a-z.])/i;
export const DECIMAL_HOST = /:\/\/(?:[^@/\s]{0,64}@)?\d{8,10}(?![\w.])/;
const DOTTED_QUAD = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;
const IPV6_GROUP = /^[0-9a-f]{1,4}$/i;
const IPV6_LENGTH_MIN = 3;
const IPV6_LENGTH_MAX = 48;
const DOTTED_MAC_LENGTH = 14;
const IPV4_PART_MAX = 12;
const LOCAL_PART_SIGNS: ReadonlySet<number> = new Set(
  [...`"'_+-%~!#$&*/=?^{|}.\``].map((sign) => sign.charCodeAt(0)),
);
const OPEN_BRACKET = 0x5b;
const COLON = 0x3a;
const DOT = 0x2e;
const HYPHEN = 0x2d;
const ZERO = 0x30;
const LETTER_V = 0x76;
const LETTER_X = 0x78;
