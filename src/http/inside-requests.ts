import type { Caller } from './context.ts';

/** An internal request, without its path. */
export interface Asked {
  /** Sent as JSON with POST; without a body, the request is a GET. */
  readonly body?: unknown;
  /** The idempotency key. */
  readonly once?: string | undefined;
  /** The external request that waits for the answer. */
  readonly outer: Request;
}

/** Internal requests to this service's own API, for signed-in users. External requests cannot be marked as internal. */
export class InsideRequests {
  readonly #callers = new WeakMap<Request, Caller>();

  /** @param path includes the query */
  make(caller: Caller, path: string, { body, once, outer }: Asked): Request {
    // A listener accepts only URLs of its own scheme.
    const scheme = outer.url.startsWith('https:') ? 'https' : 'http';
    const request = new Request(`${scheme}://inside.invalid${path}`, {
      signal: outer.signal,
      ...(once === undefined ? {} : { headers: { 'idempotency-key': once } }),
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    this.#callers.set(request, caller);
    return request;
  }

  /** The caller of an internal request; undefined for external requests. */
  readonly callerOf = (request: Request): Caller | undefined => this.#callers.get(request);
}
