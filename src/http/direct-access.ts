import { textInRanges } from '../lib/address-range.ts';
import { isOwnHost } from './own-host.ts';

export interface DirectAccess {
  readonly socketAddress: (request: Request) => string;
  /** Addresses or CIDR ranges. */
  readonly ranges: readonly string[];
  /** Host names of this service; see {@link isOwnHost}. */
  readonly hosts: readonly string[];
}

/**
 * Whether a request was sent directly to this service from one of these addresses. Requests forwarded by any proxy are
 * rejected, because a proxy on this host would make every client look like loopback. So are requests with a foreign Host,
 * which pages of other sites can send from an allowed address by DNS rebinding.
 */
export function directAccess({ socketAddress, ranges, hosts }: DirectAccess) {
  const isAllowed = textInRanges(ranges);
  const isOurs = isOwnHost(hosts);
  return (request: Request): boolean => {
    if (FORWARDING.some((name) => request.headers.has(name))) return false;
    return isAllowed(socketAddress(request)) && isOurs(new URL(request.url).hostname);
  };
}

const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
];
