import { isRefusal } from '../domain/refusal.ts';
import { type After, type Clock, HOUR_MS, SECOND_MS, utcDayNumber } from '../lib/clock.ts';
import { every } from '../lib/every.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { type ClockWork, lastDue } from '../storage/engine/clock-work.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Writer } from '../storage/engine/writer.ts';
import { readLicenseCounts } from '../storage/licenses/license-counts.ts';
import { readSiteCounts } from '../storage/sites/site-counts.ts';

const EVERY_MS = HOUR_MS;
/** Delay after the start, when other work is more urgent. */
const FIRST_MS = 5 * SECOND_MS;

export interface FleetDayParts {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
  readonly clockWork: ClockWork;
  /** Whether the clock is behind stored data. */
  readonly isClockBehind: () => boolean;
}

/** Stores the current numbers of licenses and sites shortly after the start and every hour, on one node. */
export function startFleetDays(parts: FleetDayParts): () => void {
  const { db, clock, after, log, writer, clockWork, isClockBehind } = parts;
  const licenseCounts = readLicenseCounts(db);
  const siteCounts = readSiteCounts(db);

  const note = async () => {
    const now = clock.now();
    const { active, trial } = await licenseCounts(now);
    const { all, reporting } = await siteCounts(now);
    const day = {
      day: utcDayNumber(now),
      activeLicenses: active + trial,
      sites: all,
      reportingSites: reporting,
    };
    const refusal = await writer.write('noteFleetDay', day);
    if (isRefusal(refusal))
      log.warn('the daily numbers of licenses and sites could not be stored', { fault: refusal.message });
  };

  const work = async () => {
    if (!isClockBehind()) await clockWork.once('fleet-days', lastDue(clock.now(), EVERY_MS), note);
  };
  const onFault = (error: unknown) =>
    log.error('the daily numbers of licenses and sites could not be stored', { fault: faultOf(error) });

  let stop = after(FIRST_MS, () => {
    stop = every(EVERY_MS, after, work, onFault);
    void work().catch(onFault);
  });
  return () => stop();
}
