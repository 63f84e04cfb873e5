import type { Config } from './config.ts';
import { connectionUnit } from './http/client-address.ts';
import type { ConnectionBounds } from './lib/connections.ts';
import type { Log } from './lib/log.ts';
import { openFilesMax } from './lib/open-files.ts';

/** Files that the service needs for itself: the database, surface scans, Stripe, and telling systemd that it lives. */
const OWN_FILES = 128;

/** How many connections may be open: as set, as far as the limit of open files allows it. */
export function connectionBounds(
  { connections, connectionsPerIp, trustedProxies }: Config,
  log: Log,
  filesMax = openFilesMax(),
): ConnectionBounds {
  const possible = Math.max(filesMax - OWN_FILES, Math.floor(filesMax / 2));
  const inAllMax = Math.min(connections, possible);
  if (inAllMax < connections) {
    log.warn(
      'fewer connections than SERVICE_CONNECTIONS: raise the limit of open files (ulimit -n, LimitNOFILE)',
      {
        open_files: filesMax,
        connections: inAllMax,
      },
    );
  }
  return {
    inAllMax,
    perUnitMax: connectionsPerIp,
    unitOf: connectionUnit(trustedProxies),
    onCrowded: (counts) =>
      log.warn(
        'too many connections, so that silent ones are ended: see SERVICE_CONNECTIONS and SERVICE_CONNECTIONS_PER_IP',
        { ...counts },
      ),
  };
}
