import ipaddr from 'ipaddr.js';
import { parseRange } from '../lib/address-range.ts';

/**
 * Whether a request comes straight from one of some addresses. What a proxy forwards does not, whoever the
 * proxy is: behind one on this host, the whole internet would look like loopback.
 *
 * @param ranges addresses or CIDR ranges
 */
export function directAccess(socketAddress: (request: Request) => string, ranges: readonly string[]) {
  const allowed = ranges.map(parseRange);
  return (request: Request): boolean => {
    if (FORWARDING.some((name) => request.headers.has(name))) return false;
    const text = socketAddress(request);
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return allowed.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  };
}

const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];
