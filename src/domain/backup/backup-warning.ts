import { DAY_MS, HOUR_MS } from '../../lib/clock.ts';

/** What is known of an installation's backups; moments are milliseconds since the Unix epoch. */
export interface BackupFacts {
  /** When the newest good backup was made; undefined = there is none. */
  readonly lastAt: number | undefined;
  /** Since when there is something to lose; undefined = there is nothing yet. */
  readonly firstAt: number | undefined;
  /** The greatest age of the newest one without a warning; 0 = never warn. */
  readonly warnHours: number;
  /** Whether backups contain only the keys, because the database is PostgreSQL's. */
  readonly isOfKeys: boolean;
  readonly now: number;
}

/** A warning for the operator, in public words; undefined = none. There is none on the first day. */
export function backupWarning({
  lastAt,
  firstAt,
  warnHours,
  isOfKeys,
  now,
}: BackupFacts): string | undefined {
  if (warnHours === 0) return undefined;
  const backup = isOfKeys ? 'good backup of the keys' : 'good backup';
  if (lastAt === undefined)
    return firstAt !== undefined && now - firstAt >= DAY_MS ? `there is no ${backup}` : undefined;
  const age = now - lastAt;
  if (age <= warnHours * HOUR_MS) return undefined;
  const old = age < 2 * DAY_MS ? `${Math.floor(age / HOUR_MS)} hours` : `${Math.floor(age / DAY_MS)} days`;
  return `the last ${backup} is ${old} old`;
}
