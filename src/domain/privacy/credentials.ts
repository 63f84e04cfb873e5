import { isLetterOrDigit } from './characters.ts';
import { definedSecrets, mayNameSecret, namedSecrets } from './named-secrets.ts';
import type { Place, PlaceRule } from './place.ts';
import {
  TOKEN_FORMATS,
  TOKEN_SHAPES,
  type TokenFormat,
  type TokenShape,
  tokenPattern,
} from './provider-tokens.ts';
import { hasConnectionUrl, jwtFrom } from './secrets.ts';

/** A token may be longer than its format allows: remove all of it. */
const TOKEN_END = /[^\s"'`<>()[\]{}|,;&]*/y;

/** Each match of a global pattern, extended by a sticky one. No text is read twice. */
function* matches(pattern: RegExp, text: string, rest = TOKEN_END): Generator<Place> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    pattern.lastIndex = endOf(rest, text, pattern.lastIndex);
    yield { start: match.index, end: pattern.lastIndex };
  }
}

/** The end of a sticky pattern's match, which may be empty. */
function endOf(sticky: RegExp, text: string, start: number): number {
  sticky.lastIndex = start;
  sticky.test(text);
  return sticky.lastIndex;
}

/**
 * Whether a condition is true at one of the places of a word; native search is fast even without a regular-expression compiler.
 */
function isBeside(text: string, word: string, holds: (at: number) => boolean): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) if (holds(at)) return true;
  return false;
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  if (at < 0) return false;
  sticky.lastIndex = at;
  return sticky.test(text);
}

const ofFormat = (format: TokenFormat): PlaceRule => {
  const all = tokenPattern(format);
  const here = new RegExp(all, 'y');
  return {
    id: format.id,
    mayBeIn: (text) =>
      format.prefixes.some((prefix) => isBeside(text, prefix, (at) => matchesAt(here, text, at))),
    placesIn: (text) => matches(all, text),
  };
};

const ofShape = ({ id, anchor, startsBefore, isLikelyAt, pattern }: TokenShape): PlaceRule => {
  const all = new RegExp(pattern, 'g');
  const here = new RegExp(pattern, 'y');
  return {
    id,
    mayBeIn: (text) =>
      isBeside(
        text,
        anchor,
        (at) =>
          isLikelyAt?.(text, at) !== false &&
          startsBefore.some((distance) => matchesAt(here, text, at - distance)),
      ),
    placesIn: (text) => matches(all, text),
  };
};

function* jwts(text: string): Generator<Place> {
  for (let start = jwtFrom(text, 0); start !== undefined; ) {
    const end = endOf(TOKEN_END, text, start);
    yield { start, end };
    start = jwtFrom(text, end);
  }
}

const PEM_LINE = /-{4,5} ?(BEGIN|END)[A-Z0-9 ]{1,40}PRIVATE KEY(?: BLOCK)? ?-{0,5}|PuTTY-User-Key-File-/g;

/** From the first to the last line of a block; a truncated block extends to the end of the text. */
function* privateKeyBlocks(text: string): Generator<Place> {
  let start = 0;
  let isOpen = false;
  for (const { 0: line, 1: border, index } of text.matchAll(PEM_LINE)) {
    if (border === 'END') {
      yield { start, end: index + line.length };
      start = index + line.length;
    } else if (!isOpen) start = index;
    isOpen = border !== 'END';
  }
  if (isOpen) yield { start, end: text.length };
}

const SSH_PRIVATE_KEY = /b3BlbnNzaC1rZXkt/g;
const BASE64_LINES = /(?:[A-Za-z0-9+/=]|\\n|\r?\n)*/y;

