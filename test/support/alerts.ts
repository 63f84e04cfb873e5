import type { RunningService } from './service.ts';
import { rows } from './store.ts';

interface AddedSite {
  readonly licenseId: number;
  readonly domain: string;
  readonly seenAt?: number;
  readonly version?: string;
}

/** Adds a site as if it had reported. */
export function addSite(
  service: RunningService,
  { licenseId, domain, seenAt = Date.now(), version = '1.0.0' }: AddedSite,
): number {
  const [site] = rows(
    service,
    `insert into sites (license_id, domain, plugin_version, first_seen_at, last_seen_at) values (?, ?, ?, 0, ?)
      returning id`,
    ...[licenseId, domain, version, seenAt],
  );
  return Number(site?.id);
}

interface AddedAlert {
  readonly licenseId: number;
  readonly siteId: number;
  readonly subject: string;
  readonly criticalAt?: number | null;
  readonly highAt?: number | null;
  readonly acknowledgedAt?: number | null;
}

/** Adds an alert as if its events had been reported. */
export function addAlert(service: RunningService, alert: AddedAlert): void {
  const { licenseId, siteId, subject, criticalAt = null, highAt = null, acknowledgedAt = null } = alert;
  rows(
    service,
    `insert into alerts (license_id, site_id, subject, critical_at, high_at, acknowledged_at) values (?, ?, ?, ?, ?, ?)`,
    ...[licenseId, siteId, subject, criticalAt, highAt, acknowledgedAt],
  );
}

/** The stored acknowledgements. */
export const acknowledgements = (service: RunningService) =>
  rows(
    service,
    'select subject, acknowledged_by, acknowledged_note from alerts order by license_id, site_id, subject',
  );

interface AddedEvent {
  readonly type?: string;
  readonly severity?: string;
  readonly message?: string | null;
  readonly metadata?: string | null;
  readonly at?: number;
}

/** The number of events in one statement. */
const BATCH = 500;

/** Adds the events of one request. */
export function addEvents(
  service: RunningService,
  { licenseId, siteId, receivedAt = Date.now() }: { licenseId: number; siteId: number; receivedAt?: number },
  events: readonly AddedEvent[],
): void {
  const moments = events.map(({ at = receivedAt }) => at);
  const values = events.map(
    ({ type = 'login_failed', severity = 'low', message = null, metadata = null }, index) => [
      ...[licenseId, siteId, type, severity, message, metadata, moments[index] ?? 0, receivedAt],
    ],
  );
  const ids: number[] = [];
  for (let at = 0; at < values.length; at += BATCH) {
    const some = values.slice(at, at + BATCH);
    const added = rows(
      service,
      `insert into events (license_id, site_id, type, severity, message, metadata, occurred_at, received_at)
        values ${some.map(() => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')} returning id`,
      ...some.flat(),
    );
    ids.push(...added.map(({ id }) => Number(id)));
  }
  rows(
    service,
    `insert into arrivals values (?, ?, ?, ?, ?, ?, ?)`,
    ...[Math.min(...ids), Math.max(...ids), licenseId, siteId, receivedAt],
    ...[Math.min(...moments), Math.max(...moments)],
  );
}
