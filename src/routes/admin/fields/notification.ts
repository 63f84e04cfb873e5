import { Type as t } from '@sinclair/typebox';
import { NOTIFICATION_TYPES } from '../../../domain/notification/event.ts';
import {
  ADDRESS_CHARACTERS_MAX,
  PAUSE_REASONS,
  TARGET_FORMATS,
  TARGET_KINDS,
  TARGET_NAME,
} from '../../../domain/notification/target.ts';
import { SEVERITIES } from '../../../domain/severity.ts';
import { nullable, timestamp, typed } from '../../../http/contract/answers.ts';
import { count, oneOf, text } from '../../../http/fields.ts';

// Fields of notification targets, for the admin API and the tenant API.

/** Name and address of a new target. */
export const NAMED_TARGET = {
  name: t.String({
    pattern: TARGET_NAME.source,
    description: 'name: 1 to 40 characters of a-z, 0-9, `.`, `_` and `-`, starting with a letter or digit',
  }),
  address: text({
    minLength: 1,
    maxLength: ADDRESS_CHARACTERS_MAX,
    description: 'where events are sent; decides the kind',
  }),
};

export const EventType = oneOf(NOTIFICATION_TYPES, 'type of event', 'NotificationType');
export const MinSeverity = oneOf(SEVERITIES, 'lowest severity that is sent');

const WHO_PAUSED =
  'who paused it; `unconfirmed`: its recipient has not confirmed yet; `gone`: the receiver answered 410; `attempts`: all 10 attempts failed';

export const targetFields = {
  id: t.String({ description: 'ID of the target' }),
  name: t.String({ description: 'name of the target' }),
  kind: oneOf(TARGET_KINDS, 'kind of target'),
  address: t.String({ description: 'where events are sent' }),
  format: oneOf(Object.values(TARGET_FORMATS).flat(), 'format of what is sent'),
  events: t.Array(EventType, { description: 'types of events that are sent' }),
  min_severity: MinSeverity,
  digest_minutes: count('minutes for which events are collected; 0: each is sent at once'),
  paused_at: nullable(timestamp('time since which nothing is sent; null: not paused')),
  paused_reason: nullable(oneOf(PAUSE_REASONS, WHO_PAUSED), `${WHO_PAUSED}; null: not paused`),
  waiting: count('number of events that wait to be sent'),
  dropped: count('number of events that were dropped because 10,000 others waited'),
  last_success_at: nullable(timestamp('time of the last successful delivery; null: none yet')),
  last_error_at: nullable(timestamp('time of the last failed attempt; null: none yet')),
  last_error: nullable(t.String({ description: 'why the last failed attempt failed; null: no failure' })),
  created_at: timestamp('time of creation'),
};

export const EXAMPLE_TENANT_TARGET = {
  id: 'tgt_7Hq2mVx9KcTz4LbWd8RsYn',
  name: 'ops-chat',
  kind: 'webhook',
  address: 'https://hooks.example.com/services/T000/B000',
  format: 'slack',
  events: ['alert.opened'],
  min_severity: 'critical',
  digest_minutes: 0,
  paused_at: null,
  paused_reason: null,
  waiting: 0,
  dropped: 0,
  last_success_at: '2026-11-23T09:30:00.000Z',
  last_error_at: null,
  last_error: null,
  created_at: '2026-11-22T09:30:00.000Z',
};

export const TestResult = typed('NotificationTestResult', {
  delivered: t.Boolean({ description: 'whether the receiver accepted it' }),
  status: nullable(t.Integer({ description: 'HTTP status of the receiver; null: none' })),
  latency_ms: count('milliseconds until the result'),
  message: t.String({ description: 'the result in words' }),
});
export const EXAMPLE_TEST = {
  delivered: true,
  status: 204,
  latency_ms: 84,
  message: 'Delivered in 84 ms with status 204.',
};

export const Delivery = typed('NotificationDelivery', {
  at: timestamp('time of the attempt'),
  event_id: t.String({ description: 'ID of the event, or of the first event of a digest' }),
  type: { ...EventType, description: 'type of that event' },
  events: count('number of events in the message'),
  attempt: count('number of the attempt, from 1'),
  outcome: oneOf(
    ['delivered', 'failed', 'gone', 'refused'],
    '`failed`: tried again; `gone`: the receiver answered 410; `refused`: the address must not be connected to',
  ),
  status: nullable(t.Integer({ description: 'HTTP status of the receiver; null: none' })),
  latency_ms: count('milliseconds until the result'),
  reason: nullable(t.String({ description: 'why it was not delivered; null: it was' })),
});
export const EXAMPLE_DELIVERY = {
  at: '2026-11-23T09:30:00.000Z',
  event_id: 'evt_2Kd9xPq7TzVb4MhWr6LcYs',
  type: 'alert.opened',
  events: 1,
  attempt: 1,
  outcome: 'delivered',
  status: 204,
  latency_ms: 84,
  reason: null,
};
