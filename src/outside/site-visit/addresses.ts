import type { VisitFailure } from '../../domain/surface/visit.ts';
import { within } from '../../lib/within.ts';
import { type Network, NO_SUCH_NAME } from './network.ts';

/** Reserved by RFC 6761, section 6.4: every working resolver reports that it does not exist. */
const NO_NAME = 'redoubt.invalid.';
const RESOLVER_MS_MAX = 3_000;

type Addresses = readonly string[] | VisitFailure;
type Lookup = Network['lookup'];

/** All addresses of a name; undefined if no resolver answered. */
const ask = (lookup: Lookup, name: string): Promise<readonly string[] | undefined> =>
  lookup(name).catch(({ code }: NodeJS.ErrnoException) =>
    NO_SUCH_NAME.includes(code ?? '') ? [] : undefined,
  );

/** Whether this host cannot resolve names; takes at most 3 seconds. */
export async function isResolverDead(lookup: Lookup): Promise<boolean> {
  const answer = await within(ask(lookup, NO_NAME), RESOLVER_MS_MAX);
  return answer === undefined || answer === 'timeout';
}

/**
 * Caches the addresses of hosts during one scan. Each name is resolved once, and one forbidden address refuses the host. Later
 * DNS answers are never used, which prevents DNS rebinding.
 */
export function createAddressCache(lookup: Lookup, isAllowed: (address: string) => boolean) {
  const known = new Map<string, Promise<Addresses>>();
  /** Names for which no resolver answered, not even that they do not exist. */
  const unanswered = new Set<string>();

  const resolve = async (host: string): Promise<Addresses> => {
    unanswered.add(host);
    const addresses = await ask(lookup, host.replace(/^\[|\]$/g, ''));
    if (addresses === undefined) return 'unresolvable';
    unanswered.delete(host);
    if (addresses.length === 0) return 'unresolvable';
    return addresses.every(isAllowed) ? alternating(addresses) : 'forbidden_address';
  };

  return {
    /** @param host as in a URL */
    of(host: string): Promise<Addresses> {
      const addresses = known.get(host) ?? resolve(host);
      known.set(host, addresses);
      return addresses;
    },

    /** Whether names failed because this host cannot resolve any; takes at most 3 seconds. */
    isResolverDead: async (): Promise<boolean> => unanswered.size > 0 && isResolverDead(lookup),

    /** Uses only this address from now on. */
    pin(host: string, address: string): void {
      known.set(host, Promise.resolve([address]));
    },
  };
}

/**
 * Alternates IPv6 and IPv4, beginning with the family of the first (RFC 8305, section 4), because a whole family may be
 * unreachable.
 */
function alternating(addresses: readonly string[]): string[] {
  const isIPv6 = (address: string | undefined) => address?.includes(':');
  const [sameFamily, otherFamily] = [true, false].map((isSame) =>
    addresses.filter((address) => (isIPv6(address) === isIPv6(addresses[0])) === isSame),
  );
  return addresses.flatMap((_, at) => [sameFamily?.[at] ?? [], otherFamily?.[at] ?? []].flat());
}
