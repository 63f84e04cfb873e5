import { capitalized } from '../../lib/capitalized.ts';
import { oneLine } from './bounded-text.ts';
import type { NotificationEvent } from './event.ts';

/** Characters of a summary, a value and a link. */
const SUMMARY_MAX = 300;
const VALUE_MAX = 500;
const LINK_MAX = 1_000;
/** Of all names and values of an event, in UTF-8. Escaped they take twice as much, so that a line of syslog has less than 8 KiB. */
const FIELDS_BYTES_MAX = 2_048;
const FIELDS_MAX = 40;
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_]{0,31}$/;

type Value = string | number | boolean;

/** An event as a receiver may see it: bounded, on single lines, and without what is personal unless its target receives that. */
export interface ShownEvent extends Pick<NotificationEvent, 'id' | 'type' | 'at' | 'severity'> {
  readonly summary: string;
  readonly link: string | undefined;
  /** Names and values of `data`, without those that are null. */
  readonly fields: readonly (readonly [name: string, value: Value])[];
  /** Names and values of `personal`. */
  readonly personal: readonly (readonly [name: string, value: string])[];
}

/** What of an event is sent. Fields that are too many or too large together are left out, the last ones first. */
export function shownEvent(event: NotificationEvent, isPersonalIncluded: boolean): ShownEvent {
  const { id, type, at, severity, summary, link, data, personal = {} } = event;
  let bytesLeft = FIELDS_BYTES_MAX;
  const bounded = <Given>(
    given: Readonly<Record<string, Given>>,
    shownOf: (value: NonNullable<Given>) => Value,
  ) =>
    Object.entries(given)
      .slice(0, FIELDS_MAX)
      .flatMap(([name, value]): [string, Value][] => {
        if (value === null || value === undefined || !FIELD_NAME.test(name)) return [];
        const shown = shownOf(value);
        const bytes = name.length + Buffer.byteLength(String(shown));
        if (bytes > bytesLeft) return [];
        bytesLeft -= bytes;
        return [[name, shown]];
      });
  const text = (value: string) => oneLine(value, VALUE_MAX);
  return {
    id,
    type,
    at,
    severity,
    summary: oneLine(summary, SUMMARY_MAX),
    link: link === undefined ? undefined : webAddress(link),
    fields: bounded(data, (value) => (typeof value === 'string' ? text(value) : value)),
    personal: isPersonalIncluded ? bounded(personal, text).map(([name, value]) => [name, String(value)]) : [],
  };
}

/** A link in ASCII, without what ends one in a markup; undefined for what is no web page. */
function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > LINK_MAX) return undefined;
  return url.href.replace(
    /[|<>"'()\\`]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A name of a field as people read it: `site_id` is "Site ID". */
export function fieldLabel(name: string): string {
  const words = name
    .replace(/_/g, ' ')
    .replace(/\bid(s?)\b/g, 'ID$1')
    .replace(/\burl\b/g, 'URL');
  return capitalized(words);
}
