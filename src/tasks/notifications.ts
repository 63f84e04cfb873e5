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
  /** Reads the current settings. */
  readonly addresses: () => PageAddresses;
  /** Creates the function that delivers to a target. */
  readonly deliverTo: (target: Target) => Deliver;
  /** Whether this is the only node, so that leases from before the start have ended. */
  readonly isAlone: boolean;
  readonly draw?: () => number;
  /** Deliveries by kind and outcome, such as `webhook delivered`. A digest counts once per event. */
  readonly counts: Map<string, number>;
}

export interface Notifications {
  /** Whether deliveries or reads of due events are running. */
  isBusy(): boolean;
  /** Starts no more deliveries and waits up to 5 seconds for running ones. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = SECOND_MS;
const RENEW_EVERY_MS = 5 * SECOND_MS;
/** Targets that one node sends to at a time. A hanging receiver occupies a place until its timeout. */
const TARGETS_MAX = 64;
/** Consecutive batches per target, before others get a turn. */
const ROUNDS_MAX = 5;
const STORE_RETRY_MS = SECOND_MS;
const STOP_MS = 5 * SECOND_MS;

/** Sends events from the outbox. One node at a time leases a target; if it dies, another takes over within 15 seconds. */
export function startNotifications(parts: NotificationParts): Notifications {
  const { clock, after, log, writer, targets, due, isDue, targetKey, addresses, deliverTo, isAlone } = parts;
  const { draw = Math.random, counts } = parts;
  const holder = newOpaqueId();
  /** The expiry of each leased target on the monotonic clock. */
  const leases = new Map<number, number>();
  const working = new Set<Promise<void>>();
  let isStopped = false;
  let isFailing = false;

  const onOutcome = (kind: TargetKind, outcome: Outcome['outcome'], events: number): void => {
    const key = `${kind} ${outcome}`;
    counts.set(key, (counts.get(key) ?? 0) + events);
  };
  const pause = (delayMs: number) => new Promise<void>((resolve) => after(delayMs, resolve));
  const hasLease = (id: number): boolean => !isStopped && (leases.get(id) ?? 0) > clock.monotonic();

  /** Retries until the outcome is stored, because delivered events would otherwise be sent again. */
  const store = async (sent: Sent): Promise<void> => {
    while (isRefusal(await writer.write('completeDeliveries', sent))) {
      if (isStopped) return;
      await pause(STORE_RETRY_MS);
    }
  };

  const sendTo = async (id: number): Promise<void> => {
    for (let round = 1; ; round++) {
      const record = await targets.findById(id);
      if (record === undefined) return;
      const target = openTarget(targetKey, record, clock.now());
      const batch =
        record.pausedAt === null
          ? await sendBatch({ clock, due, addresses, draw, onOutcome }, target, deliverTo(target), () =>
              hasLease(id),
            )
          : { delivered: [], failed: null, attempts: [], isMoreDue: false };
      const continues = batch.isMoreDue && batch.failed === null && round < ROUNDS_MAX && hasLease(id);
      await store({ ...batch, targetId: id, holder, isOver: !continues, now: clock.now() });
      if (!continues) return;
    }
  };

  const begin = (id: number): void => {
    const work = sendTo(id)
      .catch((error) => log.error('notifications could not be sent', { fault: faultOf(error) }))
      .finally(() => {
        leases.delete(id);
        working.delete(work);
        if (!isStopped) leaseDue().catch(onFault);
      });
    working.add(work);
  };

  let isLeasing = false;
  const leaseDue = async (): Promise<void> => {
    if (isLeasing) return;
    isLeasing = true;
    try {
      const free = TARGETS_MAX - working.size;
      if (isStopped || free <= 0 || !(await isDue(clock.now()))) return;
      const leasedAt = clock.monotonic();
      const leased = await writer.write('leaseTargets', { holder, limit: free, now: clock.now() });
      if (isRefusal(leased)) return;
      for (const id of leased) {
        // The lease of a target with a slow receiver may have expired. It is renewed without sending the same events twice.
        const isSending = leases.has(id);
        leases.set(id, leasedAt + LEASE_MS);
        if (!isSending) begin(id);
      }
      isFailing = false;
    } finally {
      isLeasing = false;
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
    // The watch of the database logs when it is unavailable.
    if (!isFailing && !isAway(error)) log.error('notifications are delayed', { fault: faultOf(error) });
    isFailing = true;
  };

  /** Leases that cannot be released expire. */
  const release = async (owner: string | null): Promise<void> => {
    const refusal = await writer.write('releaseLeases', { holder: owner });
    if (isRefusal(refusal)) log.info('notifications wait for 15 seconds', { fault: refusal.message });
  };
  if (isAlone) release(null).catch(onFault);
  const ends = [every(LOOK_EVERY_MS, after, leaseDue, onFault), every(RENEW_EVERY_MS, after, renew, onFault)];

  return {
    isBusy: () => isLeasing || working.size > 0,
    async stop() {
      isStopped = true;
      for (const end of ends) end();
      await within(Promise.allSettled([...working]), STOP_MS);
      await release(holder);
    },
  };
}
