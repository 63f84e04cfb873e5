/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Confirmation, Message } from '../../domain/notification/delivery.ts';
import { fieldLabel, type ShownEvent, shownEvent } from '../../domain/notification/shown-event.ts';
import { SEVERITIES, type Severity } from '../../domain/severity.ts';
import { capitalized } from '../../lib/capitalized.ts';

export interface MailTerms {
  /** The operator's name, in subject and footer. */
  readonly brand: string;
  /** The unsubscribe page. */
  readonly unsubscribe: string | undefined;
}

export interface MailBody {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Group {
  readonly severity: Severity;
  readonly events: readonly ShownEvent[];
}

/** Events listed in one mail; the rest is only counted. */
const EVENTS_MAX = 100;
const SUBJECT_MAX = 120;
const COLORS: Readonly<Record<Severity, string>> = {
  info: '#3b6fd4',
  low: '#2e7d4f',
  medium: '#8a6d00',
  high: '#b3541e',
  critical: '#b3261e',
};
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const momentOf = (at: number): string => `${MOMENT.format(at)} UTC`;
const counted = (count: number): string => `${count} ${count === 1 ? 'notification' : 'notifications'}`;

/** Formats a mail about one event, or a digest of several: most severe first, then oldest first. */
export function mailBody({ events, isPersonalIncluded, confirm }: Message, terms: MailTerms): MailBody {
  if (confirm) return confirmationBody(confirm, terms);
  const shown = events.slice(0, EVENTS_MAX).map((event) => shownEvent(event, isPersonalIncluded));
  const groups = SEVERITIES.toReversed().flatMap((severity): Group[] => {
    const of = shown.filter((event) => event.severity === severity);
    return of.length === 0 ? [] : [{ severity, events: of }];
  });
  const left = events.length - shown.length;
  return {
    subject: subjectOf(events, shown, terms),
    text: textOf(groups, left, terms),
    html: `<!doctype html>${<Events groups={groups} left={left} terms={terms} />}`,
  };
}

/** The confirmation request before the first notification. It contains no text from the tenant. */
function confirmationBody({ link, until }: Confirmation, { brand }: MailTerms): MailBody {
  const ask = `A customer of ${brand} wants to send security notifications to this address.`;
  const ignore = `The link works until ${momentOf(until)}. If you do nothing, nothing else is sent to you.`;
  return {
    subject: `[${brand}] Confirm notifications`,
    text: [ask, `To receive them, open this page and confirm:\n${link}`, ignore, textFooter({ brand })].join(
      '\n\n',
    ),
    html: `<!doctype html>${(
      <Page brand={brand}>
        <p>{ask}</p>
        <p>
          <a href={link}>Confirm notifications</a>
        </p>
        <p>{ignore}</p>
      </Page>
    )}`,
  };
}

function subjectOf(events: Message['events'], [first]: readonly ShownEvent[], { brand }: MailTerms): string {
  const counts = SEVERITIES.toReversed().flatMap((severity) => {
    const count = events.filter((event) => event.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const about =
    events.length === 1 && first
      ? `${capitalized(first.severity)}: ${first.summary}`
      : `${counted(events.length)}: ${counts.join(', ')}`;
  const characters = [...`[${brand}] ${about}`];
  return characters.length > SUBJECT_MAX
    ? `${characters.slice(0, SUBJECT_MAX - 1).join('')}…`
    : characters.join('');
}

const linesOf = ({ summary, at, fields, personal, link }: ShownEvent): string[] => [
  summary,
  momentOf(at),
  ...[...fields, ...personal].map(([name, value]) => `${fieldLabel(name)}: ${value}`),
  ...(link === undefined ? [] : [link]),
];

/** Mail programs treat everything after its first line as the signature (RFC 3676, 4.3). */
const textFooter = ({ brand, unsubscribe }: Pick<PageProps, 'brand' | 'unsubscribe'>): string =>
  ['-- ', `Sent by ${brand}`, ...(unsubscribe === undefined ? [] : [`Unsubscribe: ${unsubscribe}`])].join(
    '\n',
  );

const textOf = (groups: readonly Group[], left: number, terms: MailTerms): string =>
  [
    ...groups.flatMap(({ severity, events }) => [
      severity.toUpperCase(),
      ...events.map((event) => linesOf(event).join('\n  ')),
    ]),
    ...(left === 0 ? [] : [`And ${counted(left)} more.`]),
    textFooter(terms),
  ].join('\n\n');

interface PageProps {
  readonly brand: string;
  readonly unsubscribe?: string | undefined;
  readonly children?: Child;
}

/** Contains no images, scripts or other remote resources, so opening a mail reveals nothing to its sender. */
const Page = ({ brand, unsubscribe, children }: PageProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
    </head>
    <body style="margin:0;padding:16px;font:16px/1.5 sans-serif;color:#1f2328;background:#fff">
      {children}
      <p style="margin-top:32px;font-size:13px;color:#59636e">
        Sent by {brand}
        {unsubscribe !== undefined && (
          <span>
            {' · '}
            <a href={unsubscribe}>Unsubscribe</a>
          </span>
        )}
      </p>
    </body>
  </html>
);

interface EventsProps {
  readonly groups: readonly Group[];
  readonly left: number;
  readonly terms: MailTerms;
}

const Events = ({ groups, left, terms }: EventsProps) => (
  <Page {...terms}>
    {groups.map(({ severity, events }) => (
      <div>
        <h2 style={`margin:24px 0 8px;font-size:18px;color:${COLORS[severity]}`}>{capitalized(severity)}</h2>
        {events.map((event) => (
          <Entry event={event} />
        ))}
      </div>
    ))}
    {left > 0 && <p>And {counted(left)} more.</p>}
  </Page>
);

const Entry = ({ event: { summary, at, fields, personal, link } }: { readonly event: ShownEvent }) => (
  <div style="margin:0 0 16px">
    <strong>{link === undefined ? summary : <a href={link}>{summary}</a>}</strong>
    <div style="font-size:13px;color:#59636e">{momentOf(at)}</div>
    {[...fields, ...personal].map(([name, value]) => (
      <div style="font-size:14px">
        {fieldLabel(name)}: {String(value)}
      </div>
    ))}
  </div>
);
