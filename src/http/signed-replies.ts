import type { KeyObject } from 'node:crypto';
import type { Awaitable } from '../lib/awaitable.ts';
import { SECOND_MS } from '../lib/clock.ts';
import {
  contentDigest,
  signComponents,
  type WantedSignature,
  wantedSignature,
} from '../lib/http-signature.ts';
import { pathOf, targetOf } from '../lib/url-path.ts';

/** The request header that asks for a signature. */
export const ACCEPT_SIGNATURE = 'Accept-Signature';

export interface SigningRules {
  /** The path whose answers are signed. */
  readonly path: string;
  /** The configured public address of this service. Behind a proxy, the URL that the client requested is not known otherwise. */
  readonly baseUrl: string | undefined;
  /** The current signing key; undefined or a rejection if there is none. */
  readonly signer: () => Promise<{ readonly kid: string; readonly privateKey: KeyObject } | undefined>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Signs answers of one path for clients that ask for it. Other answers are unchanged. */
export const signReplies =
  (fetch: (request: Request) => Awaitable<Response>, rules: SigningRules) =>
  (request: Request): Awaitable<Response> => {
    const asked = request.headers.get(ACCEPT_SIGNATURE);
    if (asked === null || pathOf(request.url) !== rules.path) return fetch(request);
    const wanted = wantedSignature(asked);
    return wanted === undefined ? fetch(request) : signed(request, wanted, fetch, rules);
  };

/**
 * Statuses that are not signed: rate-limited requests must not cost a key lookup, and a request must not wait for a key while
 * the database is unavailable. Clients treat neither as a license result.
 */
const isNoAnswer = (status: number): boolean => status === 429 || status >= 500;

async function signed(
  request: Request,
  { label, nonce }: WantedSignature,
  fetch: (request: Request) => Awaitable<Response>,
  { baseUrl, path, signer, now }: SigningRules,
): Promise<Response> {
  const { method, url } = request;
  const answer = await fetch(request);
  if (isNoAnswer(answer.status)) return answer;
  // Without the database there is no key. Clients that asked for a signature ignore unsigned answers.
  const key = await signer().catch(() => undefined);
  if (key === undefined) return answer;
  const body = new Uint8Array(await answer.arrayBuffer());
  const digest = contentDigest(body);
  const { input, signature } = signComponents(
    label,
    [
      ['"@status"', String(answer.status)],
      ['"content-digest"', digest],
      ['"@method";req', method],
      baseUrl === undefined ? ['"@path";req', path] : ['"@target-uri";req', baseUrl + targetOf(url)],
    ],
    { created: Math.floor(now() / SECOND_MS), nonce, keyid: key.kid, alg: 'ed25519' },
    key.privateKey,
  );
  const headers = new Headers(answer.headers);
  headers.set('content-digest', digest);
  headers.set('signature-input', input);
  headers.set('signature', signature);
  return new Response(body, { status: answer.status, headers });
}
