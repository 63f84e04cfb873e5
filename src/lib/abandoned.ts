import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes temporary files of processes that have ended, and those of this process, which must not be in use.
 *
 * @param named pattern of their names; the first group is the process ID
 */
export function removeAbandoned(directory: string, named: RegExp): void {
  for (const name of readdirSync(directory)) {
    const pid = named.exec(name)?.[1];
    // In containers, the previous process may have had the same ID.
    if (pid !== undefined && (Number(pid) === process.pid || isGone(Number(pid))))
      rmSync(join(directory, name), { recursive: true, force: true });
  }
}

/** Whether no process has this ID. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
