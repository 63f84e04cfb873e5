/** A host without the brackets in which URLs show an address of IPv6. */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** Whether a host to listen on is the path of a Unix socket. */
export const isSocketPath = (host: string): boolean => host.startsWith('/');

const OTHER_LOOPBACK: Readonly<Record<string, string>> = {
  '127.0.0.1': '::1',
  '::1': '127.0.0.1',
  localhost: '::1',
};

/** The address to which `localhost` may lead in place of a loopback address; undefined for any other host. */
export const otherLoopback = (host: string): string | undefined => OTHER_LOOPBACK[host];

/** A host and a port as URLs show them, such as `[::1]:8080`; a Unix socket as nginx does, such as `unix:/run/redoubt/http.sock`. */
export function hostAndPort(host: string, port: number): string {
  if (isSocketPath(host)) return `unix:${host}`;
  const bare = bareHost(host);
  return `${bare.includes(':') ? `[${bare}]` : bare}:${port}`;
}
