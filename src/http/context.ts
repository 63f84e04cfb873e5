/** The part of Elysia's context that our hooks use. */
export interface HookContext {
  readonly request: Request;
  readonly set: { status?: number | string; readonly headers: Record<string, string | number> };
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
