import { expect } from 'bun:test';
import { type Contract, violation } from './conformance.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any shape and asserts on it
  readonly json: any;
}

export interface Request {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** Disconnects. */
  readonly signal?: AbortSignal;
}

export const API = '/api/v1';
/** The URL of a file with a name that changes with its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Calls a path and checks the guarantees of every answer: its headers, and its schema in the contract of the
 * API or another.
 */
export async function call(
  base: string,
  path: string,
  { method, key, headers, body, signal }: Request = {},
  contract?: Contract,
): Promise<Reply> {
  const raw =
    body === undefined ||
    typeof body === 'string' ||
    body instanceof Uint8Array ||
    body instanceof ReadableStream;
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  const response = await fetch(base + path, {
    method: verb,
    headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
    ...(signal ? { signal } : {}),
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  expectHeaders(response.headers);
  const json = parse(text);
  expect(violation(verb, path, response, json, contract)).toBeUndefined();
  return { status: response.status, headers: response.headers, text, json };
}

/** The headers that every response carries. */
export function expectHeaders(headers: Headers): void {
  expect(headers.get('x-service-version')).toMatch(/^\d+\.\d+\.\d+/);
  expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('retry-after') ?? '1').toMatch(/^[1-9]\d*$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBeOneOf(
    headers.has('etag')
      ? ['no-cache', 'private, no-cache', 'public, max-age=300', 'public, max-age=3600', IMMUTABLE]
      : ['no-store'],
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text as a body without a declared length. */
export function chunked(text: string): ReadableStream {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 4096) controller.enqueue(bytes.slice(at, at + 4096));
      controller.close();
    },
  });
}
