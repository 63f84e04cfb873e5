import { isRefusal } from '../domain/refusal.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../lib/clock.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { oneAfterAnother } from '../lib/one-after-another.ts';
import type { Config } from '../settings/config.ts';
import { type ClockWork, lastDue } from '../storage/engine/clock-work.ts';
import type { JobName } from '../storage/engine/jobs/jobs.ts';
import type { RetentionJob, RetentionTerms } from '../storage/engine/retention.ts';
import type { Room } from '../storage/engine/room.ts';
import type { Writer } from '../storage/engine/writer.ts';

const EVERY_MS = 60 * MINUTE_MS;
const WITHOUT_ROOM_EVERY_MS = 5 * MINUTE_MS;

/** A larger jump of the clock is accepted only if the clock still agrees an hour later. */
const JUMP_MS_MAX = DAY_MS;

interface RetentionParts {
  readonly writer: Pick<Writer, 'write'>;
  readonly clockWork: ClockWork;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Pick<Config, 'retentionDays' | 'feedWindowDays' | 'auditDays'>;
  readonly room: Room;
  /** The retention jobs; see ofRetention. */
  readonly jobs: () => Promise<readonly RetentionJob<JobName>[]>;
  /** See OpenedDatabase. */
  readonly tidy: () => Awaitable<void>;
  /** See StorageThread. */
  readonly truncateLog: () => Promise<void>;
  /** Whether the clock is behind stored data. */
  readonly isClockBehind: () => boolean;
}

interface Retention {
  /** Runs the retention now. */
  forget(): Promise<void>;
  stop(): void;
}

/**
 * Deletes expired data every hour, in small steps so that no request waits, and frees the disk space. While the disk is full,
 * it runs every five minutes.
 */
export function startRetention({
  writer,
  clockWork,
  clock,
  log,
  config,
  isClockBehind,
  room,
  jobs,
  tidy,
  truncateLog,
}: RetentionParts): Retention {
  let stopped = false;
  const aheadOfMonotonic = () => clock.now() - clock.monotonic();
  let ahead = aheadOfMonotonic();

  /** Repeats a job that deletes a part of the rows per call. */
  const run = async ({ name, inputAt }: RetentionJob<JobName>, terms: RetentionTerms) => {
    while (true) {
      const done: unknown = await writer.write(name, inputAt(terms) as never);
      if (stopped || typeof done !== 'number' || done === 0) return done;
    }
  };

  const hasJumped = () => {
    const previous = ahead;
    ahead = aheadOfMonotonic();
    return Math.abs(ahead - previous) > JUMP_MS_MAX;
  };

  const freeDiskSpace = async () => {
    try {
      await truncateLog();
    } catch (error) {
      log.warn('the write-ahead log cannot be truncated', { fault: faultOf(error) });
    }
    await room.writeReserve();
  };

  const forget = async () => {
    if (hasJumped()) {
      log.warn('the clock jumped by more than a day; retention pauses for an hour');
      return;
    }
    if (isClockBehind()) {
      log.warn('the clock is more than a day behind the newest data; retention pauses until it is set');
      return;
    }
    const isFull = !room.isEnough();
    if (isFull) room.make();
    const terms = { ...config, now: clock.now(), isFull };
    const outcomes = await oneAfterAnother(await jobs(), (job) => run(job, terms));
    await tidy();
    if (isFull) await freeDiskSpace();
    if (outcomes.some(isRefusal)) log.warn('retention is postponed until disk space is available');
  };

  let forgotAt = clock.monotonic();
  const timer = setInterval(() => {
    if (room.isEnough() && clock.monotonic() - forgotAt < EVERY_MS) return;
    forgotAt = clock.monotonic();
    clockWork
      .once('retention', lastDue(clock.now(), EVERY_MS), forget)
      .catch((error) => log.error('retention failed', { fault: faultOf(error) }));
  }, WITHOUT_ROOM_EVERY_MS);
  return {
    forget,
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
