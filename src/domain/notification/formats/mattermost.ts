import type { ShownEvent } from '../shown-event.ts';
import { chatFields, chatTitle, fitting, markdown } from './chat.ts';
import type { WebhookBody } from './webhook-body.ts';

// https://developers.mattermost.com/integrate/webhooks/incoming

/** As much as every version accepts. */
const TEXT_BYTES_MAX = 4_000;

/** Mentions are found in the raw text, so each @ has been separated from its word. */
export function mattermost(event: ShownEvent): WebhookBody {
  const lines = [
    `**${markdown(chatTitle(event))}**`,
    ...(event.link === undefined ? [] : [`[Open in Redoubt](${event.link})`]),
    ...chatFields(event).map(([label, value]) => `- ${label}: ${markdown(value)}`),
  ];
  return { body: JSON.stringify({ text: fitting(lines, TEXT_BYTES_MAX) }) };
}
