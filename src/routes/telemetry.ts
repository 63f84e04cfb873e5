import { type TObject, type TSchema, Type as t } from '@sinclair/typebox';
import { keepEvents, type SentEvent } from '../domain/event/events.ts';
import { dailyBudget } from '../domain/license/daily-budget.ts';
import { domainBlocked } from '../domain/license/license.ts';
import { redactTelemetry } from '../domain/privacy/telemetry-redaction.ts';
import { notRefused, refuse } from '../domain/refusal.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import { unregisteredSitesAllowed } from '../domain/site/unregistered-sites.ts';
import { asClientsWrite, isEmpty } from '../http/client-values.ts';
import { type Caller, KIB } from '../http/context.ts';
import { show, timestamp, typed } from '../http/contract/answers.ts';
import { Empty, withClientValues } from '../http/contract/client-values.ts';
import { TAGS } from '../http/contract/contract.ts';
import { mendEmptyObjects } from '../http/empty-object.ts';
import { count, SeverityName, siteText, text } from '../http/fields.ts';
import { bearerRoute, created, uncheckedBody } from '../http/route/index.ts';
import { checker, EMPTY_COUNTS_AS_ABSENT } from '../http/schema-check.ts';
import { iso } from '../lib/clock.ts';
import { TIMESTAMP_CHARS_MAX } from '../lib/timestamp.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { heartbeatSecondsOf } from '../storage/sites/site-expectations.ts';
import { LicenseStateName } from './auth.ts';
import type { Parts } from './parts.ts';

const EVENTS_MAX = 100;
const STATS_MAX = 256;
/** Stands for the key in the example of a heartbeat. */
export const KEY_PLACEHOLDER = 'rdt_live_...';

const eventFields = {
  severity: t.Optional(SeverityName),
  message: t.Optional(text({ maxLength: 1_000, description: 'human-readable message' })),
  occurred_at: t.Optional(
    text({
      maxLength: TIMESTAMP_CHARS_MAX,
      format: 'date-time',
      description:
        'time of the event; other ISO 8601 forms with a zone are accepted. Default, and maximum: now',
    }),
  ),
  event_id: t.Optional(
    t.String({
      pattern: '^[A-Za-z0-9._:-]{1,128}$',
      description: 'idempotency key of the event within its site',
    }),
  ),
  metadata: t.Optional(t.Object({}, { description: 'additional data, at most 4 KiB as JSON' })),
};
const EventType = t.String({
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  description:
    'event type; a suffix such as `_found`, `_blocked` or `_resolved` is the outcome, see GET /sites/{siteId}. If severity is absent, it is derived from the type; default medium',
});

const Event = t.Object({ type: EventType, ...eventFields }, { title: 'SentEvent' });
const Events = t.Array(Event, { maxItems: EVENTS_MAX, description: 'events, stored all or none' });
const SiteUrl = siteText('URL or domain of the reporting site; only the domain is used');
/** Any character, including lone surrogates: values whose name does not match the pattern would not be checked. */
const CHARACTER = '(?:[^\\ud800-\\udbff]|[\\ud800-\\udbff](?:[\\udc00-\\udfff]|(?![\\udc00-\\udfff])))';
const StatName = t.String({ pattern: `^${CHARACTER}{1,128}$` });
const versionLimits = { minLength: 1, maxLength: 64 };

const Heartbeat = t.Object(
  {
    site_url: SiteUrl,
    license_key: t.String({ description: 'license key; must equal the Bearer key' }),
    plugin_version: t.Optional(
      text({ ...versionLimits, description: 'plugin version; also accepted as `*_plugin_version`' }),
    ),
    stats: t.Optional(
      t.Record(StatName, t.Union([t.Number(), text({ maxLength: 1_000 }), t.Boolean()]), {
        maxProperties: STATS_MAX,
        additionalProperties: false,
        description:
          'plugin statistics, names of at most 128 characters; GET /sites/{siteId} returns the newest',
      }),
    ),
    events: t.Optional(Events),
  },
  { title: 'Heartbeat' },
);
const AttackEvents = t.Object(
  {
    site_uuid: t.Optional(
      t.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'site ID assigned by the plugin' }),
    ),
    domain: SiteUrl,
    events: Events,
  },
  { title: 'AttackEvents' },
);
const SdkEvent = t.Object(
  { site_url: SiteUrl, event_type: EventType, ...eventFields },
  { title: 'SdkEvent' },
);

/**
 * Returns the schema of a shape for the contract, with an empty `event_type`: any other value would mark the body as an SDK
 * event.
 */
function withoutEventType(shape: TObject): TObject {
  const shown = withClientValues(shape);
  return { ...shown, properties: { ...shown.properties, event_type: t.Optional(Empty) } };
}

