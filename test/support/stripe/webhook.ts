import { createHmac } from 'node:crypto';
import type { Event } from './objects.ts';

export const WEBHOOK_SECRET = 'whsec_fake';

export interface Signing {
  readonly secret?: string;
  /** Seconds since the Unix epoch. */
  readonly at?: number;
}

/** A delivery as Stripe sends it: the raw body and its signature over time stamp and body. */
export function delivery(event: Event, { secret = WEBHOOK_SECRET, at }: Signing = {}) {
  const body = JSON.stringify(event, null, 2);
  const stamp = at ?? Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${stamp}.${body}`).digest('hex');
  return { body, signature: `t=${stamp},v1=${signature},v0=ignored` };
}
