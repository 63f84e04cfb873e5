import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { connect, isIPv6, type Socket } from 'node:net';

/** What a visit asks the operating system for; tests put other sites behind the same names. */
export interface Network {
  /**
   * Every address of a host, in the order in which to try them.
   *
   * @throws an error with one of {@link NO_SUCH_NAME} as its code, or another one when nobody could tell
   */
  lookup(host: string): Promise<readonly string[]>;
  /** Opens a connection to a literal address: no name is resolved any more. */
  dial(address: string, port: number): Socket;
  /** Whether this host has a route to an address and may send there. */
  hasWayTo(address: string, port: number): Promise<boolean>;
}

/** What resolvers answer where there is no such name, or where it has no address. */
export const NO_SUCH_NAME: readonly string[] = ['ENOTFOUND', 'ENODATA'];

export const systemNetwork: Network = {
  lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  dial: (address, port) => connect({ host: address, port }),
  hasWayTo,
};

/**
 * By a datagram without content, because connections do not tell: Bun calls every fault of theirs a refusal, and where
 * a unit's IPAddressDeny or a firewall drops what is sent, they wait for an answer. Both are told of datagrams at once.
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
