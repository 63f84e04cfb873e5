import type { ShownEvent } from '../shown-event.ts';
import { chatFields, chatTitle } from './chat.ts';
import type { WebhookBody } from './webhook-body.ts';

// The message of a Teams workflow "when a webhook request is received": https://adaptivecards.io/explorer

/** Runs of a rich text are never read as markdown, unlike a text block or a fact. */
const line = (runs: readonly object[], more: object = {}) => ({
  type: 'RichTextBlock',
  inlines: runs,
  ...more,
});
const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more });

/** Without entities, `<at>` is no mention. */
export function teams(event: ShownEvent): WebhookBody {
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      line([run(chatTitle(event), { weight: 'bolder', size: 'medium' })]),
      ...chatFields(event).map(([label, value]) =>
        line([run(`${label}: `, { isSubtle: true }), run(value)], { spacing: 'none' }),
      ),
    ],
    ...(event.link === undefined
      ? {}
      : { actions: [{ type: 'Action.OpenUrl', title: 'Open in Redoubt', url: event.link }] }),
  };
  const attachment = {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content: card,
  };
  return { body: JSON.stringify({ type: 'message', attachments: [attachment] }) };
}
