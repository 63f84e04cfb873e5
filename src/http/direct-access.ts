import { textInRanges } from '../lib/address-range.ts';
import { isOwnHost } from './own-host.ts';

export interface DirectAccess {
  readonly socketAddress: (request: Request) => string;
  /** Addresses or CIDR ranges. */
  readonly ranges: readonly string[];
  /** Names of this service; see {@link isOwnHost}. */
  readonly hosts: readonly string[];
}

/**
 * Whether a request comes straight from one of some addresses, for this service. Forwarded requests do not, from any
 * proxy: behind one on this host, the whole internet would look like loopback. Nor does what a web page of another site sends
 * from a browser at such an address, after its name was pointed here (DNS rebinding).
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
