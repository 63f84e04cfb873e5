import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipWithCallback } from 'node:zlib';
import { loadOnce } from '../lib/load-once.ts';
import { acceptsGzip } from './accept-encoding.ts';
import { complete, GUARDING_HEADERS, type HookContext } from './context.ts';

const gzip = promisify(gzipWithCallback);

/** A content in one coding, ready to send. */
export interface Representation {
  /** Unlike an array, the runtime sends it to every reader without copying it first. */
  readonly body: Blob;
  /** Strong; a function of the content and its coding alone. */
  readonly etag: string;
  /** What all answers with it share, made once. */
  readonly headers: { readonly whole: Headers; readonly unchanged: Headers };
}

/** A content in both codings, serialised once for all its readers. */
export interface Representations {
  readonly identity: Representation;
  readonly gzip: Representation;
}

type ContentHeaders = Readonly<Record<'content-type' | 'cache-control' | (string & {}), string>>;

/**
 * Serialises a content for {@link answerFrom}.
 *
 * @param headers of every answer that carries it; a 304 repeats `cache-control` alone
 */
export async function represent(
  text: string | Uint8Array<ArrayBuffer>,
  headers: ContentHeaders,
): Promise<Representations> {
  const digest = hash('sha256', text, 'base64url');
  const representation = (
    bytes: string | Uint8Array<ArrayBuffer>,
    etag: string,
    coding?: string,
  ): Representation => {
    const shared = {
      ...GUARDING_HEADERS,
      'cache-control': headers['cache-control'],
      etag,
      vary: 'Accept-Encoding',
    };
    const body = new Blob([bytes]);
    return {
      body,
      etag,
      headers: {
        whole: new Headers({
          ...headers,
          ...shared,
          // Not every runtime tells how long a Blob is.
          'content-length': String(body.size),
          ...(coding === undefined ? {} : { 'content-encoding': coding }),
        }),
        unchanged: new Headers(shared),
      },
    };
  };
  return {
    identity: representation(text, `"${digest}"`),
    gzip: representation(new Uint8Array(await gzip(text)), `"${digest}-gzip"`, 'gzip'),
  };
}

/** Answers a GET or HEAD from memory: 304 when the client has the content already, else 200 in a coding that it takes. */
export function answerFrom({ request, set }: HookContext, content: Representations): Response {
  const { body, headers } = acceptsGzip(request) ? content.gzip : content.identity;
  if (isKnown(request, content)) return complete(set, 304, null, headers.unchanged);
  return complete(set, 200, body, headers.whole);
}

/** A handler for a content that never changes, which is made when it is first asked for. */
export function answerFixed(
  content: () => string | Uint8Array<ArrayBuffer> | Promise<string>,
  headers: ContentHeaders,
) {
  const made = loadOnce(async () => represent(await content(), headers));
  return async ({ request, set }: HookContext): Promise<Response> =>
    answerFrom({ request, set }, await made());
}

/** ETags that are looked at; a client has one or two of the same content. */
const TAGS_MAX = 16;

/** Weak comparison, as If-None-Match asks for; any coding of the same content matches. */
function isKnown(request: Request, { identity, gzip }: Representations): boolean {
  const condition = request.headers.get('if-none-match');
  if (condition === null) return false;
  if (condition === identity.etag || condition === gzip.etag || condition.trim() === '*') return true;
  const tags = condition.split(',', TAGS_MAX).map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(identity.etag) || tags.includes(gzip.etag);
}
