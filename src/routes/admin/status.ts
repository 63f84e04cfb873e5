import { type TProperties, Type as t } from '@sinclair/typebox';
import { LICENSE_STATES } from '../../domain/license/license.ts';
import { MIRROR_STATES } from '../../domain/vulnerability/mirror-age.ts';
import { closed, nullable, show, timestamp, typed } from '../../http/contract/answers.ts';
import { count, oneOf } from '../../http/fields.ts';
import { TAGS } from './contract.ts';
import type { HasServiceStatus } from './service-status.ts';
import { tokenRoute } from './token-route.ts';

const sentences = (description: string) => t.Array(t.String(), { description });

/** A named object type with a description. */
const part = <Fields extends TProperties>(title: string, description: string, fields: Fields) =>
  closed(fields, description, title);

const ServiceStatus = typed('ServiceStatus', {
  version: t.String({ description: 'service version' }),
  started_at: timestamp('start time of the service'),
  ready: t.Boolean({ description: 'whether the service is ready, as in /readyz' }),
  problems: sentences('current problems'),
  warnings: sentences('conditions that will become problems'),
  certificate_expires_at: nullable(
    timestamp('expiry time of the TLS certificate'),
    'expiry time of the TLS certificate; null if the service does not terminate TLS',
  ),
  licenses: part(
    'LicenseCounts',
    'number of licenses by status',
    Object.fromEntries(
      LICENSE_STATES.map((state) => [state, count(`number of licenses with the status ${state}`)]),
    ),
  ),
  verifications: t.Array(
    typed('VerificationCount', {
      outcome: oneOf(['valid', 'invalid'], 'result of license/verify'),
      reason: nullable(t.String({ description: 'reason, if not valid' })),
      count: count('number of results since the start'),
    }),
    { description: 'results of license/verify since the start' },
  ),
  critical_alerts: count('number of open critical alerts of all sites'),
  critical_alerts_unacknowledged: count('number of unacknowledged open critical alerts'),
  stored_today: part('StoredToday', 'data stored today (UTC)', {
    events: count('telemetry events stored since midnight UTC'),
    bytes: count('bytes of telemetry and signals stored since midnight UTC'),
  }),
  feed: part('FeedState', 'state of the threat feed', {
    epoch: nullable(
      count('epoch of the published feed'),
      'epoch of the published feed; null if there is none yet',
    ),
    generated_at: nullable(timestamp('time of the last change; null if there was none')),
    age_seconds: count('seconds since the feed was last verified'),
  }),
  vulnerabilities: part('VulnerabilityData', 'state of the vulnerability data', {
    state: oneOf(MIRROR_STATES, 'state of the vulnerability data: none, up to date or outdated'),
    damaged: t.Boolean({ description: 'whether the imported data is unreadable' }),
    imported_at: nullable(timestamp('time of the last import; null if there was none')),
  }),
  payments: part('PaymentCounts', 'number of payment problems', {
    failing: count('number of subjects with failing events'),
    held_licenses: count('number of licenses suspended, or about to be suspended, for payment reasons'),
    dismissed_today: count('number of events dismissed as inapplicable in the last 24 hours'),
  }),
  read_at: timestamp('time of this snapshot; refreshed after five seconds'),
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

export const status = tokenRoute({
  at: 'GET /status',
  scope: 'status:read',
  operationId: 'getServiceStatus',
  summary: 'Get the service status',
  description: 'For monitoring, in addition to /metrics. Scope `status:read`.',
  tag: TAGS.watching,
  answer: show(ServiceStatus, EXAMPLE, 'Returns the service status.'),
  handle: (_, { serviceStatus }: HasServiceStatus) => serviceStatus(),
});
