import { t } from 'elysia';
import { nullable, timestamp, typed } from '../../../http/contract/answers.ts';
import { oneOf } from '../../../http/fields.ts';
import type { shownAlert } from '../../../operator/shown-alert.ts';
import { LicenseId } from './license.ts';

export const AlertSubject = t.String({
  maxLength: 64,
  description:
    'the type of its events without their last word; empty for further ones of a site that had to make room',
});

export const AlertSeverity = oneOf(['high', 'critical'], 'of its worst event since it was resolved last');

const when = (description: string) => nullable(timestamp(description), 'null = never');

/** An open alert. */
export const Alert = typed('Alert', {
  license_id: LicenseId,
  domain: t.String({ description: 'of the site' }),
  subject: AlertSubject,
  severity: AlertSeverity,
  last_occurred_at: timestamp('when it happened last'),
  critical_at: when('when a critical event happened last'),
  high_at: when('when an event of severity high happened last'),
  acknowledged_at: nullable(
    timestamp('when an operator acknowledged it'),
    'null = nobody has, of all that was told',
  ),
  acknowledged_by: nullable(t.String({ description: 'who: cli:<login>, token:<name> or operator:<name>' })),
  acknowledged_note: nullable(t.String({ description: 'what was noted' })),
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
