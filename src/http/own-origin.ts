import ipaddr from 'ipaddr.js';
import { refuse } from '../domain/refusal.ts';
import { inRanges } from '../lib/address-range.ts';

/** How a browser sees a request's address. */
export interface SeenAddress {
  readonly overTls: boolean;
  /** Scheme, host and port. */
  readonly origin: string;
}

/**
 * Finds out how browsers see this service: by the request itself, or, behind a trusted proxy, by what that forwards.
 *
 * @param overTls whether the listener itself speaks TLS
 */
export function seenAddress(
  socketAddress: (request: Request) => string,
  trustedProxies: readonly string[],
  overTls: boolean,
): (request: Request) => SeenAddress {
  const isTrusted = inRanges(trustedProxies);
  const forwarded = (request: Request, name: string): string | undefined => {
    const socket = socketAddress(request);
    if (trustedProxies.length === 0 || !ipaddr.isValid(socket) || !isTrusted(ipaddr.process(socket)))
      return undefined;
    return request.headers.get(name)?.split(',')[0]?.trim().toLowerCase();
  };
  return (request) => {
    const isTls = overTls || forwarded(request, 'x-forwarded-proto') === 'https';
    const host = forwarded(request, 'x-forwarded-host') ?? request.headers.get('host') ?? '';
    return { overTls: isTls, origin: originOf(`${isTls ? 'https' : 'http'}://${host}`) };
  };
}

/** As browsers write it, without the scheme's own port. */
const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : 'null');

/**
 * Refuses what another site has a browser send: whatever changes something has our own origin.
 *
 * @throws Refusal
 */
export function requireOwnOrigin({ headers }: Request, { origin }: SeenAddress): void {
  const site = headers.get('sec-fetch-site');
  if (headers.get('origin') === origin && origin !== 'null' && (site === null || site === 'same-origin'))
    return;
  throw refuse('FOREIGN_ORIGIN', 'This form was not sent from a page of this console: open the page again.');
}
