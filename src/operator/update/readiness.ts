import http from 'node:http';
import https from 'node:https';
import { Type } from 'typebox';
import { SECOND_MS } from '../../lib/clock.ts';
import { isSocketPath } from '../../lib/socket-address.ts';
import { as } from './run-release.ts';

/** Where a service listens. */
export interface ServedAt {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

const ANSWER_MS_MAX = 5 * SECOND_MS;
const ANSWER_BYTES_MAX = 64 * 1024;
/** Of a listener on every address, the one of this host (RFC 1122, 3.2.1.3; RFC 4291, 2.5.2). */
const HERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const Answer = Type.Object({ problems: Type.Array(Type.String()) });

/**
 * Asks the service on this host what keeps it from being ready.
 *
 * @returns nothing in the list when it is ready; undefined when it does not answer
 */
export function askReadiness({ host, port, isTls }: ServedAt): Promise<readonly string[] | undefined> {
  const { promise, resolve } = Promise.withResolvers<readonly string[] | undefined>();
  const options = {
    ...(isSocketPath(host) ? { socketPath: host } : { hostname: HERE[host] ?? host, port }),
    path: '/readyz',
    agent: false,
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    // It is the service of this host, with any name in its certificate, expired or not.
    rejectUnauthorized: false,
  };
  const request = (isTls ? https : http).get(options, async (response) => {
    let text = '';
    try {
      for await (const chunk of response.setEncoding('utf8')) {
        text += chunk;
        if (text.length > ANSWER_BYTES_MAX) break;
      }
      resolve(as(Answer, JSON.parse(text))?.problems);
    } catch {
      resolve(undefined);
    }
  });
  request.on('error', () => resolve(undefined));
  return promise;
}
