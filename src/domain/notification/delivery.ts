import type { NotificationEvent } from './event.ts';

/** One message to a target: an event, or a digest of several. */
export interface Message {
  /** At least one, oldest first. A webhook receives them one by one, a mail as a digest. */
  readonly events: readonly [NotificationEvent, ...NotificationEvent[]];
  /** Whether the target receives personal data. */
  readonly isPersonalIncluded: boolean;
  /** Of a mail that asks its recipient to agree, in place of the events. */
  readonly confirm?: Confirmation;
}

/** How a recipient agrees to mails. */
export interface Confirmation {
  /** A page with one button. */
  readonly link: string;
  /** Until when it works, in milliseconds since the Unix epoch. */
  readonly until: number;
}

/** The outcome of one attempt to deliver. */
export type Outcome =
  | { readonly outcome: 'delivered'; readonly status: number | null; readonly latencyMs: number }
  | {
      /** `failed` is tried again, `gone` (410) pauses the target, `refused` is an address that is never connected to. */
      readonly outcome: 'failed' | 'gone' | 'refused';
      readonly status: number | null;
      readonly latencyMs: number;
      /** One sentence for the operator: what happened, without the receiver's text. */
      readonly reason: string;
      /** By `Retry-After`, capped at one day. */
      readonly retryAfterMs?: number;
    };

/** Sends to one target. Never throws because of the receiver. */
export type Deliver = (message: Message) => Promise<Outcome>;
