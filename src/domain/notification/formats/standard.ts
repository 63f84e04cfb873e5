import { iso } from '../../../lib/clock.ts';
import type { ShownEvent } from '../shown-event.ts';
import type { WebhookBody } from './webhook-body.ts';

/** The body of Standard Webhooks. What is personal is apart, so that a receiver can drop it. */
export function standard({ type, at, severity, summary, link, fields, personal }: ShownEvent): WebhookBody {
  const data = {
    ...Object.fromEntries(fields),
    severity,
    summary,
    ...(link === undefined ? {} : { link }),
    ...(personal.length === 0 ? {} : { personal: Object.fromEntries(personal) }),
  };
  return { body: JSON.stringify({ type, timestamp: iso(at), data }) };
}
