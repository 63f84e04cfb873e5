import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';

/** What an event is about, and must be fetched again because a payload may be late. */
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

/** What is kept of one of the processor's events: never its payload. */
export interface PaymentEvent extends PaymentSubject {
  readonly id: string;
  readonly type: string;
}

/** A subject of events of which nothing has come yet. */
export interface WaitingSubject extends PaymentSubject {
  readonly eventIds: readonly string[];
  /** How often the event that was tried most was tried in vain. */
  readonly attempts: number;
}

const RETRY_MS_MIN = SECOND_MS;
export const RETRY_MS_MAX = 5 * MINUTE_MS;

/** How long what could not be settled waits for its next attempt: twice as long each time, one second to five minutes. */
export const retryAfterMs = (attempts: number): number =>
  Math.min(RETRY_MS_MIN * 2 ** attempts, RETRY_MS_MAX);
