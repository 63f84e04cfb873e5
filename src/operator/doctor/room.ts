import { DAY_MS } from '../../lib/clock.ts';
import type { Config } from '../../settings/config.ts';
import type { Database } from '../../storage/engine/database.ts';
import { freeBytesOf } from '../../storage/engine/room.ts';
import { readFirstMoment } from '../../storage/installation/backups.ts';
import { readDailyVolumes } from '../../storage/licenses/daily-volumes.ts';
import { type Finding, failure, inMb, warning } from './finding.ts';

const MIB = 1024 * 1024;
/** So much ahead an operator can still get a larger disk. */
const DAYS_AHEAD = 30;

/** How fast a database grows. */
export interface Growth {
  readonly databaseBytes: number;
  /** The most that was stored on one of the last days. */
  readonly bytesADay: number;
  /** Since when it does, in days; what is older than retention allows goes, and it grows no more. */
  readonly days: number;
  readonly retentionDays: number;
}

export interface RoomFacts {
  readonly directory: string;
  readonly freeBytes: number;
  readonly reserveBytes: number;
  /** Undefined where nothing is known of it. */
  readonly growth: Growth | undefined;
}

/** Reads how fast a database of so many bytes grows; undefined while it holds nothing. */
export async function readGrowth(
  db: Database,
  { retentionDays }: Pick<Config, 'retentionDays'>,
  databaseBytes: number,
  now: number,
): Promise<Growth | undefined> {
  const { ofAll } = readDailyVolumes(db);
  const volumes = await Promise.all([0, 1, 2].map((days) => ofAll(now - days * DAY_MS)));
  const firstAt = await readFirstMoment(db)();
  if (firstAt === undefined) return undefined;
  return {
    databaseBytes,
    bytesADay: Math.max(...volumes.map(({ bytes }) => bytes)),
    days: (now - firstAt) / DAY_MS,
    retentionDays,
  };
}

export const roomOf = ({ dataDir, diskReserveMib }: Config, growth: Growth | undefined): RoomFacts => ({
  directory: dataDir,
  freeBytes: freeBytesOf(dataDir),
  reserveBytes: diskReserveMib * MIB,
  growth,
});

/** Whether there is room on the disk, and for how long. */
export function judgeRoom({ directory, freeBytes, reserveBytes, growth }: RoomFacts): Finding[] {
  const free = `${inMb(freeBytes)} are free on the disk of ${directory}`;
  const todo = 'free disk space, or lower SERVICE_RETENTION_DAYS and reload';
  const least = Math.max(reserveBytes, MIB);
  if (freeBytes < least)
    return [failure('disk-full', `${free}: writes of tenants are refused below ${inMb(least)}`, todo)];
  if (growth === undefined || growth.bytesADay === 0) return [];
  const { databaseBytes, bytesADay, days, retentionDays } = growth;
  const daysLeft = Math.floor((freeBytes - reserveBytes) / bytesADay);
  if (daysLeft >= Math.min(DAYS_AHEAD, retentionDays - days)) return [];
  const adds = `up to ${inMb(bytesADay)} a day are added to a database of ${inMb(databaseBytes)}`;
  return [
    warning('disk-filling', `${free}, enough for ${daysLeft} days: ${adds}`, `${todo}, or add a larger disk`),
  ];
}
