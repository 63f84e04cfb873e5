import ipaddr from 'ipaddr.js';
import { type Address, inRanges } from '../../lib/address-range.ts';

/** The metadata services of clouds, which give credentials to any internal client, outside of link-local ranges. */
const isMetadata = inRanges([
  ...['100.100.100.200', '168.63.129.16'],
  ...['fd00:ec2::/32', 'fd20:ce::/32', 'fd00:c1::/32', 'fd00:42::/32'],
]);
/** What an operator can mean by a host on the own network. */
const PRIVATE_RANGES: readonly string[] = ['private', 'uniqueLocal', 'carrierGradeNat'];
/** RFC 4291, section 2.4: all global unicast addresses that were ever assigned. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** RFC 6052: how an IPv6-only host reaches an IPv4 address, which stands in the last 32 bits. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

export type AddressKind = 'public' | 'private' | 'loopback' | 'forbidden';

/**
 * What kind of host has an address, by the special-purpose registries of IANA (RFC 6890). What is neither public nor plainly
 * private, such as link-local, multicast or a tunnel, is forbidden, and so are the metadata services of clouds.
 *
 * @param text an IPv4 or IPv6 address in any spelling
 */
export function addressKind(text: string): AddressKind {
  if (!ipaddr.isValid(text)) return 'forbidden';
  const address = embeddedIpv4(ipaddr.process(hexadecimal(text)));
  if (isMetadata(address)) return 'forbidden';
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  if (PRIVATE_RANGES.includes(range)) return 'private';
  const isPublic = range === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_IPV6));
  return isPublic ? 'public' : 'forbidden';
}

/**
 * Whether a site check may connect to an address.
 *
 * @param allowPrivate also private, loopback, unique local and carrier-grade NAT addresses
 */
export function isVisitable(text: string, allowPrivate: boolean): boolean {
  const kind = addressKind(text);
  return kind === 'public' || (allowPrivate && kind !== 'forbidden');
}

/**
 * Whether a notification may be sent to an address. Never to this host: its other services trust what comes from it.
 *
 * @param allowPrivate also private, unique local and carrier-grade NAT addresses
 */
export function isNotifiable(text: string, allowPrivate: boolean): boolean {
  const kind = addressKind(text);
  return kind === 'public' || (allowPrivate && kind === 'private');
}

/** The IPv4 address that a NAT64 address stands for; an IPv4-mapped one is already unwrapped by the parser. */
function embeddedIpv4(address: Address): Address {
  if (address.kind() === 'ipv4' || !address.match(NAT64)) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
}

/** ipaddr.js takes `::1.2.3.4` for an IPv4-mapped address; written without dots, it is not in doubt. */
function hexadecimal(text: string): string {
  if (!text.includes(':')) return text;
  return URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) ?? text;
}
