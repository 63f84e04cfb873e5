import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { Fault, reasonOf } from '../../lib/fault.ts';
import { whyReplaceable } from '../../lib/guarded-path.ts';
import { hostAndPort, isSocketPath, otherLoopback } from '../../lib/socket-address.ts';
import { isAnsweredAt } from '../../lib/socket-answer.ts';
import { type Config, isSameAddress } from '../../settings/config.ts';
import type { ShownSettings } from '../../settings/setting-changes.ts';
import { SETTINGS } from '../../settings/settings.ts';
import { type Finding, failure, worded } from './finding.ts';

const HOST_OF = { port: 'host', adminPort: 'adminHost' } as const;

/** An address on which the service would listen. */
export interface Listening {
  readonly setting: 'port' | 'adminPort';
  readonly host: string;
  readonly port: number;
}

const COMMON_FIRST_FREE_PORT = 1024;

/** The first port that takes no capability. */
export function firstFreePort(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  } catch {
    return COMMON_FIRST_FREE_PORT;
  }
}

/** Where the service would listen at its next start, except where the running server already does. */
export function listeningsOf(
  { host, port, adminHost, adminPort }: Config,
  running: ShownSettings | undefined,
): Listening[] {
  const wanted: Listening[] = [{ setting: 'port', host, port }];
  if (adminPort !== 'off') wanted.push({ setting: 'adminPort', host: adminHost, port: adminPort });
  return wanted.filter((listening) => !isFree(listening) && !(running && isHeld(listening, running)));
}

/** Whether any free port will do. */
const isFree = ({ host, port }: Listening): boolean => port === 0 && !isSocketPath(host);

/** Whether one of the running server's own listeners stands in the way. */
function isHeld({ host, port }: Listening, running: ShownSettings): boolean {
  const held = [
    { host: running[SETTINGS.host.env], port: running[SETTINGS.port.env] },
    { host: running[SETTINGS.adminHost.env], port: running[SETTINGS.adminPort.env] },
  ];
  return held.some((own) =>
    isSocketPath(host) ? own.host === host : own.port === port && isSameAddress(String(own.host), host),
  );
}

/** Why an address is not free to listen on, as the system's code; undefined = it is free. */
export async function whyNotFree(listening: Listening): Promise<string | undefined> {
  if (isSocketPath(listening.host)) return (await isSocketTaken(listening.host)) ? 'EADDRINUSE' : undefined;
  const other = otherLoopback(listening.host);
  const first = await whyNoListener(listening);
  if (first !== undefined || other === undefined) return first;
  // A host may lack the other one.
  const second = await whyNoListener({ ...listening, host: other });
  return second === 'EADDRINUSE' ? second : undefined;
}

async function isSocketTaken(path: string): Promise<boolean> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && (!found.isSocket() || (await isAnsweredAt(path)));
}

async function whyNoListener({ host, port }: Listening): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? reasonOf(error);
  } finally {
    server.close();
  }
}

/**
 * A finding for an address that is not free.
 *
 * @param code as {@link whyNotFree} gives it
 * @param hasUnit whether the service has a unit, which may have a right to ports that this process lacks
 */
export function judgePort(
  { setting, host, port }: Listening,
  code: string,
  { hasUnit }: { hasUnit: boolean },
): Finding[] {
  if (code === 'EACCES' && hasUnit) return [];
  const isSocket = isSocketPath(host);
  const { env } = SETTINGS[isSocket ? HOST_OF[setting] : setting];
  const words: Readonly<Record<string, readonly [string, string]>> = {
    EADDRINUSE: [
      'is used by another program',
      isSocket
        ? `stop it, remove what is there, or set ${env} to another path`
        : `stop it, or set ${env} to another port ("ss -ltnp" lists the program)`,
    ],
    EACCES: ['requires root', `set ${env} to ${firstFreePort()} or higher`],
  };
  const [what, todo] = words[code] ?? [`cannot be used (${code})`, `check ${env} and the address setting`];
  return [failure('port-taken', `${hostAndPort(host, port)} ${what}`, todo)];
}

/** Checks the folders of Unix sockets in the settings. The unit creates a missing one at its start. */
export function judgeSocketFolders({ host, adminHost, adminPort }: Config): Finding[] {
  const hosts = { host, ...(adminPort === 'off' ? {} : { adminHost }) };
  return Object.entries(hosts).flatMap(([name, path]) => {
    if (!isSocketPath(path) || !existsSync(dirname(path))) return [];
    const why = whyReplaceable(path);
    const { env } = SETTINGS[name as keyof typeof hosts];
    return why === undefined ? [] : [worded('socket-folder', new Fault(why), `set ${env} to another path`)];
  });
}
