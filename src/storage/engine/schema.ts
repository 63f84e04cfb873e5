import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Verdict } from '../../analysis/verdict.ts';
import type { Plan } from '../../domain/license/catalog.ts';
import type { BoundBy, Hold, Terms } from '../../domain/license/license.ts';
import type { LicenseEnvironment } from '../../domain/license/license-key.ts';
import type { SubjectKind } from '../../domain/payment/payment-event.ts';
import type { Severity } from '../../domain/severity.ts';

// All moments are milliseconds since the Unix epoch, UTC.

export const licenses = sqliteTable('licenses', {
  id: integer().primaryKey({ autoIncrement: true }),
  keyHash: text('key_hash').notNull().unique(),
  keyPrefix: text('key_prefix').notNull(),
  keyLast4: text('key_last4').notNull(),
  kind: text().$type<'paid' | 'trial'>().notNull(),
  environment: text().$type<LicenseEnvironment>().notNull(),
  plan: text().$type<Plan>().notNull(),
  sitesOverride: integer('sites_override'),
  dailyEventsOverride: integer('daily_events_override'),
  dailyBytesOverride: integer('daily_bytes_override'),
  modulesAllowed: text('modules_allowed', { mode: 'json' }).$type<readonly string[]>().notNull(),
  modulesDenied: text('modules_denied', { mode: 'json' }).$type<string[]>().notNull(),
  /** The subscription whose terms it has (kind, plan, sites, modules, end); null when nobody paid for them. */
  subscriptionId: text('subscription_id'),
  /** Whether its terms are what the operator granted. */
  operatorTerms: integer('operator_terms', { mode: 'boolean' }).notNull().default(false),
  /** What the operator granted before a subscription, or beside it. */
  granted: text({ mode: 'json' }).$type<Terms>(),
  /** Set by the operator. */
  holds: text({ mode: 'json' }).$type<Hold[]>().notNull(),
  /** Set by what the payment processor tells. */
  paymentHolds: text('payment_holds', { mode: 'json' }).$type<Hold[]>().notNull().default([]),
  note: text(),
  /** Whose license it is, in the operator's words. */
  customer: text(),
  email: text(),
  externalId: text('external_id'),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at'),
  revokedAt: integer('revoked_at'),
  pendingUntil: integer('pending_until'),
  paymentHoldFrom: integer('payment_hold_from'),
});

export const licenseDomains = sqliteTable(
  'license_domains',
  {
    licenseId: integer('license_id')
      .notNull()
      .references(() => licenses.id),
    domain: text().notNull(),
    boundBy: text('bound_by').$type<BoundBy>().notNull(),
    boundAt: integer('bound_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.licenseId, table.domain] }),
    index('license_domains_domain').on(table.domain),
  ],
);

/** Domains that the operator keeps a license from registering. */
export const blockedDomains = sqliteTable(
  'blocked_domains',
  {
    licenseId: integer('license_id')
      .notNull()
      .references(() => licenses.id),
    domain: text().notNull(),
    blockedAt: integer('blocked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.licenseId, table.domain] })],
);

export const auditLog = sqliteTable(
  'audit_log',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    actor: text().notNull(),
    action: text().notNull(),
    /** What was acted on, such as `lic_1`. */
    subject: text(),
    reason: text(),
    before: text({ mode: 'json' }).$type<Readonly<Record<string, unknown>>>(),
    after: text({ mode: 'json' }).$type<Readonly<Record<string, unknown>>>(),
    /** Of the request that brought it about. */
    requestId: text('request_id'),
  },
  (table) => [index('audit_log_subject').on(table.subject), index('audit_log_at').on(table.at)],
);

export const sites = sqliteTable(
  'sites',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    licenseId: integer('license_id')
      .notNull()
      .references(() => licenses.id),
    domain: text().notNull(),
    siteUuid: text('site_uuid'),
    pluginVersion: text('plugin_version'),
    stats: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    firstSeenAt: integer('first_seen_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
  },
  (table) => [uniqueIndex('sites_license_domain').on(table.licenseId, table.domain)],
);

export const events = sqliteTable(
  'events',
  {
    id: integer().primaryKey(),
    licenseId: integer('license_id').notNull(),
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id),
    type: text().notNull(),
    severity: text().$type<Severity>().notNull(),
    message: text(),
    occurredAt: integer('occurred_at').notNull(),
    receivedAt: integer('received_at').notNull(),
    eventId: text('event_id'),
    metadata: text(),
  },
  (table) => [
    uniqueIndex('events_resend').on(table.siteId, table.eventId).where(sql`${table.eventId} is not null`),
  ],
);

export const threatReports = sqliteTable(
  'threat_reports',
  {
    fingerprint: text().notNull(),
    licenseId: integer('license_id')
      .notNull()
      .references(() => licenses.id),
    attackType: text('attack_type').notNull(),
    firstReportedAt: integer('first_reported_at').notNull(),
    lastReportedAt: integer('last_reported_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fingerprint, table.licenseId] }),
    index('threat_reports_last').on(table.lastReportedAt),
  ],
);

/** Accepted requests per license, route and UTC day: what a daily volume cap counts. */
export const dailyUsage = sqliteTable(
  'daily_usage',
  {
    licenseId: integer('license_id')
      .notNull()
      .references(() => licenses.id),
    route: text().notNull(),
    day: text().notNull(),
    accepted: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.licenseId, table.route, table.day] })],
);

