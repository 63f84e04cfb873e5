import { once } from 'node:events';
import type { Socket } from 'node:net';
import { within } from '../../lib/within.ts';
import type { Network } from './network.ts';

const ADDRESSES_TRIED_MAX = 4;
const CONNECT_MS_MAX = 3_000;

/** A connection and its remote address. */
export interface Dialled {
  readonly socket: Socket;
  readonly address: string;
}

/**
 * Connects to the first address that accepts: tries at most 4, for 3 seconds each.
 *
 * @param ended aborts the attempts and closes the connection
 * @param onDial called with each address before it is tried
 * @returns undefined if none accepts
 */
export async function dialFirst(
  network: Pick<Network, 'dial'>,
  { addresses, port }: { readonly addresses: readonly string[]; readonly port: number },
  ended: AbortSignal,
  onDial: (address: string) => void = () => {},
): Promise<Dialled | undefined> {
  for (const address of addresses.slice(0, ADDRESSES_TRIED_MAX)) {
    if (ended.aborted) break;
    onDial(address);
    const socket = network.dial(address, port);
    ended.addEventListener('abort', () => socket.destroy());
    if (await isConnected(socket)) return { socket, address };
    socket.destroy();
  }
  return undefined;
}

async function isConnected(socket: Socket): Promise<boolean> {
  socket.on('error', () => {});
  try {
    return (await within(once(socket, 'connect'), CONNECT_MS_MAX)) !== 'timeout';
  } catch {
    return false;
  }
}
