import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';

/** The two things a visit asks the operating system for; tests put other sites behind the same names. */
export interface Network {
  /** Every address of a host, in the order in which to try them. */
  lookup(host: string): Promise<readonly string[]>;
  /** Opens a connection to a literal address: no name is resolved any more. */
  dial(address: string, port: number): Socket;
}

export const systemNetwork: Network = {
  lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  dial: (address, port) => connect({ host: address, port }),
};
