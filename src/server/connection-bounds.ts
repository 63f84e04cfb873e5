import type { ConnectionBounds } from '../lib/crowd.ts';
import type { Log } from '../lib/log.ts';
import { OWN_FILES, openFilesMax } from '../lib/open-files.ts';
import type { Config } from '../settings/config.ts';

/** How many connections may be open: as set, as far as the limit of open files allows it. */
export function connectionBounds(
  { connections }: Config,
  log: Log,
  filesMax = openFilesMax(),
): ConnectionBounds {
  const possible = Math.max(filesMax - OWN_FILES, Math.floor(filesMax / 2));
  const max = Math.min(connections, possible);
  if (max < connections) {
    log.warn(
      'fewer connections than SERVICE_CONNECTIONS: raise the limit of open files (ulimit -n, LimitNOFILE)',
      {
        open_files: filesMax,
        connections: max,
      },
    );
  }
  return {
    max,
    onCrowded: (counts) =>
      log.warn('too many connections, so that silent ones are ended: see SERVICE_CONNECTIONS', { ...counts }),
  };
}
