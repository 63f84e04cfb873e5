import type { ShownEvent } from '../shown-event.ts';
import { chatFields, chatTitle, fitting } from './chat.ts';
import type { WebhookBody } from './webhook-body.ts';

// https://docs.slack.dev/reference/block-kit

const SECTION_BYTES_MAX = 3_000;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Mentions and links of mrkdwn begin with `<`, so a text without it has none. */
const mrkdwn = (text: string): string => text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? '');
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
const section = (text: object) => ({ type: 'section', text });

/** Texts of others are plain text, which Slack never reads as mrkdwn. */
export function slack(event: ShownEvent): WebhookBody {
  const title = mrkdwn(chatTitle(event));
  const fields = chatFields(event).map(([label, value]) => mrkdwn(`${label}: ${value}`));
  const blocks = [
    section(plain(title)),
    ...(fields.length === 0 ? [] : [section(plain(fitting(fields, SECTION_BYTES_MAX)))]),
    ...(event.link === undefined
      ? []
      : [section({ type: 'mrkdwn', text: `<${mrkdwn(event.link)}|Open in Redoubt>` })]),
  ];
  return {
    body: JSON.stringify({
      text: title,
      mrkdwn: false,
      link_names: false,
      unfurl_links: false,
      blocks,
    }),
  };
}
