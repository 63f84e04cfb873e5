import type { ShownEvent } from '../shown-event.ts';

/** What a webhook posts. */
export interface WebhookBody {
  /** JSON. */
  readonly body: string;
  /** Where to, if not to the target's own address. */
  readonly url?: URL;
}

/** Makes the body for one kind of receiver. */
export type WebhookFormatter = (event: ShownEvent, url: URL) => WebhookBody;
