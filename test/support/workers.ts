import { readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 8 * 2 ** 30;

/** Where tests write: in memory, where there is space, because they flush to disk many thousand times. */
export function temporaryFolder(): string {
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === MEMORY);
  if (mounted === undefined || /\bnoexec\b/.test(mounted)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < MEMORY_BYTES_MIN ? tmpdir() : MEMORY;
}

/** For tests that hang. Bun then ends all processes of the worker, PostgreSQL among them, so the worker's other tests fail as well. */
const TEST_MS_MAX = 240_000;

/** Makes `bun test` run files in the given number of processes, each with its loaded modules. */
export const onWorkers = (workers: number): readonly string[] => [
  `--timeout=${TEST_MS_MAX}`,
  `--parallel=${workers}`,
  '--no-isolate',
];

/** More than the processors, because many tests wait for other processes. */
export const WORKERS = availableParallelism() + 2;
/** For an eighth of the matrix, while the rest runs. */
export const WORKERS_BESIDE = Math.ceil(availableParallelism() / 2);
