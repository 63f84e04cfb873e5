import { isVisitable } from '../../domain/surface/address.ts';
import type { VisitFailure } from '../../domain/surface/observation.ts';
import type { Network } from './network.ts';

type Addresses = readonly string[] | VisitFailure;

/**
 * The addresses of hosts for the length of one scan. A name is resolved once and all of its addresses are
 * checked; a single forbidden one refuses the host, and an answer that DNS gives later is never asked for.
 */
export function createAddressBook(lookup: Network['lookup'], allowPrivate: boolean) {
  const known = new Map<string, Promise<Addresses>>();

  const resolve = async (host: string): Promise<Addresses> => {
    const addresses = await lookup(host.replace(/^\[|\]$/g, '')).catch(() => []);
    if (addresses.length === 0) return 'unresolvable';
    return addresses.every((address) => isVisitable(address, allowPrivate))
      ? alternating(addresses)
      : 'forbidden_address';
  };

  return {
    /** @param host as in a URL */
    of(host: string): Promise<Addresses> {
      const addresses = known.get(host) ?? resolve(host);
      known.set(host, addresses);
      return addresses;
    },

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
