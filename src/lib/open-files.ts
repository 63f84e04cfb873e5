import { readdirSync, readFileSync, statSync } from 'node:fs';

const OWN = '/proc/self/fd';

/** Files reserved for the service itself: the database, surface scans, Stripe, and notifications to systemd. */
export const OWN_FILES = 128;

/** The limit of open files and connections of this process (`ulimit -n`); infinity if it cannot be read. */
export function openFilesMax(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The number of open files and connections of this process. Before Linux 6.2, which reports it, they are counted. */
export function openFiles(): number {
  return statSync(OWN).size || readdirSync(OWN).length;
}
