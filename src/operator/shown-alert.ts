import { licenseName } from '../domain/license/license-name.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import { ALERT_GROUPS, type AlertPosition, type OpenSiteAlert } from '../storage/sites/open-alerts.ts';

/** An open alert as programs are shown it. */
export const shownAlert = (alert: OpenSiteAlert) => ({
  license_id: licenseName(alert.licenseId),
  domain: alert.domain,
  subject: alert.subject,
  severity: alert.severity,
  last_occurred_at: iso(alert.lastOccurredAt),
  critical_at: isoOrNull(alert.criticalAt),
  high_at: isoOrNull(alert.highAt),
  acknowledged_at: isoOrNull(alert.acknowledgedAt),
  acknowledged_by: alert.acknowledgedBy,
  acknowledged_note: alert.acknowledgedNote,
});

/** The text that tells where a page of alerts begins. */
export const alertCursor = ({ group, at, licenseId, siteId, subject }: AlertPosition): string =>
  `${group}.${at}.${licenseId}.${siteId}.${subject}`;

/** The form of such a text. */
export const ALERT_CURSOR = new RegExp(
  `^([0-${ALERT_GROUPS - 1}])\\.(\\d{1,15})\\.(\\d{1,15})\\.(\\d{1,15})\\.([^\\u0000]{0,64})$`,
);

/** What such a text tells; undefined when it is none. */
export function parseAlertCursor(text: string): AlertPosition | undefined {
  const [, group, at, licenseId, siteId, subject] = ALERT_CURSOR.exec(text) ?? [];
  if (subject === undefined) return undefined;
  return {
    group: Number(group),
    at: Number(at),
    licenseId: Number(licenseId),
    siteId: Number(siteId),
    subject,
  };
}
