import { readFileSync } from 'node:fs';
import { hostAndPort, isSocketPath } from '../../lib/socket-address.ts';
import { userName } from '../../lib/user-name.ts';
import type { Config } from '../../settings/config.ts';
import { type Finding, failure } from './finding.ts';

/** A socket of this host that listens at a loopback address, or at all addresses. */
export interface LocalListener {
  readonly host: string;
  readonly port: number;
  readonly uid: number;
}

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const LISTENS = '0A';
/** Addresses as Linux shows them in its tables (proc(5)), on processors that store the lowest byte first. */
const LOCAL_HOSTS: Readonly<Record<string, string>> = {
  '00000000': '0.0.0.0',
  '0100007F': '127.0.0.1',
  '00000000000000000000000000000000': '::',
  '00000000000000000000000001000000': '::1',
  '0000000000000000FFFF000000000000': '::ffff:0.0.0.0',
  '0000000000000000FFFF00000100007F': '::ffff:127.0.0.1',
};

/** The listeners of a table of Linux. */
export const listenersIn = (table: string): LocalListener[] =>
  table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , uid] = line.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    const host = LOCAL_HOSTS[address];
    return state === LISTENS && host !== undefined
      ? [{ host, port: Number.parseInt(port, 16), uid: Number(uid) }]
      : [];
  });

/** The listeners of this host; none where the system does not tell. */
export const localListeners = (): LocalListener[] =>
  TABLES.flatMap((path) => {
    try {
      return listenersIn(readFileSync(path, 'utf8'));
    } catch {
      return [];
    }
  });

const ROOT = 0;

/**
 * Finds programs of other users at the service's ports. Root's may be systemd, which holds ports for the service.
 *
 * @param owner of the data directory, as whom the service runs
 */
export function findImpostors(
  { host, port, adminPort }: Config,
  owner: number,
  listeners: readonly LocalListener[],
): LocalListener[] {
  // Of the console, browsers know the port, also where the service has a Unix socket.
  const ports = [isSocketPath(host) ? 0 : port, adminPort === 'off' ? 0 : adminPort];
  return listeners.filter((each) => ports.includes(each.port) && each.uid !== owner && each.uid !== ROOT);
}

/** What such a program means. */
export function judgeImpostor({ host, port, uid }: LocalListener): Finding {
  const user = userName(uid) ?? `the user ${uid}`;
  const what = `a program of ${user} listens on ${hostAndPort(host, port)} and can receive requests meant for the service`;
  const todo =
    'stop it ("ss -ltnp" lists it), then rotate the keys, tokens and passwords that may have been sent there';
  return failure('port-impostor', what, todo);
}
