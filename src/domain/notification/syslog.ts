import { iso } from '../../lib/clock.ts';
import type { Severity } from '../severity.ts';
import type { ShownEvent } from './shown-event.ts';

// RFC 5424. Texts of an event have no control characters any more, so that a line is one message in every framing.

/** The sender. */
export interface SyslogOrigin {
  readonly host: string;
  readonly processId: number;
  /** Of this service. */
  readonly version: string;
}

type Value = string | number | boolean;
/** What a format says of an event: its structured data, or `-`, and its text. */
type SyslogText = readonly [structured: string, text: string];

const AUDIT_FACILITY = 13;
const LOCAL0_FACILITY = 16;
const LEVELS: Readonly<Record<Severity, number>> = { info: 6, low: 5, medium: 4, high: 3, critical: 2 };
const CEF_LEVELS: Readonly<Record<Severity, number>> = { info: 1, low: 3, medium: 5, high: 8, critical: 10 };
/** IANA's number for examples, until one is registered. */
const STRUCTURED_ID = 'redoubt@32473';
const HOST_CHARACTERS_MAX = 255;

/** All data of an event, by name; our own names are never names of its fields. */
function valuesOf({ id, severity, link, fields, personal }: ShownEvent): (readonly [string, Value])[] {
  const ours: readonly (readonly [string, Value])[] = [
    ['id', id],
    ['severity', severity],
    ...(link === undefined ? [] : [['link', link] as const]),
  ];
  const known = new Set(ours.map(([name]) => name));
  return [...ours, ...[...fields, ...personal].filter(([name]) => !known.has(name))];
}

function structured(event: ShownEvent): SyslogText {
  const parameters = valuesOf(event).map(
    ([name, value]) => `${name}="${String(value).replace(/["\\\]]/g, '\\$&')}"`,
  );
  return [`[${[STRUCTURED_ID, ...parameters].join(' ')}]`, event.summary];
}

/** ArcSight's Common Event Format 0. Fields that its dictionary lacks begin with `redoubt`: `site_id` is `redoubtSiteId`. */
function cef(event: ShownEvent, { version }: SyslogOrigin): SyslogText {
  const { id, type, at, severity, summary, link } = event;
  const header = [version, type, summary].map((text) => text.replace(/[\\|]/g, '\\$&'));
  const ours = new Set(['id', 'severity', 'link']);
  const extension = [
    ...[['rt', at] as const, ['externalId', id] as const, ['cat', type.split('.')[0] ?? ''] as const],
    ...(link === undefined ? [] : [['request', link] as const]),
    ...valuesOf(event)
      .filter(([name]) => !ours.has(name))
      .map(([name, value]) => [cefName(name), value] as const),
  ].map(([name, value]) => `${name}=${String(value).replace(/[\\=]/g, '\\$&')}`);
  const [ofVersion, ofType, ofSummary] = header;
  return [
    '-',
    `CEF:0|Redoubt|Redoubt|${ofVersion}|${ofType}|${ofSummary}|${CEF_LEVELS[severity]}|${extension.join(' ')}`,
  ];
}

const cefName = (name: string): string =>
  `redoubt${name.replace(/(?:^|_)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())}`;

/** JSON with names of the Elastic Common Schema. */
function ecs(event: ShownEvent, { version }: SyslogOrigin): SyslogText {
  const { id, type, at, severity, summary, link, fields, personal } = event;
  const isAlert = /^(?:alert\.opened|vulnerability\.(?:found|exploited)|system\.problem)$/.test(type);
  const labels = Object.fromEntries([...fields, ...personal].map(([name, value]) => [name, String(value)]));
  return [
    '-',
    JSON.stringify({
      '@timestamp': iso(at),
      ecs: { version: '8.11.0' },
      event: {
        id,
        kind: isAlert ? 'alert' : 'event',
        module: 'redoubt',
        action: type,
        dataset: type === 'audit' ? 'redoubt.audit' : 'redoubt.events',
        severity: LEVELS[severity],
        ...(link === undefined ? {} : { reference: link }),
      },
      log: { level: severity },
      message: summary,
      service: { type: 'redoubt', version },
      labels,
    }),
  ];
}

const FORMATS = { structured, cef, ecs } as const satisfies Readonly<
  Record<string, (event: ShownEvent, origin: SyslogOrigin) => SyslogText>
>;
export type SyslogFormat = keyof typeof FORMATS;
export const SYSLOG_FORMATS = Object.keys(FORMATS) as readonly SyslogFormat[];

/** An event as one line of syslog (RFC 5424), without a byte order mark. */
export function syslogLine(event: ShownEvent, format: SyslogFormat, origin: SyslogOrigin): string {
  const { type, at, severity } = event;
  const facility = type === 'audit' ? AUDIT_FACILITY : LOCAL0_FACILITY;
  const host = origin.host.replace(/[^!-~]/g, '').slice(0, HOST_CHARACTERS_MAX) || '-';
  const header = [`<${8 * facility + LEVELS[severity]}>1`, iso(at), host, 'redoubt', origin.processId, type];
  return [...header, ...FORMATS[format](event, origin)].join(' ');
}
