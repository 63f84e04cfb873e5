import { Fault, reasonOf } from '../lib/fault.ts';
import { hostAndPort, isSocketPath } from '../lib/socket-address.ts';
import type { ListenOptions } from '../runtime/listener.ts';
import { ConfigRefused } from '../settings/config.ts';
import { troubleOf } from '../storage/engine/trouble.ts';

export interface ListenSettings {
  /** The names of the settings, for the operator. */
  readonly host: string;
  readonly port: string;
}

export const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

const NO_ADDRESS = 'this name does not resolve to an address of this host. Set an address';
/** Reasons by error code of the system or the runtime. */
const OF_PORTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use. Stop the other program, or set another port',
  EADDRNOTAVAIL: 'this host has no such address. Set another one, or start after the network is up',
  EACCES: 'this user cannot use ports below 1024. Set another port, or grant CAP_NET_BIND_SERVICE',
  EINVAL: NO_ADDRESS,
  ENOTFOUND: NO_ADDRESS,
  ERR_INVALID_ARG_TYPE: NO_ADDRESS,
};
const OF_SOCKETS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the socket is already in use. Stop the other program',
};

/** Why a listener could not be opened and what to do, for the operator. */
export const listenReason = (error: unknown, host: string): string => {
  const code = String((error as NodeJS.ErrnoException).code);
  return (isSocketPath(host) ? OF_SOCKETS : OF_PORTS)[code] ?? troubleOf(error) ?? reasonOf(error);
};

/** The error for a listener that could not be opened: the address, its settings and the reason, in one line. */
export function cannotListen(
  { host, port }: Pick<ListenOptions, 'host' | 'port'>,
  settings: ListenSettings,
  error: unknown,
): Fault {
  const names = isSocketPath(host) ? settings.host : `${settings.host}, ${settings.port}`;
  const message = `cannot listen on ${hostAndPort(host, port)} (${names}): ${listenReason(error, host)}`;
  return error instanceof ConfigRefused ? new ConfigRefused(message) : new Fault(message, { cause: error });
}
