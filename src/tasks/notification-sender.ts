import { afterFailure } from '../domain/notification/after-failure.ts';
import type { Deliver, Outcome } from '../domain/notification/delivery.ts';
import type { PageAddresses } from '../domain/notification/event-words.ts';
import { DIGEST_EVENTS_MAX, isDigested, messageTo } from '../domain/notification/messages.ts';
import type { Target } from '../domain/notification/target.ts';
import type { Clock } from '../lib/clock.ts';
import { ATTEMPTS_KEPT, type Attempt } from '../storage/notifications/delivery-attempts.ts';
import type { Sent } from '../storage/notifications/delivery-jobs.ts';
import type { DueEvent, DueReads } from '../storage/notifications/due-events.ts';

/** Events whose outcome is stored in one transaction. A crash resends at most this many. */
const BATCH_EVENTS = 100;

export interface SenderParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly due: DueReads;
  readonly addresses: () => PageAddresses;
  /** Returns a random number from 0 to 1. */
  readonly draw: () => number;
  readonly onOutcome: (kind: Target['kind'], outcome: Outcome['outcome'], events: number) => void;
}

type Batch = Pick<Sent, 'delivered' | 'failed' | 'attempts' | 'isMoreDue'>;

/**
 * Sends due events to a target in order, until an attempt fails.
 *
 * @param isAllowed whether this node still has the lease and is not stopping
 */
export async function sendBatch(
  { clock, due, addresses, draw, onOutcome }: SenderParts,
  target: Target,
  deliver: Deliver,
  isAllowed: () => boolean,
): Promise<Batch> {
  const limit = isDigested(target) ? DIGEST_EVENTS_MAX : BATCH_EVENTS;
  const read = isDigested(target) ? due.digest : due.each;
  const events = await read(target.id, limit, clock.now());
  const delivered: number[] = [];
  const attempts: Attempt[] = [];
  const batchOf = (failed: Sent['failed'], isMoreDue: boolean): Batch => ({
    delivered,
    failed,
    isMoreDue,
    attempts: attempts.slice(-ATTEMPTS_KEPT).reverse(),
  });
  for (const [first, ...others] of messagesOf(target, events)) {
    if (!isAllowed()) return batchOf(null, true);
    const outcome = await deliver(messageTo(target, [first, ...others], addresses()));
    const ids = [first, ...others].map(({ id }) => id);
    const failedBefore = Math.max(...[first, ...others].map((each) => each.attempts));
    onOutcome(target.kind, outcome.outcome, ids.length);
    attempts.push(attemptOf(first, ids.length, failedBefore, outcome, clock.now()));
    if (outcome.outcome === 'delivered') delivered.push(...ids);
    else {
      const after = afterFailure(outcome, failedBefore, clock.now(), draw());
      return batchOf({ ...after, events: ids }, after.pause === null);
    }
  }
  return batchOf(null, events.length === limit);
}

type Together = readonly [DueEvent, ...DueEvent[]];

function messagesOf(target: Target, events: readonly DueEvent[]): readonly Together[] {
  const [first, ...others] = events;
  if (first === undefined) return [];
  return isDigested(target) ? [[first, ...others]] : events.map((event) => [event]);
}

const attemptOf = (
  { event: { id, type } }: DueEvent,
  events: number,
  failedBefore: number,
  outcome: Outcome,
  at: number,
): Attempt => ({
  at,
  event: id,
  type,
  events,
  attempt: failedBefore + 1,
  outcome: outcome.outcome,
  status: outcome.status,
  latencyMs: Math.round(outcome.latencyMs),
  reason: outcome.outcome === 'delivered' ? null : outcome.reason,
});
