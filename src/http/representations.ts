import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipWithCallback } from 'node:zlib';
import { loadOnce } from '../lib/load-once.ts';
import { acceptsGzip } from './accept-encoding.ts';
import { complete, GUARDING_HEADERS, type HookContext } from './context.ts';

const gzip = promisify(gzipWithCallback);

/** Content in one coding, ready to send. */
export interface Representation {
  /** A Blob, because the runtime sends it without copying, unlike an array. */
  readonly body: Blob;
  /** A strong ETag that depends only on content and coding. */
  readonly etag: string;
  /** Built once for all answers: 200 and 304. */
  readonly headers: { readonly whole: Headers; readonly unchanged: Headers };
}

/** Content in both codings, serialized once for all readers. */
export interface Representations {
  readonly identity: Representation;
  readonly gzip: Representation;
}

type ContentHeaders = Readonly<Record<'content-type' | 'cache-control' | (string & {}), string>>;

/**
 * Serializes content for {@link answerFrom}.
 *
 * @param headers of 200 answers; a 304 repeats only `cache-control`
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
          // Some runtimes do not send the length of a Blob.
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

/** Answers GET or HEAD from memory: 304 if the client has the current content, otherwise 200 in an accepted coding. */
export function answerFrom({ request, set }: HookContext, content: Representations): Response {
  const { body, headers } = acceptsGzip(request) ? content.gzip : content.identity;
  if (isKnown(request, content)) return complete(set, 304, null, headers.unchanged);
  return complete(set, 200, body, headers.whole);
}

/** A handler for content that never changes, serialized on first use. */
export function answerFixed(
  content: () => string | Uint8Array<ArrayBuffer> | Promise<string>,
  headers: ContentHeaders,
) {
  const made = loadOnce(async () => represent(await content(), headers));
  return async ({ request, set }: HookContext): Promise<Response> =>
    answerFrom({ request, set }, await made());
}

/** Maximum number of ETags parsed; clients send one or two. */
const TAGS_MAX = 16;

/** Weak comparison, as required for If-None-Match; the ETags of both codings match. */
function isKnown(request: Request, { identity, gzip }: Representations): boolean {
  const condition = request.headers.get('if-none-match');
  if (condition === null) return false;
  if (condition === identity.etag || condition === gzip.etag || condition.trim() === '*') return true;
  const tags = condition.split(',', TAGS_MAX).map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(identity.etag) || tags.includes(gzip.etag);
}
