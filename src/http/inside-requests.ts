import type { Caller } from './context.ts';

/** The parts of a request in addition to its path. */
export interface Asked {
  /** As JSON; with one it is a POST, without one a GET. */
  readonly body?: unknown;
  /** What the request is called, so that one that is sent again does nothing more. */
  readonly once?: string | undefined;
  /** The request from outside that waits for the answer. */
  readonly outer: Request;
}

/** Requests that the service makes to its own interface, for a signed-in person. No request from outside is one. */
export class InsideRequests {
  readonly #callers = new WeakMap<Request, Caller>();

  /** @param path with its query, below the host */
  make(caller: Caller, path: string, { body, once, outer }: Asked): Request {
    // A listener takes addresses of its own scheme alone.
    const scheme = outer.url.startsWith('https:') ? 'https' : 'http';
    const request = new Request(`${scheme}://inside.invalid${path}`, {
      signal: outer.signal,
      ...(once === undefined ? {} : { headers: { 'idempotency-key': once } }),
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    this.#callers.set(request, caller);
    return request;
  }

  /** For whom a request was made here. */
  readonly callerOf = (request: Request): Caller | undefined => this.#callers.get(request);
}
