import { registrableDomain } from '../domain/site/registrable-domain.ts';

/** The registrable domain of a host; the host itself if it has none. */
export const registrableHost = (host: string): string =>
  registrableDomain(host, { privateSuffixes: false }) ?? host;

/** An IPv4 address in canonical form. */
export interface Address {
  readonly text: string;
  /** Whether it was written as four decimal numbers. */
  readonly isPlain: boolean;
}

const PART = /^(?:0x[0-9a-f]{1,8}|[0-9]{1,12})$/i;

/**
 * Parses a host as an IPv4 address in any notation that resolvers accept (RFC 3986, section 7.4; WHATWG URL, IPv4 parser):
 * decimal, octal, hexadecimal, fewer than four parts, or mapped into IPv6. Undefined if it is not one.
 */
export function readAddress(host: string): Address | undefined {
  const mapped = /^(?:0{0,4}:){2,5}ffff:(.+)$/i.exec(host)?.[1] ?? /^::(\d.+)$/.exec(host)?.[1];
  if (mapped?.includes('.')) return withForm(readAddress(mapped), false);
  if (mapped !== undefined) return withForm(fromHexPair(mapped), false);
  const parts = host.replace(/\.$/, '').split('.');
  if (parts.length > 4 || !parts.every((part) => PART.test(part))) return undefined;
  const numbers = parts.map(partOf);
  const last = numbers.pop() ?? Number.NaN;
  if (numbers.some((number) => !(number <= 255)) || !(last < 256 ** (4 - numbers.length))) return undefined;
  let value = last;
  for (const [index, number] of numbers.entries()) value += number * 256 ** (3 - index);
  const text = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
  return { text, isPlain: text === host };
}

const partOf = (part: string): number => {
  if (/^0x/i.test(part)) return Number.parseInt(part, 16);
  return /^0[0-7]+$/.test(part) ? Number.parseInt(part, 8) : Number(part);
};

function fromHexPair(pair: string): Address | undefined {
  const found = /^([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(pair);
  if (!found) return undefined;
  return readAddress(
    String(Number.parseInt(found[1] ?? '', 16) * 65_536 + Number.parseInt(found[2] ?? '', 16)),
  );
}

const withForm = (address: Address | undefined, isPlain: boolean): Address | undefined =>
  address && { ...address, isPlain };

/** Whether a host is internal to a network: loopback, private, link-local, unspecified, or a name for such hosts. */
export function isInternalHost(host: string): boolean {
  if (
    /^(?:localhost|ip6-localhost|.*\.(?:localhost|local|internal|intranet|corp|lan)|::1?|0{1,4}(?::0{1,4}){6}:0{0,3}1|f[cd][0-9a-f]{2}:.*|fe80:.*)$/i.test(
      host,
    )
  )
    return true;
  return /^(?:0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)\d/.test(host);
}
