import ipaddr from 'ipaddr.js';

export type Address = ReturnType<typeof ipaddr.process>;

/** A network: its address and the length of its prefix in bits. */
export type AddressRange = readonly [network: Address, bits: number];

/**
 * Whether an address is in one of these ranges.
 *
 * @throws Error like {@link parseRange}
 */
export function inRanges(texts: readonly string[]): (address: Address) => boolean {
  const ranges = texts.map(parseRange);
  return (address) =>
    ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** Like {@link inRanges}, for any text; false if it is not an address. */
export function textInRanges(texts: readonly string[]): (text: string) => boolean {
  const isIn = inRanges(texts);
  return (text) => ipaddr.isValid(text) && isIn(ipaddr.process(text));
}

/** @throws Error if the text is neither an address nor a CIDR range */
export function parseRange(text: string): AddressRange {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv6' ? 128 : 32];
}
