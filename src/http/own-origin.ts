import { refuse } from '../domain/refusal.ts';
import { textInRanges } from '../lib/address-range.ts';
import { isOwnHost } from './own-host.ts';

/** The address of this service as a browser sees it. */
export interface SeenAddress {
  readonly overTls: boolean;
  /** Scheme, host and port; `null` if the host is not this service's, such as a foreign name that resolves to it. */
  readonly origin: string;
}

export interface OwnAddress {
  readonly trustedProxies: readonly string[];
  /** Whether the listener itself speaks TLS. */
  readonly overTls: boolean;
  /** Host names of this service, or any; see {@link isOwnHost}. */
  readonly hosts: readonly string[] | 'any';
}

/** A host with an optional port. */
const HOST = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * The address that the browser used, from the request itself or, behind a trusted proxy, from forwarded headers. Of several
 * values, the last one is that of the nearest proxy.
 */
export function seenAddress(
  socketAddress: (request: Request) => string,
  { trustedProxies, overTls, hosts }: OwnAddress,
): (request: Request) => SeenAddress {
  const isTrusted = textInRanges(trustedProxies);
  const last = ({ headers }: Request, name: string) =>
    headers.get(name)?.split(',').at(-1)?.trim().toLowerCase();
  const isOwn = hosts === 'any' ? () => true : isOwnHost(hosts);
  const isOurs = (origin: string): boolean => URL.canParse(origin) && isOwn(new URL(origin).hostname);
  return (request) => {
    const proxied = isTrusted(socketAddress(request));
    const isTls = overTls || (proxied && last(request, 'x-forwarded-proto') === 'https');
    const host =
      (proxied && last(request, 'x-forwarded-host')) || request.headers.get('host')?.toLowerCase() || '';
    const origin = HOST.test(host) ? originOf(`${isTls ? 'https' : 'http'}://${host}`) : 'null';
    return { overTls: isTls, origin: isOurs(origin) ? origin : 'null' };
  };
}

/** As browsers write it, without the default port of the scheme. */
const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : 'null');

/**
 * Refuses requests that another site makes a browser send. Every change requires one of this service's origins.
 *
 * @param own origins as scheme, host and port; `null` never matches
 * @param setting the setting to fix if the refusal is wrong
 * @throws Refusal
 */
export function requireOwnOrigin({ headers }: Request, own: readonly string[], setting: string): void {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  const isOwn = origin !== null && origin !== 'null' && own.includes(origin);
  if (isOwn && (site === null || site === 'same-origin')) return;
  throw refuse(
    'FOREIGN_ORIGIN',
    `This form was not sent from a page of this service. Reload the page. If its address is right, set ${setting} to it.`,
  );
}
