import ipaddr from 'ipaddr.js';
import { inRanges } from '../lib/address-range.ts';
import type { HookContext } from './context.ts';

/** Finds out who is calling, as the unit in which rate limits count. */
export type ClientAddress = (context: HookContext) => string;

/** Hops that are looked at in X-Forwarded-For; a longer chain was not made by proxies we trust. */
const HOPS_MAX = 16;
const IPV6_SHARED_BITS = 64;

/**
 * The caller's address: the socket's, or, behind trusted proxies, the right-most hop of
 * X-Forwarded-For that is not one of them. IPv6 callers share the unit of their /64, because one
 * customer commonly holds a whole one.
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

/** The caller's exact address, in its usual spelling; `unknown` for what is none, such as a Unix socket. */
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
 * The network of a caller's unit: a /48 of IPv6 or a /24 of IPv4, of which one customer may hold all. What is no
 * address is a network of its own.
 */
export const networkOf = (unit: string): string =>
  unit.replace(/^([0-9a-f]{12})[0-9a-f]{4}\/64$/, '$1/48').replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');

/** One unit for all loopback addresses: every local program can choose any of them. */
const LOOPBACK = '127.0.0.1';
const unitOfFour = (address: string): string => (address.startsWith('127.') ? LOOPBACK : address);

/** The unit in which limits count an address. */
export function unitOf(text: string): string {
  // The common case, an IPv4 socket, needs no parsing.
  if (!text.includes(':') || !ipaddr.isValid(text)) return unitOfFour(text);
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return unitOfFour(address.toString());
  if (address.range() === 'loopback') return LOOPBACK;
  const network = address.toByteArray().slice(0, IPV6_SHARED_BITS / 8);
  return `${Buffer.from(network).toString('hex')}/${IPV6_SHARED_BITS}`;
}