const SCHEME_CHARACTERS_MAX = 32;
const WEB_SCHEME = /^(?:https?|wss?)$/i;
const JDBC = /jdbc:[a-z0-9]{2,20}:/gi;
const AUTHORITY = /[^/?#\\\s"'<>]*/y;
const WHOLE_URL = /[^\s"'<>]*/y;

/** The text before the last `@` of a pattern's match at a place, and the end of the match. */
function loginAt(text: string, start: number, pattern: RegExp): { login: Place; end: number } {
  const end = endOf(pattern, text, start);
  return { login: { start, end: start + Math.max(0, text.slice(start, end).lastIndexOf('@')) }, end };
}

/** The scheme that ends at a place. */
function schemeBefore(text: string, end: number): string {
  let start = end;
  while (end - start < SCHEME_CHARACTERS_MAX && isOfScheme(text.charCodeAt(start - 1))) start--;
  return text.slice(start, end);
}

const isOfScheme = (code: number): boolean =>
  isLetterOrDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e;

/** The logins of URLs of the web, or of databases and other services, whose passwords may hold any sign. */
function* urlLogins(text: string, isWanted: (scheme: string) => boolean): Generator<Place> {
  for (let at = text.indexOf('://'); at >= 0; ) {
    const scheme = schemeBefore(text, at);
    const { login, end } = loginAt(text, at + 3, WEB_SCHEME.test(scheme) ? AUTHORITY : WHOLE_URL);
    if (login.end > login.start && isWanted(scheme)) yield login;
    at = text.indexOf('://', end);
  }
}

function* jdbcLogins(text: string): Generator<Place> {
  JDBC.lastIndex = 0;
  while (JDBC.test(text)) {
    const { login, end } = loginAt(text, JDBC.lastIndex, WHOLE_URL);
    if (login.end > login.start) yield login;
    JDBC.lastIndex = end;
  }
}

const isConnection = (scheme: string): boolean => hasConnectionUrl(`${scheme}://`);

const AUTH_SCHEME = /\b(?:bearer|basic) +([A-Za-z0-9._~+/=-]{8,})/gi;
/** `basic authentication`, `bearer token/rate-limit`. */
const isWords = (value: string): boolean =>
  value.split(/[._~+/=-]/).every((part) => /^(?:[A-Z]?[a-z]{0,18}|[A-Z]{0,18})$/.test(part));

function* authorizations(text: string): Generator<Place> {
  for (const { 0: whole, 1: value = '', index } of text.matchAll(AUTH_SCHEME)) {
    const end = index + whole.length;
    if (!isWords(value)) yield { start: end - value.length, end };
  }
}

/**
 * The rules of the gate that recognize credentials, the most specific first: telemetry is stored without these. The gate's
 * other rules are about people, machines and files, which are the purpose of a tenant's telemetry; random strings there are
 * file hashes and ids. Public keys and certificates are no credentials.
 */
export const CREDENTIAL_RULES: readonly PlaceRule[] = [
  ...TOKEN_FORMATS.map(ofFormat),
  ...TOKEN_SHAPES.map(ofShape),
  { id: 'value.jwt', mayBeIn: (text) => text.includes('eyJ'), placesIn: jwts },
  {
    id: 'value.pem',
    mayBeIn: (text) => text.includes('PRIVATE KEY') || text.includes('PuTTY-User-Key-File-'),
    placesIn: privateKeyBlocks,
  },
  {
    id: 'value.ssh-key',
    mayBeIn: (text) => text.includes('b3BlbnNzaC1rZXkt'),
    placesIn: (text) => matches(SSH_PRIVATE_KEY, text, BASE64_LINES),
  },
  {
    id: 'value.connection-string',
    mayBeIn: (text) => text.includes('@') && text.includes('://'),
    placesIn: (text) => urlLogins(text, isConnection),
  },
  {
    id: 'value.connection-string',
    mayBeIn: (text, small) => text.includes('@') && small.includes('jdbc:'),
    placesIn: jdbcLogins,
  },
  {
    id: 'value.url-login',
    mayBeIn: (text) => text.includes('@') && text.includes('://'),
    placesIn: (text) => urlLogins(text, (scheme) => !isConnection(scheme)),
  },
  {
    id: 'value.named-secret',
    mayBeIn: mayNameSecret,
    placesIn: namedSecrets,
  },
  { id: 'value.named-secret', mayBeIn: (text) => text.includes('define('), placesIn: definedSecrets },
  {
    id: 'value.named-secret',
    mayBeIn: (_, small) => small.includes('bearer ') || small.includes('basic '),
    placesIn: authorizations,
  },
];
