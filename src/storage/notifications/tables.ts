import { sql } from 'drizzle-orm';
import type { NotificationData, NotificationType } from '../../domain/notification/event.ts';
import type { PauseReason, TargetFormat, TargetKind } from '../../domain/notification/target.ts';
import type { Severity } from '../../domain/severity.ts';
import { table } from '../engine/table.ts';
import { licenses } from '../licenses/tables.ts';
import type { Attempt } from './delivery-attempts.ts';

/** Where events are sent. */
export const targets = table(
  'targets',
  ({ id, int, flag, text, json }) => ({
    id: id(),
    /** Opaque. */
    publicId: text('public_id').notNull().unique(),
    /** Of the tenant whose target it is; null = the operators'. */
    licenseId: int('license_id').references(() => licenses.id),
    name: text().notNull(),
    kind: text().$type<TargetKind>().notNull(),
    address: text().notNull(),
    format: text().$type<TargetFormat>().notNull(),
    events: json().$type<readonly NotificationType[]>().notNull(),
    minSeverity: text('min_severity').$type<Severity>().notNull(),
    digestMs: int('digest_ms').notNull(),
    licenses: json().$type<readonly number[]>().notNull(),
    customers: json().$type<readonly string[]>().notNull(),
    isPersonalIncluded: flag('is_personal_included').notNull(),
    ca: text(),
    /** Sealed; null = its kind has none. */
    secret: text(),
    /** The one before, which signs until a moment as well. */
    previousSecret: text('previous_secret'),
    previousSecretUntil: int('previous_secret_until'),
    createdAt: int('created_at').notNull(),
    pausedAt: int('paused_at'),
    pausedReason: text('paused_reason').$type<PauseReason>(),
  }),
  (of, { uniqueIndex }) => [
    uniqueIndex('targets_operators').on(of.name).where(sql`${of.licenseId} is null`),
    uniqueIndex('targets_tenants').on(of.licenseId, of.name).where(sql`${of.licenseId} is not null`),
  ],
);

/** One row for each target, which changes with every event and delivery. */
export const targetStates = table('target_states', ({ int, text }) => ({
  targetId: int('target_id')
    .primaryKey()
    .references(() => targets.id),
  /** Events that wait for it. */
  waiting: int().notNull().default(0),
  /** Events that had to make room for later ones. */
  dropped: int().notNull().default(0),
  /** No event that waits is due before. */
  nextDueAt: int('next_due_at'),
  /** Nothing is sent before, because an attempt failed. */
  restsUntil: int('rests_until').notNull().default(0),
  /** Until when no other node sends to it. */
  leasedUntil: int('leased_until').notNull().default(0),
  leaseHolder: text('lease_holder'),
  succeededAt: int('succeeded_at'),
  failedAt: int('failed_at'),
  /** One sentence. */
  failure: text(),
}));

/** Events that at least one target wanted. */
export const outbox = table(
  'outbox',
  ({ id, int, text, json }) => ({
    id: id(),
    /** Opaque. */
    publicId: text('public_id').notNull().unique(),
    type: text().$type<NotificationType>().notNull(),
    severity: text().$type<Severity>().notNull(),
    at: int().notNull(),
    /** That it is about; the license itself may be gone. */
    licenseId: int('license_id'),
    /** The only target that it is for, such as a digest of what that one selects; null = all that want it. */
    targetId: int('target_id'),
    data: json().$type<NotificationData>().notNull(),
    /** Reasons of operators; customers and their addresses are read when an event is sent, so that they can be forgotten. */
    personal: json().$type<Readonly<Record<string, string>>>(),
  }),
  (of, { index }) => [index('outbox_at').on(of.at)],
);

/** Events that wait for a target. */
export const deliveries = table(
  'deliveries',
  ({ int }) => ({
    targetId: int('target_id')
      .notNull()
      .references(() => targets.id),
    /** Of the outbox. A reference would need an index, which each delivery would pay for. */
    eventId: int('event_id').notNull(),
    /** Attempts that failed. */
    attempts: int().notNull().default(0),
    dueAt: int('due_at').notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.targetId, of.eventId] })],
);

/** The last attempts of each target, the newest first: one row, because a fast receiver gets thousands a second. */
export const deliveryLogs = table('delivery_logs', ({ int, json }) => ({
  targetId: int('target_id')
    .primaryKey()
    .references(() => targets.id),
  attempts: json().$type<readonly Attempt[]>().notNull(),
}));

/** What an event was recorded for last, so that each transition makes one event on all nodes together. */
export const notedStates = table(
  'noted_states',
  ({ int, text }) => ({
    /** What it is a state of, such as `site`. */
    kind: text().notNull(),
    key: text().notNull(),
    state: text().notNull(),
    notedAt: int('noted_at').notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.kind, of.key] })],
);
