import type { Deliver, Outcome } from '../domain/notification/delivery.ts';
import type { PageAddresses } from '../domain/notification/event-words.ts';
import type { Target, TargetKind } from '../domain/notification/target.ts';
import { isRefusal } from '../domain/refusal.ts';
import { type After, type Clock, SECOND_MS } from '../lib/clock.ts';
import { every } from '../lib/every.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { newOpaqueId } from '../lib/opaque-id.ts';
import { within } from '../lib/within.ts';
import { isAway } from '../storage/engine/database.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { Sent } from '../storage/notifications/delivery-jobs.ts';
import type { DueReads } from '../storage/notifications/due-events.ts';
import { LEASE_MS } from '../storage/notifications/leases.ts';
import { openTarget, type TargetReads } from '../storage/notifications/targets.ts';
import { sendBatch } from './notification-sender.ts';

export interface NotificationParts {
  readonly clock: Clock;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
  readonly targets: Pick<TargetReads, 'findById'>;
  readonly due: DueReads;
  /** See readIsDue. */
  readonly isDue: (now: number) => Promise<boolean>;
  /** See DerivedIdentities. */
  readonly targetKey: Uint8Array;
  /** As they are set now. */
  readonly addresses: () => PageAddresses;
  /** How a target is sent to; what it returns sends to that target alone. */
  readonly deliverTo: (target: Target) => Deliver;
  /** Whether no other node sends, so that leases from before the start have ended. */
  readonly isAlone: boolean;
  readonly draw?: () => number;
  /** Counts deliveries by kind and outcome, such as `webhook delivered`; a digest counts as often as it has events. */
  readonly counts: Map<string, number>;
}

export interface Notifications {
  /** Whether anything is being sent, or read to be sent. */
  isBusy(): boolean;
  /** Starts no more deliveries, and waits a little for those in progress. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = SECOND_MS;
const RENEW_EVERY_MS = 5 * SECOND_MS;
/** Targets that one node sends to at a time: a receiver that hangs takes one place until its time is over. */
const TARGETS_MAX = 64;
/** Batches before others have their turn. */
const ROUNDS_MAX = 5;
const STORE_RETRY_MS = SECOND_MS;
const STOP_MS = 5 * SECOND_MS;

/** Sends what waits in the outbox. Each target is leased by one node at a time; a node that dies leaves it to the others within 15 seconds. */
export function startNotifications(parts: NotificationParts): Notifications {
  const { clock, after, log, writer, targets, due, isDue, targetKey, addresses, deliverTo, isAlone } = parts;
  const { draw = Math.random, counts } = parts;
  const holder = newOpaqueId();
  /** Until when each leased target is this node's, by the monotonic clock. */
  const leases = new Map<number, number>();
  const working = new Set<Promise<void>>();
  let isStopped = false;
  let isFailing = false;

  const onOutcome = (kind: TargetKind, outcome: Outcome['outcome'], events: number): void => {
    const key = `${kind} ${outcome}`;
    counts.set(key, (counts.get(key) ?? 0) + events);
  };
  const pause = (delayMs: number) => new Promise<void>((resolve) => after(delayMs, resolve));
  const holds = (id: number): boolean => !isStopped && (leases.get(id) ?? 0) > clock.monotonic();

  /** What arrived must be stored, or it is sent again. */
  const store = async (sent: Sent): Promise<void> => {
    while (isRefusal(await writer.write('completeDeliveries', sent))) {
      if (isStopped) return;
      await pause(STORE_RETRY_MS);
    }
  };

  const serve = async (id: number): Promise<void> => {
    for (let round = 1; ; round++) {
      const record = await targets.findById(id);
      if (record === undefined) return;
      const target = openTarget(targetKey, record, clock.now());
      const batch =
        record.pausedAt === null
          ? await sendBatch({ clock, due, addresses, draw, onOutcome }, target, deliverTo(target), () =>
              holds(id),
            )
          : { delivered: [], failed: null, attempts: [], isMoreDue: false };
      const goesOn = batch.isMoreDue && batch.failed === null && round < ROUNDS_MAX && holds(id);
      await store({ ...batch, targetId: id, holder, isOver: !goesOn, now: clock.now() });
      if (!goesOn) return;
    }
  };

  const begin = (id: number): void => {
    const work = serve(id)
      .catch((error) => log.error('notifications could not be sent', { fault: faultOf(error) }))
      .finally(() => {
        leases.delete(id);
        working.delete(work);
        if (!isStopped) look().catch(onFault);
      });
    working.add(work);
  };

  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const free = TARGETS_MAX - working.size;
      if (isStopped || free <= 0 || !(await isDue(clock.now()))) return;
      const leasedAt = clock.monotonic();
      const leased = await writer.write('leaseTargets', { holder, limit: free, now: clock.now() });
      if (isRefusal(leased)) return;
      for (const id of leased) {
        // A lease that ran out while its receiver was slow is renewed: two of one node would send the same.
        const isSending = leases.has(id);
        leases.set(id, leasedAt + LEASE_MS);
        if (!isSending) begin(id);
      }
      isFailing = false;
    } finally {
      isLooking = false;
    }
  };

  const renew = async (): Promise<void> => {
    if (leases.size === 0) return;
    const renewedAt = clock.monotonic();
    const targetIds = [...leases.keys()];
    const renewed = await writer.write('renewLeases', { holder, targetIds, now: clock.now() });
    if (isRefusal(renewed)) return;
    for (const id of renewed) if (leases.has(id)) leases.set(id, renewedAt + LEASE_MS);
  };

  const onFault = (error: unknown): void => {
    // An unavailable database is logged elsewhere.
    if (!isFailing && !isAway(error)) log.error('notifications wait', { fault: faultOf(error) });
    isFailing = true;
  };

  /** What cannot be released ends by itself. */
  const release = async (of: string | null): Promise<void> => {
    const refusal = await writer.write('releaseLeases', { holder: of });
    if (isRefusal(refusal)) log.info('notifications wait for 15 seconds', { fault: refusal.message });
  };
  if (isAlone) release(null).catch(onFault);
  const ends = [every(LOOK_EVERY_MS, after, look, onFault), every(RENEW_EVERY_MS, after, renew, onFault)];

  return {
    isBusy: () => isLooking || working.size > 0,
    async stop() {
      isStopped = true;
      for (const end of ends) end();
      await within(Promise.allSettled([...working]), STOP_MS);
      await release(holder);
    },
  };
}
