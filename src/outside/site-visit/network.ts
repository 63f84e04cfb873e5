import { createSocket } from 'node:dgram';
import { lookup, Resolver } from 'node:dns/promises';
import { connect, isIPv6, type Socket } from 'node:net';
import { within } from '../../lib/within.ts';

/** What a visit asks the operating system for; tests put other sites behind the same names. */
export interface Network {
  /**
   * Every address of a host, in the order in which to try them.
   *
   * @throws an error with one of {@link NO_SUCH_NAME} as its code, or another one if no resolver could answer
   */
  lookup(host: string): Promise<readonly string[]>;
  /**
   * Every string of a name's TXT records, by the resolvers of this host; takes 5 seconds at most.
   *
   * @throws as `lookup` does
   */
  texts(name: string): Promise<readonly string[]>;
  /** Opens a connection to a literal address: no name is resolved any more. */
  dial(address: string, port: number): Socket;
  /** Whether this host has a route to an address and may send there. */
  hasWayTo(address: string, port: number): Promise<boolean>;
}

/** What resolvers answer where there is no such name, or where it has no address. */
export const NO_SUCH_NAME: readonly string[] = ['ENOTFOUND', 'ENODATA'];

export const systemNetwork: Network = {
  lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  texts: (name) => readTexts(name),
  dial: (address, port) => connect({ host: address, port }),
  hasWayTo,
};

const TEXTS_MS_MAX = 5_000;
const QUERY_MS_MAX = 2_000;

/** @param servers addresses of resolvers, with their ports; those of this host when there are none */
export async function readTexts(name: string, servers: readonly string[] = []): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: QUERY_MS_MAX, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const answer = await within(resolver.resolveTxt(name), TEXTS_MS_MAX);
  if (answer !== 'timeout') return answer.flat();
  resolver.cancel();
  throw Object.assign(new Error('the resolver does not respond'), { code: 'ETIMEOUT' });
}

/**
 * By an empty datagram, because connections do not show the cause: Bun reports each of their errors as a refusal, and where
 * a unit's IPAddressDeny or a firewall drops packets, they wait for an answer. Datagrams report both at once.
 */
async function hasWayTo(address: string, port: number): Promise<boolean> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  try {
    return await new Promise((resolve) => {
      const end = (error?: Error | null) => resolve(!error);
      socket.on('error', end);
      socket.connect(port, address, (error?: Error) => {
        if (error) end(error);
        else socket.send(new Uint8Array(0), end);
      });
    });
  } finally {
    socket.close();
  }
}
