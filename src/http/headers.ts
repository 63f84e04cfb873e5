import { randomUUID } from 'node:crypto';
import { refuse } from '../domain/refusal.ts';
import { pathOf } from '../lib/url-path.ts';
import { type Caller, GUARDING_HEADERS, HEADER, type HookContext, KIB } from './context.ts';

/** Excludes scheme and authority. */
export const URL_CHARACTERS_MAX = 8 * KIB;

/**
 * Sets the headers of all answers, including those to unknown paths.
 *
 * @param insideCallerOf the caller of an internal request
 * @param hsts value of Strict-Transport-Security; undefined = no header
 */
export const stampHeaders =
  (
    version: string,
    hsts: string | undefined,
    monotonicMs: () => number,
    bodyMsMax: number,
    insideCallerOf: (request: Request) => Caller | undefined,
  ) =>
  ({ request, set }: HookContext): void => {
    const requestId = randomUUID();
    set.exchange = { requestId, startedAt: monotonicMs(), bodyMsMax, inside: insideCallerOf(request) };
    const { headers } = set;
    headers[HEADER.version] = version;
    headers[HEADER.requestId] = requestId;
    headers['x-content-type-options'] = GUARDING_HEADERS['x-content-type-options'];
    headers['cache-control'] = GUARDING_HEADERS['cache-control'];
    if (hsts !== undefined) headers['strict-transport-security'] = hsts;
  };

/** Refuses URLs over the cap, not counting scheme and authority, which the runtime adds. */
export const capUrl = ({ request }: HookContext): void => {
  const { url } = request;
  if (url.length <= URL_CHARACTERS_MAX) return;
  if (url.length - url.indexOf('/', url.indexOf('//') + 2) > URL_CHARACTERS_MAX) {
    throw refuse('URI_TOO_LONG', 'The request URL is longer than 8 KiB.');
  }
};

/** Total size of all names, values and separators. */
const HEADER_CHARACTERS_MAX = 32 * KIB;
const BETWEEN_CHARACTERS = ': \r\n'.length;

/** Refuses headers over the cap. The runtime itself refuses much larger ones. */
export const capHeaders = ({ request: { headers } }: HookContext): void => {
  let characters = 0;
  // Twice as fast as an iterator.
  headers.forEach((value, name) => {
    characters += name.length + value.length + BETWEEN_CHARACTERS;
  });
  if (characters > HEADER_CHARACTERS_MAX)
    throw refuse('HEADERS_TOO_LARGE', 'The headers are larger than 32 KiB.');
};

const TLS_PATH_STARTS_AT_MIN = 'https://abc'.length;

/**
 * Refuses requests whose address could be read as another route: a repeated `Host`, of which another server may use the other
 * value; a `Host` that does not give a complete URL of the listener's scheme; one so short that Elysia would look for the path
 * of a TLS request in the wrong place; and request lines with a URL of the other scheme.
 */
export const refuseOddHost =
  (overTls: boolean) =>
  ({ request: { url, headers } }: HookContext): void => {
    const isWhole = overTls
      ? url.startsWith('https:') && url.indexOf('/', 'https://'.length) >= TLS_PATH_STARTS_AT_MIN
      : url.startsWith('http:');
    if (!isWhole || headers.get('host')?.includes(',')) {
      throw refuse('INVALID_HOST', 'The Host header is missing, repeated or malformed.');
    }
  };

/**
 * Refuses paths that match a route only after normalization, such as `/x/..\\metrics`: a proxy that protects a route by its
 * path would let them through. Requires {@link refuseOddHost}, because only in complete URLs the path follows the host.
 *
 * @param isTidied whether the runtime may have normalized the path
 */
export const refuseTidiedPath =
  (isTidied: (request: Request) => boolean, isKnown: (path: string) => boolean) =>
  ({ request }: HookContext): void => {
    if (!isTidied(request)) return;
    const path = pathOf(request.url);
    if (path.includes('\\') || isKnown(path)) {
      throw refuse('INVALID_PATH', 'The path contains a backslash or dot segments.');
    }
  };
