import { NOTIFICATION_TYPES } from '../../domain/notification/event.ts';
import {
  CA_CHARACTERS_MAX,
  CUSTOMER_CHARACTERS_MAX,
  DIGEST_MS_MAX,
  FILTERED_MAX,
  TARGET_FORMATS,
} from '../../domain/notification/target.ts';
import { SEVERITIES } from '../../domain/severity.ts';
import { MINUTE_MS } from '../../lib/clock.ts';
import {
  certificates,
  choice,
  choices,
  flag,
  licenses,
  line,
  lines,
  minutes,
  moment,
  optional,
} from '../field.ts';

const FORMATS = Object.values(TARGET_FORMATS).flat();
export const EVENT_ID_CHARACTERS = 26;

/** Filters, format and interval of a target. */
export const TERMS = {
  events: optional(
    choices(NOTIFICATION_TYPES, {
      about: 'types of events; absent: all except `audit`',
      flags: '--event <type>',
      help: 'send only this type of event (default: all except audit)',
      label: 'Events',
    }),
  ),
  min_severity: optional(
    choice(SEVERITIES, {
      about: 'lowest severity; absent: info',
      flags: '--min-severity <severity>',
      help: 'send only events of this severity or a higher one',
      label: 'Lowest severity',
      first: 'info',
    }),
  ),
  digest_minutes: optional(
    minutes({
      about:
        'minutes for which events are collected; critical ones are sent at once. Absent: 15 for mail, otherwise 0',
      flags: '--digest <time>',
      help: 'collect events for a time such as 15m, 24h or 7d; critical ones are sent at once (default: 15m for mail)',
      label: 'Minutes to collect events (0: send each at once; default: 15 for mail)',
      max: DIGEST_MS_MAX / MINUTE_MS,
      what: 'the digest interval',
    }),
  ),
  license_ids: optional(
    licenses({
      about: 'licenses whose events are sent; absent, without `customers`: all',
      flags: '--license <id>',
      help: 'send only events of this license',
      label: 'Only these licenses, separated by spaces',
      max: FILTERED_MAX,
    }),
  ),
  customers: optional(
    lines({
      about: 'customers whose events are sent, as named in their licenses',
      flags: '--customer <name>',
      help: 'send only events of this customer',
      label: 'Only these customers, one per line',
      max: CUSTOMER_CHARACTERS_MAX,
      items: FILTERED_MAX,
    }),
  ),
  format: optional(
    choice(FORMATS, {
      about: 'format; absent: `standard` for webhooks, `text` for mail, `structured` for syslog',
      flags: '--format <format>',
      help: 'what the receiver expects',
      label: 'Format',
      shown: [['', 'Default of the kind'], ...FORMATS.map((format) => [format, format] as const)],
    }),
  ),
  ca: optional(
    certificates({
      about: 'CA certificates of the receiver; absent: those of the system',
      flags: '--ca <file>',
      help: 'trust only these CA certificates, a PEM file (default: those of the system)',
      label: 'CA certificates of the receiver, PEM (default: those of the system)',
      max: CA_CHARACTERS_MAX,
    }),
  ),
  include_personal: flag({
    about: 'whether names and mail addresses of customers, and reasons of audit entries, are included',
    flags: '--include-personal',
    help: 'include names and mail addresses of customers, and reasons of audit entries',
    label: 'include names and mail addresses of customers, and reasons of audit entries',
  }),
};

/** The events to send again. */
export const REPLAYED = {
  since: optional(
    moment({
      about: 'send the events since this moment, at most 30 days back',
      flags: '--since <moment>',
      help: 'send the events since this moment, ISO 8601',
      label: 'Since, such as 2026-11-30T08:00:00Z',
    }),
  ),
  event: optional(
    line({
      about: 'send only the event with this id',
      flags: '--event <id>',
      help: 'send only this event, as listed by "redoubt notify deliveries"',
      label: 'Or only the event with this id',
      max: EVENT_ID_CHARACTERS,
    }),
  ),
};
