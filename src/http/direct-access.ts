import { textInRanges } from '../lib/address-range.ts';

/**
 * Whether a request comes straight from one of some addresses. What a proxy forwards does not, whoever the
 * proxy is: behind one on this host, the whole internet would look like loopback.
 *
 * @param ranges addresses or CIDR ranges
 */
export function directAccess(socketAddress: (request: Request) => string, ranges: readonly string[]) {
  const isAllowed = textInRanges(ranges);
  return (request: Request): boolean => {
    if (FORWARDING.some((name) => request.headers.has(name))) return false;
    return isAllowed(socketAddress(request));
  };
}

const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];
