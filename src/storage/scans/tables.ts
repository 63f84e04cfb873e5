import { sql } from 'drizzle-orm';
import type { AssessmentParts, Grade } from '../../domain/assessment/assessment.ts';
import type { Finding } from '../../domain/finding.ts';
import type { ScanFailure, ScanTrigger, ScanType } from '../../domain/scan/scan.ts';
import type { ScheduleHours } from '../../domain/scan/schedule.ts';
import { table } from '../engine/table.ts';
import { licenses } from '../licenses/tables.ts';
import { sites } from '../sites/tables.ts';

/** Scans that are waited for. */
export const scans = table(
  'scans',
  ({ id, int, text, json }) => ({
    id: id(),
    publicId: text('public_id').notNull().unique(),
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    domain: text().notNull(),
    siteUrl: text('site_url').notNull(),
    type: text().$type<ScanType>().notNull(),
    trigger: text().$type<ScanTrigger>().notNull(),
    queuedAt: int('queued_at').notNull(),
    startedAt: int('started_at'),
    finishedAt: int('finished_at'),
    canceledAt: int('canceled_at'),
    failure: text().$type<ScanFailure>(),
    /** Requests sent so far, as last reported by the node that runs it. */
    requests: int().notNull().default(0),
    /** Null until it is done. */
    findings: json().$type<readonly Finding[]>(),
  }),
  (of, { index }) => [
    index('scans_license_domain').on(of.licenseId, of.domain),
    index('scans_finished_at').on(of.finishedAt),
    index('scans_unfinished').on(of.id).where(sql`${of.finishedAt} is null`),
  ],
);

/** Clients' keys of requests that they may repeat. */
export const scanRequests = table(
  'scan_requests',
  ({ int, text }) => ({
    licenseId: int('license_id').notNull(),
    key: text().notNull(),
    bodyHash: text('body_hash').notNull(),
    scanId: int('scan_id')
      .notNull()
      .references(() => scans.id, { onDelete: 'cascade' }),
    requestedAt: int('requested_at').notNull(),
  }),
  (of, { primaryKey, index }) => [
    primaryKey({ columns: [of.licenseId, of.key] }),
    index('scan_requests_scan').on(of.scanId),
    index('scan_requests_requested_at').on(of.requestedAt),
  ],
);

export const scanSchedules = table(
  'scan_schedules',
  ({ int, text }) => ({
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    siteId: int('site_id')
      .notNull()
      .references(() => sites.id),
    intervalHours: int('interval_hours').$type<ScheduleHours>().notNull(),
    type: text().$type<ScanType>().notNull(),
    nextAt: int('next_at').notNull(),
  }),
  (of, { primaryKey, index }) => [
    primaryKey({ columns: [of.licenseId, of.siteId] }),
    index('scan_schedules_next_at').on(of.nextAt),
  ],
);

/** Results of assessment scans. */
export const assessments = table(
  'assessments',
  ({ id, int, text, json }) => ({
    id: id(),
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    domain: text().notNull(),
    /** The scan that made it, which may be deleted earlier. */
    scanId: int('scan_id').notNull(),
    grade: text().$type<Grade>().notNull(),
    /** 0-100. */
    score: int().notNull(),
    parts: json().$type<AssessmentParts>().notNull(),
    /** The time of its oldest input. */
    assessedAt: int('assessed_at').notNull(),
    madeAt: int('made_at').notNull(),
    /** Of its entry in the license's log, in base64url. */
    leafHash: text('leaf_hash').notNull(),
  }),
  (of, { index }) => [
    index('assessments_license_domain').on(of.licenseId, of.domain),
    index('assessments_scan').on(of.scanId),
    index('assessments_made_at').on(of.madeAt),
  ],
);