/** What a license's telemetry and signals stored on a UTC day: what its daily budget is compared with. */
export const dailyVolumes = sqliteTable(
  'daily_volumes',
  {
    day: text().notNull(),
    licenseId: integer('license_id')
      .notNull()
      .references(() => licenses.id),
    events: integer().notNull(),
    bytes: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.licenseId] })],
);

/** At most one row: the feed as served. */
export const feedSnapshots = sqliteTable('feed_snapshots', {
  id: integer().primaryKey(),
  epoch: integer().notNull(),
  generatedAt: integer('generated_at').notNull(),
  entries: text().notNull(),
});

/** One row. Triggers count every change here, whichever process made it, so that caches notice. */
export const generations = sqliteTable('generations', {
  id: integer().primaryKey(),
  licenses: integer().notNull(),
  feed: integer().notNull(),
});

/** What a database remembers of the installation that it belongs to; one row. */
export const installation = sqliteTable('installation', {
  id: integer().primaryKey(),
  /** Tells whether `installation.key` is the one that this database was used with. */
  keyFingerprint: text('key_fingerprint').notNull(),
});

/** Signals of which a license's earlier ones are kept beside a new one. */
export const signalHistory = sqliteTable(
  'signal_history',
  {
    id: integer().primaryKey(),
    licenseId: integer('license_id')
      .notNull()
      .references(() => licenses.id),
    signal: text().notNull(),
    record: text().notNull(),
    receivedAt: integer('received_at').notNull(),
  },
  (table) => [
    index('signal_history_latest').on(table.licenseId, table.signal, table.id),
    index('signal_history_received').on(table.receivedAt),
  ],
);

/** Signals of which a new one stands in the place of the license's earlier one for the same site. */
export const signalSnapshots = sqliteTable(
  'signal_snapshots',
  {
    licenseId: integer('license_id')
      .notNull()
      .references(() => licenses.id),
    signal: text().notNull(),
    /** A derived identity, or empty when there is one for the license. */
    site: text().notNull(),
    record: text().notNull(),
    receivedAt: integer('received_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.licenseId, table.signal, table.site] })],
);

const severityCounts = {
  info: integer().notNull(),
  low: integer().notNull(),
  medium: integer().notNull(),
  high: integer().notNull(),
  critical: integer().notNull(),
};

/** One row beside each site: the id that its tenant knows it by, and its events that are kept. */
export const siteSummaries = sqliteTable(
  'site_summaries',
  {
    licenseId: integer('license_id').notNull(),
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id),
    publicId: text('public_id').notNull().unique(),
    ...severityCounts,
    /** The newest that ever occurred, also when it has been forgotten. */
    lastEventAt: integer('last_event_at'),
  },
  (table) => [primaryKey({ columns: [table.licenseId, table.siteId] })],
);

/** Events that are kept, by the UTC day on which they occurred: days since 1970-01-01. */
export const eventDays = sqliteTable(
  'event_days',
  {
    licenseId: integer('license_id').notNull(),
    day: integer().notNull(),
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id),
    ...severityCounts,
  },
  (table) => [primaryKey({ columns: [table.licenseId, table.day, table.siteId] })],
);

/** What may need somebody's attention, by the newest moments that speak for and against it. */
export const alerts = sqliteTable(
  'alerts',
  {
    licenseId: integer('license_id').notNull(),
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id),
    subject: text().notNull(),
    criticalAt: integer('critical_at'),
    highAt: integer('high_at'),
    resolvedAt: integer('resolved_at'),
  },
  (table) => [primaryKey({ columns: [table.licenseId, table.siteId, table.subject] })],
);

