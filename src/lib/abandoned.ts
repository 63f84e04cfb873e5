import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes what processes left in a directory that are gone, and what this one left: so it has none of it in use.
 *
 * @param named how such things are called; its first group is the number of the process
 */
export function removeAbandoned(directory: string, named: RegExp): void {
  for (const name of readdirSync(directory)) {
    const pid = named.exec(name)?.[1];
    // Where processes are few, as in a container, the one before this may have had its number.
    if (pid !== undefined && (Number(pid) === process.pid || isGone(Number(pid))))
      rmSync(join(directory, name), { recursive: true, force: true });
  }
}

/** Whether there is no such process any more. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
