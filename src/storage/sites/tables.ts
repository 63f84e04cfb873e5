import { sql } from 'drizzle-orm';
import type { ControlMethod, ControlProblem } from '../../domain/domain-control/control.ts';
import type { Severity } from '../../domain/severity.ts';
import type { Columns } from '../engine/columns.ts';
import { table } from '../engine/table.ts';
import { licenses } from '../licenses/tables.ts';
import { isUnresolved } from './open-condition.ts';

/** Whether a license controls a domain that it has registered. */
export const domainControls = table(
  'domain_controls',
  ({ int, text }) => ({
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    domain: text().notNull(),
    method: text().$type<ControlMethod>().notNull(),
    verifiedAt: int('verified_at'),
    checkedAt: int('checked_at').notNull(),
    failedSince: int('failed_since'),
    problem: text().$type<ControlProblem>(),
    /** Null when the service does not check automatically. */
    nextCheckAt: int('next_check_at'),
  }),
  (of, { primaryKey, index }) => [
    primaryKey({ columns: [of.licenseId, of.domain] }),
    index('domain_controls_next_check_at').on(of.nextCheckAt),
  ],
);

export const sites = table(
  'sites',
  ({ id, int, text, json }) => ({
    id: id(),
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    domain: text().notNull(),
    siteUuid: text('site_uuid'),
    pluginVersion: text('plugin_version'),
    stats: json().$type<Record<string, unknown>>(),
    firstSeenAt: int('first_seen_at').notNull(),
    lastSeenAt: int('last_seen_at').notNull(),
  }),
  (of, { uniqueIndex }) => [uniqueIndex('sites_license_domain').on(of.licenseId, of.domain)],
);

export const events = table(
  'events',
  ({ serial, int, text }) => ({
    id: serial(),
    licenseId: int('license_id').notNull(),
    siteId: int('site_id')
      .notNull()
      .references(() => sites.id),
    type: text().notNull(),
    severity: text().$type<Severity>().notNull(),
    message: text(),
    occurredAt: int('occurred_at').notNull(),
    receivedAt: int('received_at').notNull(),
    eventId: text('event_id'),
    metadata: text(),
  }),
  (of, { uniqueIndex }) => [
    uniqueIndex('events_resend').on(of.siteId, of.eventId).where(sql`${of.eventId} is not null`),
  ],
);

const severityCounts = (int: Columns['int']) => ({
  info: int().notNull(),
  low: int().notNull(),
  medium: int().notNull(),
  high: int().notNull(),
  critical: int().notNull(),
});

/** One row for each site: its public id, and its stored events. */
export const siteSummaries = table(
  'site_summaries',
  ({ int, text }) => ({
    licenseId: int('license_id').notNull(),
    siteId: int('site_id')
      .notNull()
      .references(() => sites.id),
    publicId: text('public_id').notNull().unique(),
    ...severityCounts(int),
    /** The newest that ever occurred, even if it has been deleted. */
    lastEventAt: int('last_event_at'),
    /** Of its components in the license's evidence, and when that entry was written. */
    evidenceHash: text('evidence_hash'),
    evidenceAt: int('evidence_at'),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.licenseId, of.siteId] })],
);

/** Stored events by the UTC day on which they occurred: days since 1970-01-01. */
export const eventDays = table(
  'event_days',
  ({ int }) => ({
    licenseId: int('license_id').notNull(),
    day: int().notNull(),
    siteId: int('site_id')
      .notNull()
      .references(() => sites.id),
    ...severityCounts(int),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.licenseId, of.day, of.siteId] })],
);

/** Events of all tenants by the hour in which they arrived, counted by all nodes; written at intervals. */
export const eventCounts = table(
  'event_counts',
  ({ int, text }) => ({
    /** When the hour began. */
    hour: int().notNull(),
    severity: text().$type<Severity>().notNull(),
    /** As reported by sites; `other` for types beyond the limit of an hour. */
    type: text().notNull(),
    count: int().notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.hour, of.severity, of.type] })],
);

/** Licenses and sites on each UTC day, at the last count: days since 1970-01-01. */
export const fleetDays = table('fleet_days', ({ int }) => ({
  day: int().primaryKey(),
  /** Including trials. */
  activeLicenses: int('active_licenses').notNull(),
  sites: int().notNull(),
  reportingSites: int('reporting_sites').notNull(),
}));

/** Alerts, with the newest times at which they opened and closed. */
export const alerts = table(
  'alerts',
  ({ int, text }) => ({
    licenseId: int('license_id').notNull(),
    siteId: int('site_id')
      .notNull()
      .references(() => sites.id),
    subject: text().notNull(),
    criticalAt: int('critical_at'),
    highAt: int('high_at'),
    resolvedAt: int('resolved_at'),
    /** By an operator, until more is reported; null = not acknowledged. */
    acknowledgedAt: int('acknowledged_at'),
    acknowledgedBy: text('acknowledged_by'),
    acknowledgedNote: text('acknowledged_note'),
  }),
  (of, { primaryKey, index, larger }) => [
    primaryKey({ columns: [of.licenseId, of.siteId, of.subject] }),
    index('alerts_critical_at').on(of.criticalAt),
    index('alerts_high_at').on(of.highAt),
    // Has all that counting reads.
    index('alerts_unresolved')
      .on(of.criticalAt, of.highAt, of.resolvedAt, of.acknowledgedAt, of.licenseId)
      .where(sql.raw(isUnresolved(larger))),
  ],
);

/**
 * The events of one request: consecutive ids. One row replaces a hundred index entries for finding a license's events, newest
 * first.
 */
export const arrivals = table(
  'arrivals',
  ({ int }) => ({
    firstEventId: int('first_event_id').primaryKey(),
    lastEventId: int('last_event_id').notNull(),
    licenseId: int('license_id').notNull(),
    siteId: int('site_id')
      .notNull()
      .references(() => sites.id),
    receivedAt: int('received_at').notNull(),
    oldestOccurredAt: int('oldest_occurred_at').notNull(),
    newestOccurredAt: int('newest_occurred_at').notNull(),
  }),
  (of, { index }) => [
    index('arrivals_license').on(of.licenseId),
    index('arrivals_received').on(of.receivedAt),
  ],
);
