import type { Author } from '../domain/admin/author.ts';
import type { License, Standing } from '../domain/license/license.ts';
import type { Verification } from '../domain/license/verification.ts';
import type { SignInAttempt } from './sign-in-counts.ts';

/** Who a Bearer key belongs to. The tenant is this license and nothing that a body says. */
export interface Caller {
  readonly license: License;
  readonly standing: Standing;
  /** Absent for a session of the portal. */
  readonly key?: string;
  /** Who acts, where the audit log is to have it. */
  readonly author?: Author;
}

/** What is known of a request from its first moment; lives as long as its answer is being made. */
export interface Exchange {
  readonly requestId: string;
  /** On the monotonic clock, in milliseconds. */
  readonly startedAt: number;
  /** How long its body may take to arrive, in milliseconds. */
  readonly bodyMsMax: number;
  /** Of an answer that {@link complete} made. */
  status?: number;
  /** Whom rate limits count this request for, once one has asked. */
  address?: string;
  /** Whole seconds until every limit that it drew from has a token again. */
  nextInSeconds?: number;
  /** The license of its key, once found, valid or not. */
  licenseId?: number;
  /** The name of the token that it came with, once that has been found to work. */
  tokenName?: string;
  /** Who has signed in to the console, once that is known. */
  operatorName?: string;
  /** For whom the service itself asks, which no limit and no log counts. */
  readonly inside?: Caller | undefined;
  /** Set by an attempt to sign in. */
  signIn?: SignInAttempt;
  /** Of a request to license/verify. */
  verification?: Verification;
  /** The domain in a refused request to license/verify, as it was sent. */
  refusedDomain?: string | undefined;
}

/** The part of Elysia's context that our hooks use. */
export interface HookContext {
  readonly request: Request;
  readonly set: {
    status?: number | string;
    headers: Record<string, string | number>;
    exchange?: Exchange;
  };
}

/** The id of a request, for the audit log. */
export const requestIdOf = ({ set }: Pick<HookContext, 'set'>): string | undefined => set.exchange?.requestId;

/** What every answer says, so that nothing keeps it or takes it for another type, unless a route says otherwise. */
export const GUARDING_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/**
 * Makes an answer that Elysia sends as it is. Elysia merges its headers into any other `Response` by way
 * of a stream, which costs more than everything else on a route that answers from memory.
 *
 * @param fixed headers that many answers share, the guarding ones among them; copying them costs a fraction of making them
 */
export function complete(
  set: HookContext['set'],
  status: number,
  body: Blob | ReadableStream<Uint8Array> | string | null,
  fixed?: Headers,
): Response {
  const response = new Response(body, fixed === undefined ? { status } : { status, headers: fixed });
  // Of its own now, so that the fixed ones were copied once.
  const { headers } = response;
  for (const name in set.headers) {
    if (fixed === undefined || !(name in GUARDING_HEADERS)) headers.set(name, String(set.headers[name]));
  }
  if (set.exchange) set.exchange.status = status;
  set.headers = {};
  return response;
}

export const KIB = 1024;

/** Header names, lower-case as the runtimes send them. */
export const HEADER = {
  version: 'x-service-version',
  requestId: 'x-request-id',
  remaining: 'x-ratelimit-remaining',
  limit: 'x-ratelimit-limit',
  retryAfter: 'retry-after',
} as const;
