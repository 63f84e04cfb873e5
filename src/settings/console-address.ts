import { hostAndPort, isSocketPath } from '../lib/socket-address.ts';
import type { Config } from './config.ts';

type Listening = Pick<Config, 'adminUrl' | 'adminHost' | 'adminPort' | 'adminTlsCert'>;

const ANY = ['0.0.0.0', '::'];

/**
 * The URL of the console; undefined if it is off, or only the running service knows its port. With a Unix socket, the forwarding
 * systemd unit or tunnel listens on the same port.
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

/** The path of the page that sets a password. The secret is part of the link. */
export const welcomePath = (secret: string): string => `/console/welcome/${secret}`;

/**
 * The host names of a listener, in lower case.
 *
 * @param host of the listener
 * @param url by which clients reach it
 */
export const listenerHosts = (host: string, url: string | undefined): string[] => [
  host.toLowerCase(),
  ...(url === undefined ? [] : [new URL(url).hostname]),
];
