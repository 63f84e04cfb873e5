import { Type as t } from '@sinclair/typebox';
import { PLANS } from '../../../domain/license/catalog.ts';
import { BINDINGS, VERIFICATIONS } from '../../../domain/license/verification.ts';
import { closed, nullable, timestamp, typed } from '../../../http/contract/answers.ts';
import { count, oneOf } from '../../../http/fields.ts';
import type { shownExplanation } from '../../../operator/shown-explanation.ts';
import { EXAMPLE_LICENSE, HoldDetails, HoldName, licenseFields } from './license.ts';

const REASONS = VERIFICATIONS.filter((verification) => verification !== 'valid');

const limit = (description: string) => nullable(count(`${description}; null: no limit`));
const when = (description: string) => nullable(timestamp(description));

const { license_id, key, status, plan, environment, expires_at, payment_hold_from, sites_allowed } =
  licenseFields;
const { domains, blocked_domains } = licenseFields;

/** The current result of license/verify, with the facts that determine it. */
export const Explanation = typed('Explanation', {
  license_id,
  key,
  previous_key: nullable(
    typed('PreviousKey', {
      key: t.String({ description: 'masked key' }),
      works_until: timestamp('time until which it works'),
    }),
    'previous key during its grace period',
  ),
  answer: closed(
    {
      valid: t.Boolean({ description: 'whether the license is reported as valid' }),
      plan: oneOf(PLANS, 'reported plan'),
      reason: nullable(oneOf(['suspended']), 'reported reason'),
    },
    'current result of license/verify',
    'VerifyAnswer',
  ),
  reason: nullable(
    oneOf(REASONS, 'reason why the license is not valid', 'InvalidReason'),
    'reason, for operators only; null if valid',
  ),
  why: t.Array(t.String(), { description: 'facts behind the result, as sentences' }),
  status,
  plan,
  environment,
  expires_at,
  holds: t.Array(HoldName, { description: 'suspension reasons set by operators' }),
  payment_holds: t.Array(HoldName, { description: 'suspension reasons set by the payment processor' }),
  payment_hold_details: HoldDetails,
  payment_hold_from,
  sites_used: count('number of registered domains'),
  sites_allowed,
  domain: nullable(
    typed('DomainBinding', {
      binding: oneOf(BINDINGS, 'relation of the domain to the license', 'Binding'),
      domain: nullable(t.String({ description: 'domain as stored' }), 'domain as stored; null if malformed'),
    }),
    'domain; null if none was given',
  ),
  domains,
  blocked_domains,
  daily_budget: closed(
    {
      events: limit('telemetry events that can be stored per day (UTC)'),
      bytes: limit('bytes of telemetry and signals that can be stored per day (UTC)'),
      events_used: count('events stored today'),
      bytes_used: count('bytes stored today'),
    },
    'daily storage budget',
    'DailyBudgetUse',
  ),
  daily_caps: t.Array(
    typed('DailyCapUse', {
      route: t.String({ description: 'route' }),
      used: count('requests accepted today (UTC)'),
      allowed: count('daily limit of accepted requests'),
    }),
    { description: 'usage of routes with daily limits, if used today' },
  ),
  last_verify: nullable(
    typed('LastVerify', {
      at: timestamp('time of the event'),
      outcome: oneOf(['valid', 'invalid'], 'result'),
      reason: nullable(t.String({ description: 'reason, if not valid' })),
    }),
    'last recorded result of license/verify; null if there is none',
  ),
  last_heartbeat_at: when('time of the last report from a site'),
  refusals: t.Array(
    typed('NotedRefusal', {
      at: timestamp('time of the event'),
      code: t.String({ description: 'error code' }),
      route: t.String({ description: 'route' }),
    }),
    { description: 'last 20 refusals, newest first' },
  ),
  refused_domains: t.Array(
    typed('RefusedDomain', {
      domain: t.String({ description: 'domain' }),
      reason: oneOf(REASONS, 'reason of the latest refusal', 'InvalidReason'),
      count: count('refused checks since first_at'),
      first_at: timestamp('time of the first refusal'),
      last_at: timestamp('time of the latest refusal'),
    }),
    { description: 'last 50 domains refused by license/verify, newest first' },
  ),
  read_at: timestamp('time of this snapshot'),
  answers_noted_at: when('time at which results of this license were last recorded'),
  answers_late_seconds: count('maximum delay of the recording in seconds'),
});

export const EXAMPLE_EXPLANATION: ReturnType<typeof shownExplanation> = {
  license_id: EXAMPLE_LICENSE.license_id,
  key: EXAMPLE_LICENSE.key,
  previous_key: null,
  answer: { valid: true, plan: 'pro', reason: null },
  reason: null,
  why: ['it is active, and it ends at 2027-11-23T09:30:00.000Z', 'shop.example.com is registered'],
  status: 'active',
  plan: 'pro',
  environment: 'live',
  expires_at: EXAMPLE_LICENSE.expires_at,
  holds: [],
  payment_holds: [],
  payment_hold_details: [],
  payment_hold_from: null,
  sites_used: 1,
  sites_allowed: 10,
  domain: { binding: 'registered', domain: 'shop.example.com' },
  domains: ['shop.example.com'],
  blocked_domains: [],
  daily_budget: { events: 500_000, bytes: 536_870_912, events_used: 12, bytes_used: 2_048 },
  daily_caps: [],
  last_verify: { at: '2026-11-23T09:30:00.000Z', outcome: 'valid', reason: null },
  last_heartbeat_at: '2026-11-23T09:29:00.000Z',
  refusals: [],
  refused_domains: [],
  read_at: '2026-11-23T09:30:04.000Z',
  answers_noted_at: '2026-11-23T09:30:02.000Z',
  answers_late_seconds: 5,
};
