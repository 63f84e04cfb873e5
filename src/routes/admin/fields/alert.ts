import { Type as t } from '@sinclair/typebox';
import { nullable, timestamp, typed } from '../../../http/contract/answers.ts';
import { oneOf } from '../../../http/fields.ts';
import type { shownAlert } from '../../../operator/shown-alert.ts';
import { LicenseId } from './license.ts';

export const AlertSubject = t.String({
  maxLength: 64,
  description: 'event type without its outcome suffix; empty for further alerts of a site beyond its limit',
});

export const AlertSeverity = oneOf(
  ['high', 'critical'],
  'highest severity of its events since it was last resolved',
);

const when = (description: string) => nullable(timestamp(`${description}; null: never`));

export const Alert = typed('Alert', {
  license_id: LicenseId,
  domain: t.String({ description: 'domain of the site' }),
  subject: AlertSubject,
  severity: AlertSeverity,
  last_occurred_at: timestamp('time of its last event'),
  critical_at: when('time of its last critical event'),
  high_at: when('time of its last event of severity high'),
  acknowledged_at: nullable(
    timestamp('time of the acknowledgement'),
    'time of the acknowledgement; null if not acknowledged since the last report',
  ),
  acknowledged_by: nullable(
    t.String({ description: 'actor of the acknowledgement: cli:<login>, token:<name> or operator:<name>' }),
  ),
  acknowledged_note: nullable(t.String({ description: 'note of the acknowledgement' })),
});

export const EXAMPLE_ALERT: ReturnType<typeof shownAlert> = {
  license_id: 'lic_1',
  domain: 'shop.example.com',
  subject: 'malware',
  severity: 'critical',
  last_occurred_at: '2026-11-23T09:12:00.000Z',
  critical_at: '2026-11-23T09:12:00.000Z',
  high_at: null,
  acknowledged_at: '2026-11-23T09:30:00.000Z',
  acknowledged_by: 'operator:alice',
  acknowledged_note: 'the owner is told, ticket 1042',
};
