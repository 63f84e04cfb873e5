import { createSocket } from 'node:dgram';
import { lookup, Resolver } from 'node:dns/promises';
import { connect, isIPv6, type Socket } from 'node:net';
import { within } from '../../lib/within.ts';

/** The network functions of the operating system that visits use. Tests replace them. */
export interface Network {
  /**
   * All addresses of a host, in the preferred order.
   *
   * @throws an error whose code is one of {@link NO_SUCH_NAME}, or another code if no resolver answered
   */
  lookup(host: string): Promise<readonly string[]>;
  /**
   * All strings of a name's TXT records; takes at most 5 seconds.
   *
   * @throws like `lookup`
   */
  texts(name: string): Promise<readonly string[]>;
  /** Connects to a literal address, without name resolution. */
  dial(address: string, port: number): Socket;
  /** Whether this host has a route to an address and may send to it. */
  hasRouteTo(address: string, port: number): Promise<boolean>;
}

/** Error codes for a name that does not exist or has no address. */
export const NO_SUCH_NAME: readonly string[] = ['ENOTFOUND', 'ENODATA'];

export const systemNetwork: Network = {
  lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  texts: (name) => readTexts(name),
  dial: (address, port) => connect({ host: address, port }),
  hasRouteTo,
};

const TEXTS_MS_MAX = 5_000;
const QUERY_MS_MAX = 2_000;

/** @param servers addresses of resolvers with ports; empty = those of this host */
export async function readTexts(name: string, servers: readonly string[] = []): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: QUERY_MS_MAX, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const answer = await within(resolver.resolveTxt(name), TEXTS_MS_MAX);
  if (answer !== 'timeout') return answer.flat();
  resolver.cancel();
  throw Object.assign(new Error('the resolver does not respond'), { code: 'ETIMEOUT' });
}

/**
 * Tests a route with an empty datagram. TCP does not show the cause: Bun reports every connection error as a refusal, and where a
 * unit's IPAddressDeny or a firewall drops packets, connecting times out. UDP reports both immediately.
 */
async function hasRouteTo(address: string, port: number): Promise<boolean> {
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
