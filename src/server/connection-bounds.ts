import type { ConnectionBounds } from '../lib/crowd.ts';
import type { Log } from '../lib/log.ts';
import { OWN_FILES, openFilesMax } from '../lib/open-files.ts';
import type { Config } from '../settings/config.ts';

/** The maximum number of open connections: the setting, or less if the limit of open files requires it. */
export function connectionBounds(
  { connections }: Config,
  log: Log,
  filesMax = openFilesMax(),
): ConnectionBounds {
  const possible = Math.max(filesMax - OWN_FILES, Math.floor(filesMax / 2));
  const max = Math.min(connections, possible);
  if (max < connections) {
    log.warn(
      'the limit of open files allows fewer connections than SERVICE_CONNECTIONS. Raise it (ulimit -n, LimitNOFILE)',
      {
        open_files: filesMax,
        connections: max,
      },
    );
  }
  return {
    max,
    onCrowded: (counts) =>
      log.warn('too many connections: idle ones are closed. See SERVICE_CONNECTIONS', {
        ...counts,
      }),
  };
}
