import { DAY_MS, HOUR_MS } from '../../lib/clock.ts';

/** What is known of an installation's backups; moments are milliseconds since the Unix epoch. */
export interface BackupFacts {
  /** When the newest good backup was made; undefined = there is none. */
  readonly lastAt: number | undefined;
  /** Since when there is something to lose; undefined = there is nothing yet. */
  readonly firstAt: number | undefined;
  /** How old the newest one may be; 0 = nobody is to be warned. */
  readonly warnHours: number;
  /** Whether backups hold the keys alone, because the database is PostgreSQL's. */
  readonly isOfKeys: boolean;
  readonly now: number;
}

/** What an operator should see to, in public words; undefined = nothing. Who has begun only today is not reminded of it yet. */
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
