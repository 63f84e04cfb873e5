import * as http from 'node:http';
import * as https from 'node:https';
import { Fault } from '../lib/fault.ts';

export interface DirectPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Limit for the whole exchange, until the last byte of the answer. */
  readonly timeoutMs: number;
}

export interface DirectRequest extends Omit<DirectPost, 'body'> {
  readonly method: string;
  readonly body?: string | undefined;
  /** PEM certificates to trust; undefined = the system's. */
  readonly ca?: string | undefined;
}

/**
 * Sends a request without following redirects and, unlike fetch in the runtimes, without a proxy from the environment. Rejects if
 * no answer begins in time; reading the body rejects if it does not end in time.
 */
export function requestDirectly({
  method,
  url,
  headers,
  body = '',
  timeoutMs,
  ca,
}: DirectRequest): Promise<http.IncomingMessage> {
  const { request, Agent } = url.startsWith('https:') ? https : http;
  const bytes = Buffer.from(body);
  const options = {
    method,
    headers: bytes.length === 0 ? headers : { ...headers, 'content-length': bytes.length },
    agent: new Agent({ proxyEnv: {} }),
    signal: AbortSignal.timeout(timeoutMs),
    ...(ca === undefined ? {} : { ca }),
  };
  return new Promise((resolve, reject) => {
    request(url, options, resolve).once('error', reject).end(bytes);
  });
}

export const postDirectly = (post: DirectPost): Promise<http.IncomingMessage> =>
  requestDirectly({ ...post, method: 'POST' });

/**
 * Reads an answer as text.
 *
 * @throws Fault if it is larger than `bytesMax`
 */
export async function readBounded(answer: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new Fault('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
