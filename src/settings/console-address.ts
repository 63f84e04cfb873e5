import { hostAndPort, isSocketPath } from '../lib/socket-address.ts';
import type { Config } from './config.ts';

type Listening = Pick<Config, 'adminUrl' | 'adminHost' | 'adminPort' | 'adminTlsCert'>;

const ANY = ['0.0.0.0', '::'];

/**
 * Where operators find the console; undefined where only the running service knows its port, or has none. What hands connections to a
 * Unix socket, a unit of systemd or a tunnel, listens at the same port.
 */
export function consoleOrigin({
  adminUrl,
  adminHost,
  adminPort,
  adminTlsCert,
}: Listening): string | undefined {
  if (adminUrl !== undefined) return adminUrl;
  if (adminPort === 'off' || adminPort === 0) return undefined;
  const scheme = adminTlsCert === undefined ? 'http' : 'https';
  const host = ANY.includes(adminHost) || isSocketPath(adminHost) ? 'localhost' : adminHost;
  return `${scheme}://${hostAndPort(host, adminPort)}`;
}

/** The path at which a password is chosen, with the secret of a link. */
export const welcomePath = (secret: string): string => `/console/welcome/${secret}`;

/**
 * The names of a listener, in lower case.
 *
 * @param host that it listens on
 * @param url by which others see it
 */
export const listenerHosts = (host: string, url: string | undefined): string[] => [
  host.toLowerCase(),
  ...(url === undefined ? [] : [new URL(url).hostname]),
];
