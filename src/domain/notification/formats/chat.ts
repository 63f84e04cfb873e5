import type { Severity } from '../../severity.ts';
import { oneLine } from '../bounded-text.ts';
import { fieldLabel, type ShownEvent } from '../shown-event.ts';

/** What an event looks like in a chat, by severity. */
export const CHAT_STYLE: Readonly<Record<Severity, { readonly sign: string; readonly color: number }>> = {
  info: { sign: '🔵', color: 0x5b8def },
  low: { sign: '🟢', color: 0x2e9e5b },
  medium: { sign: '🟡', color: 0xd9a400 },
  high: { sign: '🟠', color: 0xe0701c },
  critical: { sign: '🔴', color: 0xc62828 },
};

/** Fields of a message: more would hide the next one. */
const FIELDS_MAX = 12;
const VALUE_MAX = 200;

/** A text in which no receiver finds a mention: a space of no width follows an @ that begins a word. */
export const withoutMentions = (text: string): string => text.replace(/(?<![A-Za-z0-9])@/g, '@\u200b');

/** Labels and values of a message, personal ones last. */
export const chatFields = ({ fields, personal }: ShownEvent): (readonly [label: string, value: string])[] =>
  [...fields, ...personal]
    .slice(0, FIELDS_MAX)
    .map(([name, value]) => [fieldLabel(name), withoutMentions(oneLine(String(value), VALUE_MAX))]);

/** The first line of a message. */
export const chatTitle = ({ severity, summary }: ShownEvent): string =>
  `${CHAT_STYLE[severity].sign} ${withoutMentions(summary)}`;

/** As many of some lines, from the first one, as a limit in bytes of UTF-8 leaves room for. */
export function fitting(lines: readonly string[], bytesMax: number): string {
  let bytesLeft = bytesMax + 1;
  const end = lines.findIndex((line) => {
    bytesLeft -= Buffer.byteLength(line) + 1;
    return bytesLeft < 0;
  });
  return lines.slice(0, end === -1 ? lines.length : end).join('\n');
}

/** A text of which markdown changes nothing: every character that could have a meaning follows a backslash. */
export const markdown = (text: string): string => text.replace(/[\\`*_{}[\]()<>&#+\-.!|~:@=$^]/g, '\\$&');
