import * as http from 'node:http';
import * as https from 'node:https';

export interface DirectPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the first byte to the last one. */
  readonly timeoutMs: number;
}

/**
 * Posts to this very address: follows no redirect, and unlike the runtimes' fetch takes no proxy of the environment.
 * Rejects when no answer begins in time; so does reading it when it does not end in time.
 */
export function postDirectly({ url, headers, body, timeoutMs }: DirectPost): Promise<http.IncomingMessage> {
  const { request, Agent } = url.startsWith('https:') ? https : http;
  const bytes = Buffer.from(body);
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-length': bytes.length },
    agent: new Agent({ proxyEnv: {} }),
    signal: AbortSignal.timeout(timeoutMs),
  };
  return new Promise((resolve, reject) => {
    request(url, options, resolve).once('error', reject).end(bytes);
  });
}
