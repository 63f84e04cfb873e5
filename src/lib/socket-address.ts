/** A host without the brackets in which URLs show an address of IPv6. */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** A host and a port as URLs show them, such as `[::1]:8080`. */
export function hostAndPort(host: string, port: number): string {
  const bare = bareHost(host);
  return `${bare.includes(':') ? `[${bare}]` : bare}:${port}`;
}
