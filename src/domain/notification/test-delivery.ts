import { newOpaqueId } from '../../lib/opaque-id.ts';
import type { Outcome } from './delivery.ts';
import { type NotificationEvent, TEST_TYPE } from './event.ts';
import type { Target } from './target.ts';

/**
 * Sends a test to a target on the path of its deliveries, and returns its outcome. Never throws because of the receiver.
 *
 * @param confirmUntil sends a request for the recipient's confirmation instead, with a link valid until this moment
 */
export type SendTest = (target: Target, confirmUntil?: number) => Promise<Outcome>;

/** What a test sends: an event of a type of its own, so that no receiver takes it for a real one. */
export const testEvent = (name: string, now: number): NotificationEvent => ({
  id: `evt_${newOpaqueId()}`,
  type: TEST_TYPE,
  at: now,
  severity: 'info',
  summary: `Test of the notification target ${name}`,
  data: { target: name },
});

/** The outcome of a test, as a sentence for its sender. */
export function testWords(outcome: Outcome): string {
  const { latencyMs, status } = outcome;
  const took = `${latencyMs.toLocaleString('en')} ms`;
  if (outcome.outcome !== 'delivered') return `Not delivered. ${outcome.reason}`;
  return status === null ? `Delivered in ${took}.` : `Delivered in ${took} with status ${status}.`;
}
