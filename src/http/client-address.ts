import ipaddr from 'ipaddr.js';
import { inRanges } from '../lib/address-range.ts';
import type { HookContext } from './context.ts';

/** Returns the caller's address in the unit that rate limits count. */
export type ClientAddress = (context: HookContext) => string;

/** Maximum number of hops parsed in X-Forwarded-For; trusted proxies do not create longer chains. */
const HOPS_MAX = 16;
const IPV6_SHARED_BITS = 64;

/**
 * The caller's address: that of the connection or, behind trusted proxies, the right-most untrusted hop of
 * X-Forwarded-For. IPv6 addresses of one /64 count as one, because a single customer usually owns the whole /64.
 *
 * @param socketAddress the address of the request's connection
 * @param trustedProxies addresses or CIDR ranges
 */
export function clientAddress(
  socketAddress: (request: Request) => string,
  trustedProxies: readonly string[],
): ClientAddress {
  const find = nearestAddress(socketAddress, trustedProxies);
  return ({ request, set: { exchange } }) => {
    if (exchange === undefined) return unitOf(find(request));
    exchange.address ??= unitOf(find(request));
    return exchange.address;
  };
}

/** The caller's exact address in canonical form; `unknown` if it is not an IP address, as with Unix sockets. */
export function exactAddress(
  socketAddress: (request: Request) => string,
  trustedProxies: readonly string[],
): (request: Request) => string {
  const find = nearestAddress(socketAddress, trustedProxies);
  return (request) => {
    const text = find(request);
    return ipaddr.isValid(text) ? ipaddr.process(text).toString() : 'unknown';
  };
}

function nearestAddress(socketAddress: (request: Request) => string, trustedProxies: readonly string[]) {
  const isTrusted = inRanges(trustedProxies);

  return (request: Request): string => {
    const socket = socketAddress(request);
    if (trustedProxies.length === 0) return socket;
    if (!ipaddr.isValid(socket) || !isTrusted(ipaddr.process(socket))) return socket;

    let nearest = socket;
    const hops = request.headers.get('x-forwarded-for')?.split(',').slice(-HOPS_MAX) ?? [];
    for (const hop of hops.reverse().map(withoutPort)) {
      if (!ipaddr.isValid(hop)) break;
      const address = ipaddr.process(hop);
      nearest = address.toString();
      if (!isTrusted(address)) break;
    }
    return nearest;
  };
}

/** Some proxies add the port: `203.0.113.9:49152`, `[2001:db8::1]:49152`. */
const withoutPort = (hop: string): string =>
  hop.trim().replace(/^(?:\[(.*)\](?::\d+)?|([^:]*):\d+)$/, '$1$2');

/**
 * The network of a unit: an IPv6 /48 or an IPv4 /24, which a single customer may own. Other units are returned unchanged.
 */
export const networkOf = (unit: string): string =>
  unit.replace(/^([0-9a-f]{12})[0-9a-f]{4}\/64$/, '$1/48').replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');

/** All loopback addresses count as one, because local programs can use any of them. */
const LOOPBACK = '127.0.0.1';
const unitOfFour = (address: string): string => (address.startsWith('127.') ? LOOPBACK : address);

/** The unit in which limits count an address: the IPv4 address, or the /64 of an IPv6 address. */
export function unitOf(text: string): string {
  // IPv4 addresses, the most common case, need no parsing.
  if (!text.includes(':') || !ipaddr.isValid(text)) return unitOfFour(text);
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return unitOfFour(address.toString());
  if (address.range() === 'loopback') return LOOPBACK;
  const network = address.toByteArray().slice(0, IPV6_SHARED_BITS / 8);
  return `${Buffer.from(network).toString('hex')}/${IPV6_SHARED_BITS}`;
}
