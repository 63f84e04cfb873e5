import type { VisitFailure } from '../../domain/surface/visit.ts';
import { within } from '../../lib/within.ts';
import { type Network, NO_SUCH_NAME } from './network.ts';

/** RFC 6761, section 6.4: every resolver that works says that there is no such name. */
const NO_NAME = 'redoubt.invalid.';
const RESOLVER_MS_MAX = 3_000;

type Addresses = readonly string[] | VisitFailure;
type Lookup = Network['lookup'];

/** All addresses of a name; undefined if no resolver could answer. */
const ask = (lookup: Lookup, name: string): Promise<readonly string[] | undefined> =>
  lookup(name).catch(({ code }: NodeJS.ErrnoException) =>
    NO_SUCH_NAME.includes(code ?? '') ? [] : undefined,
  );

/** Whether no name can be resolved on this host; takes 3 seconds at most. */
export async function isResolverDead(lookup: Lookup): Promise<boolean> {
  const answer = await within(ask(lookup, NO_NAME), RESOLVER_MS_MAX);
  return answer === undefined || answer === 'timeout';
}

/**
 * The addresses of hosts for the length of one scan. A name is resolved once and all of its addresses are
 * checked; a single forbidden one refuses the host, and an answer that DNS gives later is never asked for.
 */
export function createAddressBook(lookup: Lookup, isAllowed: (address: string) => boolean) {
  const known = new Map<string, Promise<Addresses>>();
  /** Names for which the resolver has said nothing so far, not even that they do not exist. */
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

    /** Whether a name could not be resolved because no name can be; takes 3 seconds at most. */
    isResolverDead: async (): Promise<boolean> => unanswered.size > 0 && isResolverDead(lookup),

    /** Stays with the address that answered. */
    settleOn(host: string, address: string): void {
      known.set(host, Promise.resolve([address]));
    },
  };
}

/** Both families in turn, as the first one begins (RFC 8305, section 4): where one leads nowhere, all of it does. */
function alternating(addresses: readonly string[]): string[] {
  const isSix = (address: string | undefined) => address?.includes(':');
  const [ones, others] = [true, false].map((isFirst) =>
    addresses.filter((address) => (isSix(address) === isSix(addresses[0])) === isFirst),
  );
  return addresses.flatMap((_, at) => [ones?.[at] ?? [], others?.[at] ?? []].flat());
}
