import ipaddr from 'ipaddr.js';

/** A host without the brackets of an IPv6 address in a URL. */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** Whether a host to listen on is the path of a Unix socket. */
export const isSocketPath = (host: string): boolean => host.startsWith('/');

const HOST_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/;

/**
 * The canonical form of a host to listen on, used for comparisons: a path, a name in lower case, or an address as in URLs
 * without brackets.
 *
 * @returns undefined for any other text
 */
export function hostToListenOn(text: string): string | undefined {
  if (isSocketPath(text)) return text;
  const bare = bareHost(text);
  if (ipaddr.isValid(bare)) return ipaddr.process(bare).toString();
  return HOST_NAME.test(text) ? text.toLowerCase() : undefined;
}

/** By canonical host. */
const OTHER_LOOPBACK: Readonly<Record<string, string>> = {
  '127.0.0.1': '::1',
  '::1': '127.0.0.1',
  '0.0.0.0': '::1',
  localhost: '::1',
};

/** The loopback address that `localhost` may also resolve to, if a listener has this host; undefined if none. */
export const otherLoopback = (host: string): string | undefined => OTHER_LOOPBACK[host];

/** The addresses to listen on for a host. */
export const addressesOf = (host: string): readonly string[] => {
  const other = otherLoopback(host);
  const own = host === 'localhost' ? '127.0.0.1' : host;
  return other === undefined ? [own] : [own, other];
};

/** A host and a port as in URLs, such as `[::1]:8080`; a Unix socket as in nginx, such as `unix:/run/redoubt/http.sock`. */
export function hostAndPort(host: string, port: number): string {
  if (isSocketPath(host)) return `unix:${host}`;
  const bare = bareHost(host);
  return `${bare.includes(':') ? `[${bare}]` : bare}:${port}`;
}
