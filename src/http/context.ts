import type { Author } from '../domain/admin/author.ts';
import type { License, Standing } from '../domain/license/license.ts';
import type { Verification } from '../domain/license/verification.ts';
import type { SignInAttempt } from './sign-in-counts.ts';

/** The license of a Bearer key. It alone determines the tenant; fields of the body do not. */
export interface Caller {
  readonly license: License;
  readonly standing: Standing;
  /** Absent in sessions of the portal. */
  readonly key?: string;
  /** The actor in the audit log. */
  readonly author?: Author;
}

/** The state of a request, from its arrival until its answer. */
export interface Exchange {
  readonly requestId: string;
  /** Milliseconds on the monotonic clock. */
  readonly startedAt: number;
  /** Maximum time until the body has arrived, in milliseconds. */
  readonly bodyMsMax: number;
  /** Set by {@link complete}. */
  status?: number;
  /** The caller's address as rate limits count it; computed on first use. */
  address?: string;
  /** Whole seconds until all limits that the request counts against have a token again. */
  nextInSeconds?: number;
  /** The license of the key, once found, valid or not. */
  licenseId?: number;
  /** The name of its valid token. */
  tokenName?: string;
  /** The operator signed in to the console. */
  operatorName?: string;
  /** The caller of an internal request, which is exempt from limits and logs. */
  readonly inside?: Caller | undefined;
  /** Set when a client attempts to sign in. */
  signIn?: SignInAttempt;
  /** license/verify only. */
  verification?: Verification;
  /** Refusals of license/verify only: the domain as sent. */
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

/** The ID of a request, for the audit log. */
export const requestIdOf = ({ set }: Pick<HookContext, 'set'>): string | undefined => set.exchange?.requestId;

/** Default headers of all answers: no caching, no guessing of types. */
export const GUARDING_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/**
 * Creates an answer that Elysia sends unchanged. Elysia would copy the body of any other `Response` through a stream to add
 * its headers, which is most of the cost of a route that answers from memory.
 *
 * @param fixed headers shared by many answers, including the guarding ones; copying them is much cheaper than building them
 */
export function complete(
  set: HookContext['set'],
  status: number,
  body: Blob | ReadableStream<Uint8Array> | string | null,
  fixed?: Headers,
): Response {
  const response = new Response(body, fixed === undefined ? { status } : { status, headers: fixed });
  // A copy of `fixed`, which can be changed.
  const { headers } = response;
  for (const name in set.headers) {
    if (fixed === undefined || !(name in GUARDING_HEADERS)) headers.set(name, String(set.headers[name]));
  }
  if (set.exchange) set.exchange.status = status;
  set.headers = {};
  return response;
}

export const KIB = 1024;

/** Header names in lower case, as runtimes send them. */
export const HEADER = {
  version: 'x-service-version',
  requestId: 'x-request-id',
  remaining: 'x-ratelimit-remaining',
  limit: 'x-ratelimit-limit',
  retryAfter: 'retry-after',
} as const;