/** The body in the contract: one of the three shapes. */
const TelemetryBody: object = t.Union(
  [withoutEventType(Heartbeat), withoutEventType(AttackEvents), withClientValues(SdkEvent)],
  { title: 'Telemetry' },
);
const EXAMPLES = {
  events: {
    summary: 'Attack events',
    value: {
      site_uuid: 'c0ffee00-1111-4222-8333-444455556666',
      domain: 'shop.example',
      events: [
        { type: 'attack_blocked', severity: 'high', message: 'SQL injection blocked', event_id: 'evt-0001' },
        { type: 'login_failed', metadata: { attempts: 12 } },
      ],
    },
  },
  heartbeat: {
    summary: 'A heartbeat; insert your key',
    value: {
      site_url: 'https://shop.example',
      license_key: KEY_PLACEHOLDER,
      plugin_version: '2.4.1',
      stats: { requests: 1832, blocked: 14, firewall: true },
    },
  },
  sdk: {
    summary: 'A single event from an SDK',
    value: {
      site_url: 'https://shop.example',
      event_type: 'malware_found',
      severity: 'critical',
      message: 'Web shell in uploads',
      metadata: { quarantined: true },
    },
  },
};

const received = {
  received_at: timestamp('time of receipt by the server'),
  events_accepted: count('number of new events stored'),
  values_redacted: t.Integer({
    minimum: 0,
    description: 'number of values in which a credential was replaced with `[redacted: <rule>]`',
  }),
};
const HeartbeatAck = typed('HeartbeatAck', {
  ack: t.Literal('heartbeat', { description: 'recognized request form' }),
  ...received,
  next_heartbeat_seconds: t.Integer({
    minimum: 300,
    description: 'interval until the next heartbeat; grows with the number of sites of the license',
  }),
  license_status: LicenseStateName,
});
const EventsAck = typed('EventsAck', {
  ack: t.Literal('events', { description: 'recognized request form' }),
  ...received,
  events_duplicate: t.Integer({
    minimum: 0,
    description: 'number of events already stored under the same event_id',
  }),
});
const Ack = t.Union([HeartbeatAck, EventsAck], { title: 'TelemetryAck' });
const ACK_EXAMPLE = {
  ack: 'heartbeat',
  received_at: '2026-11-22T09:30:00.000Z',
  events_accepted: 0,
  values_redacted: 0,
  next_heartbeat_seconds: 300,
  license_status: 'active',
};

/** The data of a body, regardless of its shape. */
interface Report {
  readonly site: string;
  readonly siteUuid: string | null;
  readonly events: readonly SentEvent[];
  /** Whether the body itself is the event, so that errors name no index. */
  readonly isOneEvent?: true;
  readonly heartbeat?: {
    readonly pluginVersion: string | null;
    readonly stats: Readonly<Record<string, unknown>> | null;
  };
}

// Each shape is checked separately, so that refusals name the invalid field. The check of a union could not.
const shapes = [Heartbeat, AttackEvents, SdkEvent, Event];
const NAMED = t.Union(shapes);
const checked = <Schema extends TSchema>(schema: Schema) => checker(schema, 'INVALID_PAYLOAD', NAMED);
/** Removes empty fields of all shapes, so that they do not decide which shape is recognized. */
const readFields = asClientsWrite(
  t.Partial(t.Object({ ...SdkEvent.properties, ...AttackEvents.properties, ...Heartbeat.properties })),
);
const objectOf = checked(t.Object({}));
const heartbeatOf = checked(Heartbeat);
const attackEventsOf = checked(AttackEvents);
const sdkEventOf = checked(SdkEvent);
const versionOf = checked(t.Object({ plugin_version: text(versionLimits) }));

/** Recognizes the shape by the fields that only it has. Fields of other shapes are then treated as unknown. */
function readReport(sent: unknown, key: string | undefined): Report {
  const body = objectOf(sent);
  readFields(body);
  mendEmptyObjects(body, ['stats', 'metadata']);
  if ('events' in body && Array.isArray(body.events)) {
    for (const event of body.events) mendEmptyObjects(event, ['metadata']);
  }
  if ('event_type' in body) {
    const { site_url, event_type, ...event } = sdkEventOf(body);
    const sdkEvent = { ...event, type: event_type } as SentEvent;
    return { site: site_url, siteUuid: null, events: [sdkEvent], isOneEvent: true };
  }
  if ('site_url' in body && ('license_key' in body || !('domain' in body))) {
    const { site_url, license_key, stats, events } = heartbeatOf(body);
    if (trimInvisible(license_key) !== key)
      throw refuse('INVALID_PAYLOAD', 'license_key: is not the Bearer key');
    return {
      site: site_url,
      siteUuid: null,
      events: (events ?? []) as SentEvent[],
      heartbeat: { pluginVersion: pluginVersionOf(body), stats: stats ?? null },
    };
  }
  const { domain, site_uuid, events } = attackEventsOf(body);
  return { site: domain, siteUuid: site_uuid ?? null, events: events as SentEvent[] };
}

