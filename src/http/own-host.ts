import ipaddr from 'ipaddr.js';
import { bareHost } from '../lib/socket-address.ts';

/**
 * Whether a host can only mean this service: one of its names, `localhost`, or an IP address, which involves no DNS.
 *
 * @param hosts in lower case
 */
export const isOwnHost =
  (hosts: readonly string[]) =>
  (hostname: string): boolean =>
    hostname === 'localhost' || hosts.includes(hostname) || ipaddr.isValid(bareHost(hostname));
