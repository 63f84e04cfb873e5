import ipaddr from 'ipaddr.js';
import { bareHost } from '../lib/socket-address.ts';

/**
 * Whether a host of an address leads to this service in any case: one of its names, `localhost`, or an address in numbers, to which
 * no DNS leads.
 *
 * @param hosts in lower case
 */
export const isOwnHost =
  (hosts: readonly string[]) =>
  (hostname: string): boolean =>
    hostname === 'localhost' || hosts.includes(hostname) || ipaddr.isValid(bareHost(hostname));