/**
 * The events that one request brought: consecutive ids. One row in place of a hundred entries of an index, by
 * which a license's events are found, newest first.
 */
export const arrivals = sqliteTable(
  'arrivals',
  {
    firstEventId: integer('first_event_id').primaryKey(),
    lastEventId: integer('last_event_id').notNull(),
    licenseId: integer('license_id').notNull(),
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id),
    receivedAt: integer('received_at').notNull(),
    oldestOccurredAt: integer('oldest_occurred_at').notNull(),
    newestOccurredAt: integer('newest_occurred_at').notNull(),
  },
  (table) => [index('arrivals_license').on(table.licenseId), index('arrivals_received').on(table.receivedAt)],
);

/** Reservations and consumed trials: what makes a second one impossible. */
export const trials = sqliteTable(
  'trials',
  {
    id: text().primaryKey(),
    licenseId: integer('license_id')
      .notNull()
      .unique()
      .references(() => licenses.id),
    /** The registrable one. */
    domain: text().notNull().unique(),
    installHash: text('install_hash').notNull().unique(),
    emailHash: text('email_hash').notNull(),
    /** Of the network that asked, keyed by the UTC day, where no card was asked for. */
    networkHash: text('network_hash'),
    /** 1 to 3; the index makes a fourth trial of a mailbox impossible. */
    emailSlot: integer('email_slot').notNull(),
    reservedUntil: integer('reserved_until').notNull(),
    customerId: text('customer_id'),
    cardSetupId: text('card_setup_id').unique(),
    /** Of its client secret, without which a request that waits for its card is not repeated. */
    secretHash: text('secret_hash'),
    confirmedAt: integer('confirmed_at'),
  },
  (table) => [
    uniqueIndex('trials_email').on(table.emailHash, table.emailSlot),
    index('trials_begun').on(table.confirmedAt),
    index('trials_reserved').on(table.reservedUntil).where(sql`${table.confirmedAt} is null`),
  ],
);

/** Subscriptions as they were fetched last. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    id: text().primaryKey(),
    licenseId: integer('license_id')
      .notNull()
      .references(() => licenses.id),
    customerId: text('customer_id').notNull(),
    payerEmailHash: text('payer_email_hash'),
    status: text().notNull(),
    createdAt: integer('created_at').notNull(),
    pastDueSince: integer('past_due_since'),
    checkoutId: text('checkout_id').unique(),
    /** Set from the start when the buyer has a key already. */
    keyShownAt: integer('key_shown_at'),
  },
  (table) => [
    index('subscriptions_license').on(table.licenseId),
    index('subscriptions_customer').on(table.customerId),
  ],
);

/** Disputes as they were fetched last; they may be known before their customer is. */
export const disputes = sqliteTable(
  'disputes',
  {
    id: text().primaryKey(),
    customerId: text('customer_id'),
    status: text().notNull(),
  },
  (table) => [index('disputes_customer').on(table.customerId)],
);

/** Every event of the payment processor that was taken, by its own id, so that none is taken twice. */
export const paymentEvents = sqliteTable(
  'payment_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    kind: text().$type<SubjectKind>().notNull(),
    subjectId: text('subject_id').notNull(),
    receivedAt: integer('received_at').notNull(),
    processedAt: integer('processed_at'),
    /** How often it was tried in vain, and when it may be tried again. */
    attempts: integer().notNull().default(0),
    dueAt: integer('due_at').notNull().default(0),
  },
  (table) => [
    index('payment_events_waiting_subject')
      .on(table.kind, table.subjectId)
      .where(sql`${table.processedAt} is null`),
  ],
);

/** At most one row: up to when the processor's list of events was compared with ours. */
export const reconciliations = sqliteTable('reconciliations', {
  id: integer().primaryKey(),
  through: integer().notNull(),
});

/** Verdicts of the analysis by license, UTC day, verdict and category; the empty category counts each verdict once. */
export const verdictCounts = sqliteTable(
  'verdict_counts',
  {
    licenseId: integer('license_id')
      .notNull()
      .references(() => licenses.id),
    day: text().notNull(),
    verdict: text().$type<Verdict>().notNull(),
    category: text().notNull(),
    given: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.licenseId, table.day, table.verdict, table.category] })],
);
