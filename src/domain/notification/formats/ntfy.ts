import type { Severity } from '../../severity.ts';
import type { ShownEvent } from '../shown-event.ts';
import { chatFields, fitting } from './chat.ts';
import type { WebhookBody } from './webhook-body.ts';

// https://docs.ntfy.sh/publish/#publish-as-json

const PRIORITIES: Readonly<Record<Severity, number>> = { info: 2, low: 2, medium: 3, high: 4, critical: 5 };
/** A longer one becomes a file. */
const MESSAGE_BYTES_MAX = 4_000;

/** JSON goes to the server itself, with the topic in the body; nothing of an event is in a header. */
export function ntfy(event: ShownEvent, url: URL): WebhookBody {
  const topic = url.pathname.split('/').filter(Boolean).at(-1) ?? '';
  const { summary, severity, type, link } = event;
  const lines = [type, ...chatFields(event).map(([label, value]) => `${label}: ${value}`)];
  const body = {
    topic,
    title: summary,
    message: fitting(lines, MESSAGE_BYTES_MAX),
    priority: PRIORITIES[severity],
    tags: [severity],
    ...(link === undefined ? {} : { click: link }),
  };
  return { body: JSON.stringify(body), url: new URL(`/${url.search}`, url) };
}
