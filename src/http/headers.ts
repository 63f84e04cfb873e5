import { randomUUID } from 'node:crypto';
import { refuse } from '../domain/refusal.ts';
import { pathOf } from '../lib/url-path.ts';
import { type Caller, GUARDING_HEADERS, HEADER, type HookContext, KIB } from './context.ts';

/** Of a URL without its scheme and authority. */
export const URL_CHARACTERS_MAX = 8 * KIB;

/**
 * Sets the headers of every answer, known path or not.
 *
 * @param insideCallerOf for whom the service itself asks
 * @param hsts how browsers shall insist on TLS; undefined where it is not ours to say
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

/** Refuses a URL over the cap; the scheme and authority, which runtimes add, do not count. */
export const capUrl = ({ request }: HookContext): void => {
  const { url } = request;
  if (url.length <= URL_CHARACTERS_MAX) return;
  if (url.length - url.indexOf('/', url.indexOf('//') + 2) > URL_CHARACTERS_MAX) {
    throw refuse('URI_TOO_LONG', 'The request URL is longer than 8 KiB.');
  }
};

/** Of all headers together, with what stands between them. */
const HEADER_CHARACTERS_MAX = 32 * KIB;
const BETWEEN_CHARACTERS = ': \r\n'.length;

/** Refuses headers over the cap. Those far over it, the runtime refuses by itself. */
export const capHeaders = ({ request: { headers } }: HookContext): void => {
  let characters = 0;
  // Twice as fast as iterating.
  headers.forEach((value, name) => {
    characters += name.length + value.length + BETWEEN_CHARACTERS;
  });
  if (characters > HEADER_CHARACTERS_MAX)
    throw refuse('HEADERS_TOO_LARGE', 'The headers are larger than 32 KiB.');
};

const TLS_PATH_STARTS_AT_MIN = 'https://abc'.length;

/**
 * Refuses a second `Host`, of which another server may believe the other one; a `Host` from which the runtime
 * makes no whole address of our scheme, or one so short that a TLS request's path would be read from a wrong place: either
 * could reach another route than its path names. So could a request line with an address of the other scheme.
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
 * Refuses a path that leads to a route only once it is tidied up, as `/x/..\\metrics` does: a proxy that guards a
 * route by its path would let it through. After {@link refuseOddHost}: only whole addresses have their path behind the host.
 *
 * @param isTidied whether the path may be another one than was sent
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
