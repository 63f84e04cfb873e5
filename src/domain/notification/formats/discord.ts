import { iso } from '../../../lib/clock.ts';
import type { ShownEvent } from '../shown-event.ts';
import { CHAT_STYLE, chatFields, chatTitle, fitting, markdown } from './chat.ts';
import type { WebhookBody } from './webhook-body.ts';

// https://discord.com/developers/docs/resources/webhook#execute-webhook

const DESCRIPTION_MAX = 4_096;
const TITLE_MAX = 256;

/** Mentions are also switched off, for any text. */
export function discord(event: ShownEvent): WebhookBody {
  const title = markdown(chatTitle(event));
  const lines = [
    // A title that is too long is refused with the whole message.
    ...(title.length > TITLE_MAX ? [`**${title}**`] : []),
    ...chatFields(event).map(([label, value]) => `${label}: ${markdown(value)}`),
  ];
  const embed = {
    ...(title.length > TITLE_MAX ? {} : { title }),
    description: fitting(lines, DESCRIPTION_MAX),
    color: CHAT_STYLE[event.severity].color,
    timestamp: iso(event.at),
    ...(event.link === undefined ? {} : { url: event.link }),
    footer: { text: event.type },
  };
  return { body: JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] } }) };
}
