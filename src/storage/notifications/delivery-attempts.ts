import type { Outcome } from '../../domain/notification/delivery.ts';
import type { NotificationType } from '../../domain/notification/event.ts';

/** Limit of attempts for each target. */
export const ATTEMPTS_KEPT = 50;

/** One attempt to deliver, as its target's operator sees it. */
export interface Attempt {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The public id of the event, or of the first of a digest. */
  readonly event: string;
  readonly type: NotificationType;
  /** How many events the message had. */
  readonly events: number;
  /** 1 for the first. */
  readonly attempt: number;
  readonly outcome: Outcome['outcome'];
  readonly status: number | null;
  readonly latencyMs: number;
  /** Null of a delivered one. */
  readonly reason: string | null;
}
