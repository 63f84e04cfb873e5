import { SESSION_MS } from '../domain/admin/operator.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { INCIDENT_DAYS } from '../domain/site/alerts.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../lib/clock.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Config } from '../settings/config.ts';
import { type ClockWork, lastDue } from '../storage/engine/clock-work.ts';
import type { Room } from '../storage/engine/room.ts';
import type { Writer } from '../storage/engine/writer.ts';

const EVERY_MS = 60 * MINUTE_MS;
const WITHOUT_ROOM_EVERY_MS = 5 * MINUTE_MS;
const USAGE_DAYS_KEPT = 2;
/** Longer than the processor lists its events, so that a listed one is never taken twice. */
const PAYMENT_EVENT_DAYS_KEPT = 35;

/** A clock that has jumped further is believed only when it still says so at the next time. */
const JUMP_MS_MAX = DAY_MS;

interface RetentionParts {
  readonly writer: Pick<Writer, 'write'>;
  readonly clockWork: ClockWork;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Pick<Config, 'retentionDays' | 'feedWindowDays' | 'auditDays'>;
  readonly room: Room;
  /** See OpenedDatabase. */
  readonly tidy: () => Awaitable<void>;
  /** See StorageThread. */
  readonly truncateLog: () => Promise<void>;
  /** Whether the clock cannot be right, because there is newer data. */
  readonly isClockBehind: () => boolean;
}

interface Retention {
  /** What happens once an hour. */
  forget(): Promise<void>;
  stop(): void;
}

/**
 * Forgets once an hour what is older than its retention, a little at a time so that no request waits, and gives the room
 * back. While the disk is full, every five minutes.
 */
export function startRetention({
  writer,
  clockWork,
  clock,
  log,
  config,
  isClockBehind,
  room,
  tidy,
  truncateLog,
}: RetentionParts): Retention {
  let stopped = false;
  const aheadOfMonotonic = () => clock.now() - clock.monotonic();
  let ahead = aheadOfMonotonic();

  /** Repeats a job that does a part at a time. */
  const allOf = async (doPart: () => Promise<number | Refusal>) => {
    while (true) {
      const done = await doPart();
      if (stopped || isRefusal(done) || done === 0) return done;
    }
  };

  const hasJumped = () => {
    const before = ahead;
    ahead = aheadOfMonotonic();
    return Math.abs(ahead - before) > JUMP_MS_MAX;
  };

  const giveRoomBack = async () => {
    try {
      await truncateLog();
    } catch (error) {
      log.warn('the write-ahead log keeps its room', { fault: faultOf(error) });
    }
    await room.layReserve();
  };

  const forget = async () => {
    if (hasJumped()) {
      log.warn('the clock has jumped by more than a day; nothing is forgotten for an hour');
      return;
    }
    if (isClockBehind()) {
      log.warn('the clock is more than a day behind the newest data; nothing is forgotten until it is set');
      return;
    }
    const isFull = !room.isEnough();
    if (isFull) room.make();
    const now = clock.now();
    const receivedBefore = now - config.retentionDays * DAY_MS;
    const outcomes = [
      await allOf(() => writer.write('forgetEvents', { receivedBefore })),
      await allOf(() => writer.write('forgetSignals', { receivedBefore })),
      await allOf(() => writer.write('forgetInventories', { receivedBefore })),
      await allOf(() => writer.write('forgetScans', { finishedBefore: receivedBefore })),
      await writer.write('forgetScanRequests', { now }),
      await allOf(() => writer.write('forgetAssessments', { madeBefore: receivedBefore })),
      await allOf(() => writer.write('forgetEvidence', { before: now - config.auditDays * DAY_MS })),
      await allOf(() => writer.write('forgetCredentials', { expiredBefore: receivedBefore })),
      await writer.write('forgetPreviousKeys', { now }),
      await writer.write('forgetAlerts', { toldBefore: now - INCIDENT_DAYS * DAY_MS }),
      await writer.write('forgetThreatReports', { reportedBefore: now - config.feedWindowDays * DAY_MS }),
      await writer.write('forgetDailyUse', { before: now - USAGE_DAYS_KEPT * DAY_MS }),
      await writer.write('forgetDailyVolumes', { before: now - USAGE_DAYS_KEPT * DAY_MS }),
      await writer.write('forgetPaymentEvents', { processedBefore: now - PAYMENT_EVENT_DAYS_KEPT * DAY_MS }),
      await writer.write('forgetVerdicts', { before: receivedBefore }),
      await allOf(() => writer.write('forgetAudit', { before: now - config.auditDays * DAY_MS })),
      await writer.write('forgetAdminRequests', { now }),
      await writer.write('forgetSessions', { startedBefore: now - SESSION_MS }),
      await writer.write('forgetPortalSessions', { startedBefore: now - SESSION_MS }),
      await writer.write('correctLastSeen', { now }),
      await allOf(() => writer.write('giveBackPages', { all: isFull })),
    ];
    await tidy();
    if (isFull) await giveRoomBack();
    if (outcomes.some(isRefusal)) log.warn('retention was put off until the store has room');
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
