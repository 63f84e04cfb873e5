import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Marked } from 'marked';
import { oneLine } from '../../../src/domain/notification/bounded-text.ts';
import type { NotificationEvent } from '../../../src/domain/notification/event.ts';
import { markdown } from '../../../src/domain/notification/formats/chat.ts';
import { WEBHOOK_FORMATS, type WebhookFormat } from '../../../src/domain/notification/formats/format.ts';
import { shownEvent } from '../../../src/domain/notification/shown-event.ts';
import { eventWith, HOSTILE_TEXTS } from '../../support/receivers.ts';

const FORMATS = Object.keys(WEBHOOK_FORMATS) as WebhookFormat[];
const URL_OF_TOPIC = new URL('https://ntfy.example/alerts?auth=abc');

const bodyOf = (format: WebhookFormat, event: Partial<NotificationEvent> = {}) => {
  const { body, url } = WEBHOOK_FORMATS[format](shownEvent(eventWith(event), true), URL_OF_TOPIC);
  return { json: JSON.parse(body), bytes: Buffer.byteLength(body), url };
};
const hostile = (text: string): Partial<NotificationEvent> => ({
  summary: text,
  link: `https://licenses.example/?q=${text.slice(0, 50).toWellFormed()}`,
  data: Object.fromEntries([
    ...Array.from({ length: 60 }, (_, at): [string, string] => [`field_${at}`, text]),
    [text, 'x'],
  ]),
  personal: { customer: text },
});
/** Every text in a body, at any depth. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)];

/** The limits of a receiver: bytes of the body, and characters of its largest text. */
const LIMITS: Readonly<Record<WebhookFormat, readonly [bytes: number, characters: number]>> = {
  standard: [12_288, 2_048],
  slack: [16_384, 3_000],
  teams: [28_672, 2_048],
  discord: [12_288, 4_096],
  ntfy: [8_192, 4_096],
  mattermost: [8_192, 4_000],
};

describe.each(FORMATS)('%s', (format) => {
  test.each(HOSTILE_TEXTS)('bounds and flattens %#', (text) => {
    const { json, bytes } = bodyOf(format, hostile(text));
    const [bytesMax, charactersMax] = LIMITS[format];
    expect(bytes).toBeLessThan(bytesMax);
    for (const each of textsIn(json)) {
      expect(each.length).toBeLessThanOrEqual(charactersMax);
      expect(each.isWellFormed()).toBe(true);
      expect(each).not.toMatch(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    }
  });

  test('says what happened, and links to the page for acting on it', () => {
    const text = JSON.stringify(bodyOf(format, { summary: 'Two sites are silent' }).json);
    expect(text).toContain('Two sites are silent');
    expect(text).toContain('https://licenses.example/console/alerts/7');
  });

  test('omits a link that is not a web page', () => {
    const text = JSON.stringify(bodyOf(format, { link: 'javascript:alert(1)' }).json);
    expect(text).not.toContain('javascript');
  });
});

/** Syntax of each chat for mentions, links and styles, in texts of others. */
describe('texts of others', () => {
  test.each(FORMATS.filter((format) => format !== 'standard'))('contain no mention in %s', (format) => {
    for (const text of HOSTILE_TEXTS) {
      const shown = textsIn(bodyOf(format, { summary: 'x', data: { name: text }, personal: {} }).json).join(
        '\n',
      );
      expect(shown).not.toMatch(/(?<![A-Za-z0-9])@(?:everyone|here|channel|all)/);
    }
  });

  test('are plain text in Slack, where only our link is mrkdwn', () => {
    for (const text of HOSTILE_TEXTS) {
      const { json } = bodyOf('slack', hostile(text));
      const [title, fields, link, ...more] = json.blocks.map(
        (block: { text: { type: string } }) => block.text,
      );
      expect([title.type, fields.type, link.type, more]).toEqual(['plain_text', 'plain_text', 'mrkdwn', []]);
      for (const each of [title.text, fields.text, json.text])
        expect(each).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      expect(link.text).toMatch(/^<https:\/\/licenses\.example\/[^<>|]*\|Open in Redoubt>$/);
      expect(json).toMatchObject({ mrkdwn: false, link_names: false });
    }
  });

  test('are runs of text in Teams, which are never markdown, and nothing is mentioned', () => {
    const { json } = bodyOf('teams', hostile('**[x](https://evil.example)** <at>Ann</at>'));
    const [{ content, contentType }] = json.attachments;
    expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(new Set(content.body.map(({ type }: { type: string }) => type))).toEqual(
      new Set(['RichTextBlock']),
    );
    expect(JSON.stringify(json)).not.toContain('entities');
  });

  test('contain no mention in Discord with any text', () => {
    const { json } = bodyOf('discord', hostile('<@1> @everyone'));
    expect(json.allowed_mentions).toEqual({ parse: [] });
    expect(json.embeds[0].description).not.toMatch(/(?<!\\)[<>@]/);
  });

  test('are in no header of ntfy, which gets its topic in the body', () => {
    const { json, url } = bodyOf('ntfy', { summary: 'a\r\nX-Actions: evil' });
    expect([url?.href, json.topic, json.title, json.priority]).toEqual([
      'https://ntfy.example/?auth=abc',
      'alerts',
      'a X-Actions: evil',
      5,
    ]);
  });

  test('are shown by markdown as they are', () => {
    const marked = new Marked();
    const shown = (text: string) =>
      String(marked.parseInline(markdown(text)))
        .replace(/&lt;/g, '<')
        .replace(/&gt;/g, '>')
        .replace(/&quot;/g, '"')
        .replace(/&#39;/g, "'")
        .replace(/&amp;/g, '&');
    const pieces = [
      '**',
      '_',
      '`',
      '](',
      '[',
      '![',
      '<b>',
      '&lt;',
      '~~',
      '\\',
      'https://a.b',
      'www.a.b',
      'a@b.c',
      '#',
      ' ',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme' }))),
        (parts) => {
          const text = oneLine(parts.join(''), 200);
          expect(shown(text)).toBe(text);
        },
      ),
    );
  });
});
