import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';

/** The subject of an event, which must be fetched again because a payload may be late. */
export const SUBJECT_KINDS = [
  'setup_intent',
  'checkout',
  'subscription',
  'payment',
  'invoice',
  'dispute',
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** What events are about. */
export interface PaymentSubject {
  readonly kind: SubjectKind;
  /** What the processor calls it. */
  readonly subjectId: string;
}

/** The stored part of a processor's event: never its payload. */
export interface PaymentEvent extends PaymentSubject {
  readonly id: string;
  readonly type: string;
}

/** A subject with unsettled events. */
export interface WaitingSubject extends PaymentSubject {
  readonly eventIds: readonly string[];
  /** Failed attempts of the event with the most attempts. */
  readonly attempts: number;
}

const RETRY_MS_MIN = SECOND_MS;
export const RETRY_MS_MAX = 5 * MINUTE_MS;

/** The delay before the next attempt to settle an event: doubled each time, one second to five minutes. */
export const retryAfterMs = (attempts: number): number =>
  Math.min(RETRY_MS_MIN * 2 ** attempts, RETRY_MS_MAX);
