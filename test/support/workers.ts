import { readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 8 * 2 ** 30;

/** Where tests write: in memory, where there is room, because they flush to disk many thousand times. */
export function temporaryFolder(): string {
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === MEMORY);
  if (mounted === undefined || /\bnoexec\b/.test(mounted)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < MEMORY_BYTES_MIN ? tmpdir() : MEMORY;
}

/**
 * Has `bun test` run files on all processors, each worker with the modules that it has loaded. One more than there are processors,
 * because many tests wait for other processes.
 */
export const ON_ALL_PROCESSORS: readonly string[] = [
  '--timeout=60000',
  `--parallel=${availableParallelism() + 1}`,
  '--no-isolate',
];