/** Plugins prefix the name of the field with their brand. */
function pluginVersionOf(body: object): string | null {
  const found = Object.entries(body).find(
    ([name, version]) => /(?:^|_)plugin_version$/.test(name) && !isEmpty(version),
  );
  if (found === undefined) return null;
  return versionOf({ plugin_version: found[1] }).plugin_version;
}

export const telemetry = bearerRoute({
  at: 'POST /telemetry',
  body: uncheckedBody({ capBytes: 256 * KIB, named: NAMED }),
  operationId: 'sendTelemetry',
  summary: 'Send a heartbeat or events',
  description:
    'A request is stored completely or not at all: one invalid event refuses it, and the error names that event. ' +
    'Stored data counts against the daily budget of the license (GET /me); requests whose events exceed the rest ' +
    'of the budget are refused until midnight UTC. Heartbeats without events are always accepted. ' +
    'Passwords, tokens and other credentials in messages, metadata, stats and versions are replaced with ' +
    '`[redacted: <rule>]`. Everything else is stored unchanged; types and IDs are never redacted. ' +
    'Live licenses report from registered domains; a heartbeat registers a new domain while the license has a free site. ' +
    'Development hosts (`localhost`, `*.test`, private addresses and similar) and all domains of a test license ' +
    'need no registration: per site of the plan, up to 5 of them can report within 30 days. ' +
    'Unknown fields are ignored. ' +
    EMPTY_COUNTS_AS_ABSENT,
  // Checked by readReport, not as a union: it names the invalid field of the recognized shape.
  requestBody: {
    required: true,
    content: { 'application/json': { schema: TelemetryBody, examples: EXAMPLES } },
  },
  tag: TAGS.telemetry,
  answer: show(Ack, ACK_EXAMPLE, 'Returned once the data is on disk.'),
  codes: ['DOMAIN_MISMATCH', 'SITE_LIMIT_REACHED', 'DAILY_CAP_EXCEEDED', 'STORE_UNAVAILABLE'],
  handle: created(
    ({
      writer,
      clock,
      config,
      tenantData,
      countEvents,
    }: Parts<'clock' | 'config' | 'countEvents' | 'tenantData' | 'writer'>) => {
      /** Returns the reporting site. Heartbeats may register its domain. */
      const reportingSite = ({ license, standing }: Caller, { site, heartbeat, isOneEvent }: Report) => {
        const domain = normalizeSiteDomain(site, config.stagingDomains);
        if (domain === undefined) {
          const field = heartbeat || isOneEvent ? 'site_url' : 'domain';
          throw refuse('INVALID_PAYLOAD', `${field}: is not a domain or URL`);
        }
        if (license.blockedDomains.includes(domain.name)) throw domainBlocked();
        const mustBeRegistered = license.environment === 'live' && domain.counted;
        const { sitesAllowed } = standing;
        const registered = { domain: domain.name, claim: null, unregisteredAllowed: null };
        if (license.domains.includes(domain.name)) return registered;
        if (!mustBeRegistered) {
          return { ...registered, unregisteredAllowed: unregisteredSitesAllowed(sitesAllowed) };
        }
        if (!heartbeat) throw refuse('DOMAIN_MISMATCH', 'This domain is not registered for the license.');
        return { ...registered, claim: { sitesAllowed } };
      };

      return async ({ caller, body }) => {
        const report = readReport(body, caller.key);
        const receivedAt = clock.now();
        const kept = keepEvents(report.events, receivedAt);
        if (!kept.ok) {
          const place = report.isOneEvent ? '' : `events[${kept.index}].`;
          throw refuse('INVALID_PAYLOAD', place + kept.problem);
        }

        const site = reportingSite(caller, report);
        const { pluginVersion = null, stats = null } = report.heartbeat ?? {};
        const { valuesRedacted, ...texts } = await redactTelemetry(
          { pluginVersion, stats, events: kept.events },
          config.telemetryPii,
        );
        const receipt = notRefused(
          await writer.write('recordTelemetry', {
            ...site,
            ...texts,
            licenseId: caller.license.id,
            siteUuid: report.siteUuid,
            budget: dailyBudget(caller.license, caller.standing, config),
            receivedAt,
          }),
        );

        // The receipt has only the number of duplicates, so the first accepted events are an approximation.
        countEvents(texts.events.slice(0, receipt.accepted));
        const taken = {
          received_at: iso(receivedAt),
          events_accepted: receipt.accepted,
          values_redacted: valuesRedacted,
        };
        return report.heartbeat
          ? {
              ack: 'heartbeat' as const,
              ...taken,
              next_heartbeat_seconds: await heartbeatSecondsOf(tenantData, config, caller.license.id),
              license_status: caller.standing.state,
            }
          : { ack: 'events' as const, ...taken, events_duplicate: receipt.duplicate };
      };
    },
  ),
});
