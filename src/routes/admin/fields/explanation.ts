import { Type } from '@sinclair/typebox';
import { t } from 'elysia';
import { PLANS } from '../../../domain/license/catalog.ts';
import { BINDINGS, VERIFICATIONS } from '../../../domain/license/verification.ts';
import { closed, nullable, timestamp, typed } from '../../../http/contract/answers.ts';
import { oneOf } from '../../../http/fields.ts';
import type { shownExplanation } from '../../../operator/shown-explanation.ts';
import { EXAMPLE_LICENSE, HoldDetails, HoldName, licenseFields } from './license.ts';

const REASONS = VERIFICATIONS.filter((verification) => verification !== 'valid');

const count = (description: string) => Type.Integer({ minimum: 0, description });
const limit = (description: string) => nullable(count(description), 'null = no limit');
const when = (description: string) => nullable(timestamp(description));

const { license_id, key, status, plan, environment, expires_at, payment_hold_from, sites_allowed } =
  licenseFields;
const { domains, blocked_domains } = licenseFields;

/** Why license/verify answers as it does. */
export const Explanation = typed('Explanation', {
  license_id,
  key,
  previous_key: nullable(
    typed('PreviousKey', {
      key: t.String({ description: 'as much of it as is shown again' }),
      works_until: timestamp('when it stops'),
    }),
    'the key before this one, while it still works',
  ),
  answer: closed(
    {
      valid: t.Boolean({ description: 'whether the site is told that the license is valid' }),
      plan: oneOf(PLANS, 'the plan that the site is told'),
      reason: nullable(oneOf(['suspended']), 'why, as far as the site is told'),
    },
    'what license/verify would answer',
    'VerifyAnswer',
  ),
  reason: nullable(
    oneOf(REASONS, 'why it is not valid', 'InvalidReason'),
    'why, for operators alone; null = it is valid',
  ),
  why: t.Array(t.String(), { description: 'the facts that make it so, in sentences' }),
  status,
  plan,
  environment,
  expires_at,
  holds: t.Array(HoldName, { description: 'those that operators set' }),
  payment_holds: t.Array(HoldName, { description: 'those that the payment processor set' }),
  payment_hold_details: HoldDetails,
  payment_hold_from,
  sites_used: count('registered domains'),
  sites_allowed,
  domain: nullable(
    typed('DomainBinding', {
      binding: oneOf(BINDINGS, 'how the domain stands to the license', 'Binding'),
      domain: nullable(t.String({ description: 'as it is kept' }), 'null when it is malformed'),
    }),
    'null when none was asked for',
  ),
  domains,
  blocked_domains,
  daily_budget: closed(
    {
      events: limit('events of telemetry that may be stored today (UTC)'),
      bytes: limit('bytes of telemetry and signals that may be stored today'),
      events_used: count('events stored today'),
      bytes_used: count('bytes stored today'),
    },
    'what sites may still send today',
    'DailyBudgetUse',
  ),
  daily_caps: t.Array(
    typed('DailyCapUse', {
      route: t.String({ description: 'the route' }),
      used: count('accepted requests today (UTC)'),
      allowed: count('how many may be accepted in a day'),
    }),
    { description: 'of routes that were used today' },
  ),
  last_verify: nullable(
    typed('LastVerify', {
      at: timestamp('when'),
      outcome: oneOf(['valid', 'invalid'], 'what was answered'),
      reason: nullable(t.String({ description: 'why it was not valid' })),
    }),
    'null = license/verify was never asked, as far as that is written down',
  ),
  last_heartbeat_at: when('when a site was last heard of'),
  refusals: t.Array(
    typed('NotedRefusal', {
      at: timestamp('when'),
      code: t.String({ description: 'of the refusal' }),
      route: t.String({ description: 'that refused' }),
    }),
    { description: 'the last 20, the newest first' },
  ),
  read_at: timestamp('when all this was read'),
  answers_noted_at: when('when what this license was answered was last written down'),
  answers_late_seconds: count('how late that may be'),
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
  read_at: '2026-11-23T09:30:04.000Z',
  answers_noted_at: '2026-11-23T09:30:02.000Z',
  answers_late_seconds: 5,
};
