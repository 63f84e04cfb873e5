import { type TProperties, Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { LICENSE_STATES } from '../../domain/license/license.ts';
import { MIRROR_STATES } from '../../domain/vulnerability/mirror-age.ts';
import { requireScope } from '../../http/admin-caller.ts';
import { answers, closed, nullable, show, success, timestamp, typed } from '../../http/contract/answers.ts';
import { oneOf } from '../../http/fields.ts';
import { SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import type { AdminParts } from './parts.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const sentences = (description: string) => t.Array(t.String(), { description });

/** An object of a type of its own, with what it is. */
const part = <Fields extends TProperties>(title: string, description: string, fields: Fields) =>
  closed(fields, description, title);

const ServiceStatus = typed('ServiceStatus', {
  version: t.String({ description: 'of the service' }),
  started_at: timestamp('when the service started'),
  ready: t.Boolean({ description: 'whether nothing is wrong, as /readyz says' }),
  problems: sentences('what is wrong now'),
  warnings: sentences('what to see to before it is wrong'),
  certificate_expires_at: nullable(
    timestamp('when the certificate of the interface ends'),
    'null = it has no TLS of its own',
  ),
  licenses: part(
    'LicenseCounts',
    'all licenses, by what they are worth now',
    Object.fromEntries(LICENSE_STATES.map((state) => [state, count(`licenses that are ${state}`)])),
  ),
  verifications: t.Array(
    typed('VerificationCount', {
      outcome: oneOf(['valid', 'invalid'], 'what license/verify answered'),
      reason: nullable(t.String({ description: 'why it was not valid' })),
      count: count('how often since the start'),
    }),
    { description: 'what license/verify has answered since the start' },
  ),
  critical_alerts: count('critical alerts of all sites that are open'),
  critical_alerts_unacknowledged: count('of these, those that no operator has acknowledged'),
  stored_today: part('StoredToday', 'what sites have sent today (UTC)', {
    events: count('events of telemetry stored since midnight UTC'),
    bytes: count('bytes of telemetry and signals stored since then'),
  }),
  feed: part('FeedState', 'the threat feed', {
    epoch: nullable(count('of the feed as served'), 'null = there is none yet'),
    generated_at: nullable(timestamp('when its content last changed')),
    age_seconds: count('since it was last found to be right'),
  }),
  vulnerabilities: part('VulnerabilityData', 'the data that components are matched with', {
    state: oneOf(MIRROR_STATES, 'whether there is vulnerability data, and whether it is of these days'),
    damaged: t.Boolean({ description: 'whether what was imported cannot be read any more' }),
    imported_at: nullable(timestamp('when it was last imported')),
  }),
  payments: part('PaymentCounts', 'what is wrong with payments', {
    failing: count('subjects of the payment processor whose events cannot be settled'),
    held_licenses: count('licenses that a payment holds, or will'),
    dismissed_today: count('events of the last 24 hours of which nothing could come'),
  }),
  read_at: timestamp('when all this was read; it is read anew after five seconds'),
});

const EXAMPLE = {
  version: '0.1.0',
  started_at: '2026-11-23T06:00:00.000Z',
  ready: true,
  problems: [],
  warnings: ['the TLS certificate expires soon'],
  certificate_expires_at: '2026-12-20T00:00:00.000Z',
  licenses: { active: 180, trial: 4, pending: 1, suspended: 2, expired: 9, revoked: 3 },
  verifications: [
    { outcome: 'valid', reason: null, count: 48_210 },
    { outcome: 'invalid', reason: 'suspended', count: 12 },
  ],
  critical_alerts: 2,
  critical_alerts_unacknowledged: 1,
  stored_today: { events: 90_112, bytes: 40_201_344 },
  feed: { epoch: 5_880_211, generated_at: '2026-11-23T09:25:00.000Z', age_seconds: 41 },
  vulnerabilities: { state: 'current', damaged: false, imported_at: '2026-11-22T05:00:00.000Z' },
  payments: { failing: 0, held_licenses: 2, dismissed_today: 0 },
  read_at: '2026-11-23T09:30:00.000Z',
};

/** How the service does, for whoever watches over it. */
export const status = ({ authenticate, serviceStatus }: AdminParts) =>
  new Elysia()
    .derive(authenticate)
    .derive(requireScope('status:read'))
    .get('/status', async () => success(await serviceStatus()), {
      response: answers(show(ServiceStatus, EXAMPLE, 'How the service does.'), ...TOKEN_CODES),
      detail: {
        operationId: 'getServiceStatus',
        summary: 'How the service does',
        description: 'For what watches over it, beside /metrics. Scope `status:read`.',
        tags: [TAGS.watching],
        security: SECURITY,
      },
    });
