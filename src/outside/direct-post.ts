import * as http from 'node:http';
import * as https from 'node:https';
import { Fault } from '../lib/fault.ts';

export interface DirectPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the first byte to the last one. */
  readonly timeoutMs: number;
}

export interface DirectRequest extends Omit<DirectPost, 'body'> {
  readonly method: string;
  readonly body?: string | undefined;
  /** In PEM: whose certificates are trusted; undefined = the system's. */
  readonly ca?: string | undefined;
}

/**
 * Sends a request to this very address: follows no redirect, and unlike the runtimes' fetch takes no proxy of the environment.
 * Rejects when no answer begins in time; so does reading it when it does not end in time.
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

/** The same by POST. */
export const postDirectly = (post: DirectPost): Promise<http.IncomingMessage> =>
  requestDirectly({ ...post, method: 'POST' });

/**
 * Reads an answer.
 *
 * @throws Fault when it is larger
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
