import { getDomain } from 'tldts';

const OPTIONS = { extractHostname: false, validateHostname: false } as const;

/**
 * The part of a host's name that one party has registered, by the public suffix list (https://publicsuffix.org):
 * `shop.co.uk` of `www.shop.co.uk`.
 *
 * @param host lower-case, in punycode, without a trailing dot
 * @param privateSuffixes whether names that a company gives to its customers count as registered:
 *   `alice.github.io` in place of `github.io`
 * @returns undefined for an address, a single label, or a suffix alone
 */
export const registrableDomain = (
  host: string,
  { privateSuffixes }: { readonly privateSuffixes: boolean },
): string | undefined => getDomain(host, { ...OPTIONS, allowPrivateDomains: privateSuffixes }) ?? undefined;
