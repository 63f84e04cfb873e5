import ipaddr from 'ipaddr.js';

export type Address = ReturnType<typeof ipaddr.process>;

/** A network: its address and the number of bits that all of its members share. */
export type AddressRange = readonly [network: Address, bits: number];

/** @throws Error when the text is neither an address nor a CIDR range */
export function parseRange(text: string): AddressRange {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv6' ? 128 : 32];
}
