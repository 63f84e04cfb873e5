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
    /** The tenant; null = a target of operators. */
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
    /** The previous one, which also signs until a moment. */
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
  /** Number of queued events. */
  waiting: int().notNull().default(0),
  /** Events dropped at the limit. */
  dropped: int().notNull().default(0),
  /** The earliest due time of its queued events. */
  nextDueAt: int('next_due_at'),
  /** After a failed attempt, nothing is sent until this time. */
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
    /** The subject's id; the license may have been deleted. */
    licenseId: int('license_id'),
    /** The only target of the event, such as of a digest; null = all that want it. */
    targetId: int('target_id'),
    data: json().$type<NotificationData>().notNull(),
    /** Operators' reasons; customers and their addresses are read when an event is sent, so that they can be deleted. */
    personal: json().$type<Readonly<Record<string, string>>>(),
  }),
  (of, { index }) => [index('outbox_at').on(of.at)],
);

/** Events queued for a target. */
export const deliveries = table(
  'deliveries',
  ({ int }) => ({
    targetId: int('target_id')
      .notNull()
      .references(() => targets.id),
    /** Id in the outbox. A reference would need an index, which slows each delivery. */
    eventId: int('event_id').notNull(),
    /** Failed attempts. */
    attempts: int().notNull().default(0),
    dueAt: int('due_at').notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.targetId, of.eventId] })],
);

/** The last attempts of each target, newest first: one row, because a fast receiver gets thousands a second. */
export const deliveryLogs = table('delivery_logs', ({ int, json }) => ({
  targetId: int('target_id')
    .primaryKey()
    .references(() => targets.id),
  attempts: json().$type<readonly Attempt[]>().notNull(),
}));

/** The last recorded states, so that each transition makes one event on all nodes together. */
export const notedStates = table(
  'noted_states',
  ({ int, text }) => ({
    /** Subject of the state, such as `site`. */
    kind: text().notNull(),
    key: text().notNull(),
    state: text().notNull(),
    notedAt: int('noted_at').notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.kind, of.key] })],
);
