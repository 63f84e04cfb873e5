import { readdirSync, readFileSync, statSync } from 'node:fs';

const OWN = '/proc/self/fd';

/** Files that the service needs for itself: the database, surface scans, Stripe, and telling systemd that it lives. */
export const OWN_FILES = 128;

/** How many files and connections this process may have open at once: `ulimit -n`, as far as the system tells it. */
export function openFilesMax(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** How many files and connections this process has open. Linux tells it as a size since 6.2; before, they are counted. */
export function openFiles(): number {
  return statSync(OWN).size || readdirSync(OWN).length;
}
