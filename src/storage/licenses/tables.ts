import { sql } from 'drizzle-orm';
import type { Plan } from '../../domain/license/catalog.ts';
import type { BoundBy, Hold, Terms } from '../../domain/license/license.ts';
import type { LicenseEnvironment } from '../../domain/license/license-key.ts';
import type { RefusalReason, Verification } from '../../domain/license/verification.ts';
import { table } from '../engine/table.ts';
import { PLAIN_LICENSE } from './plain-licenses.ts';

export const licenses = table(
  'licenses',
  ({ id, int, flag, text, json }) => ({
    id: id(),
    keyHash: text('key_hash').notNull().unique(),
    keyPrefix: text('key_prefix').notNull(),
    keyLast4: text('key_last4').notNull(),
    kind: text().$type<'paid' | 'trial'>().notNull(),
    environment: text().$type<LicenseEnvironment>().notNull(),
    plan: text().$type<Plan>().notNull(),
    sitesOverride: int('sites_override'),
    dailyEventsOverride: int('daily_events_override'),
    dailyBytesOverride: int('daily_bytes_override'),
    modulesAllowed: json('modules_allowed').$type<readonly string[]>().notNull(),
    modulesDenied: json('modules_denied').$type<readonly string[]>().notNull(),
    /** The subscription whose terms it has (kind, plan, sites, modules, end); null = unpaid. */
    subscriptionId: text('subscription_id'),
    /** Whether the operator granted its terms. */
    operatorTerms: flag('operator_terms').notNull().default(false),
    /** Terms from the operator from before a subscription, or in addition to it. */
    granted: json().$type<Terms>(),
    /** Set by the operator. */
    holds: json().$type<readonly Hold[]>().notNull(),
    /** Set by events of the payment processor. */
    paymentHolds: json('payment_holds').$type<readonly Hold[]>().notNull().default([]),
    note: text(),
    /** The customer, in the operator's words. */
    customer: text(),
    email: text(),
    externalId: text('external_id'),
    createdAt: int('created_at').notNull(),
    expiresAt: int('expires_at'),
    revokedAt: int('revoked_at'),
    pendingUntil: int('pending_until'),
    paymentHoldFrom: int('payment_hold_from'),
  }),
  (of, { index, uniqueIndex, contains }) => [
    uniqueIndex('licenses_external_id')
      .on(of.externalId)
      .where(sql`${of.externalId} is not null and ${of.revokedAt} is null`),
    index('licenses_expires').on(of.expiresAt).where(sql`${of.expiresAt} is not null`),
    // A few of many, which operators' pages read often.
    index('licenses_special')
      .on(of.id)
      .where(sql.raw(`not (${PLAIN_LICENSE})`)),
    index('licenses_revoked').on(of.id).where(sql`${of.revokedAt} is not null`),
    index('licenses_held')
      .on(of.id)
      .where(
        sql`${of.paymentHoldFrom} is not null or ${of.paymentHolds} <> '[]' or ${contains(of.holds, '"dispute"')}`,
      ),
  ],
);

export const licenseDomains = table(
  'license_domains',
  ({ int, text }) => ({
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    domain: text().notNull(),
    boundBy: text('bound_by').$type<BoundBy>().notNull(),
    boundAt: int('bound_at').notNull(),
  }),
  (of, { primaryKey, index }) => [
    primaryKey({ columns: [of.licenseId, of.domain] }),
    index('license_domains_domain').on(of.domain),
  ],
);

/** Domains that an operator has blocked for a license. */
export const blockedDomains = table(
  'blocked_domains',
  ({ int, text }) => ({
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    domain: text().notNull(),
    blockedAt: int('blocked_at').notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.licenseId, of.domain] })],
);

/** The previous key of a license, while it still works. */
export const previousKeys = table('previous_keys', ({ int, text }) => ({
  licenseId: int('license_id')
    .primaryKey()
    .references(() => licenses.id),
  keyHash: text('key_hash').notNull().unique(),
  keyPrefix: text('key_prefix').notNull(),
  keyLast4: text('key_last4').notNull(),
  worksUntil: int('works_until').notNull(),
}));

/** The last answers to licenses, for their operator; written at intervals. */
export const licenseActivity = table('license_activity', ({ int, text, json }) => ({
  licenseId: int('license_id')
    .primaryKey()
    .references(() => licenses.id),
  notedAt: int('noted_at').notNull(),
  verifiedAt: int('verified_at'),
  /** The answer of license/verify at that time. */
  verifiedOutcome: text('verified_outcome'),
  verifiedReason: text('verified_reason'),
  /** The newest first. */
  refusals: json().$type<readonly { at: number; route: string; code: string }[]>().notNull().default([]),
}));

/** Answers of license/verify by hour, counted by all nodes; written at intervals. */
export const licenseChecks = table(
  'license_checks',
  ({ int, text }) => ({
    /** When the hour began. */
    hour: int().notNull(),
    outcome: text().$type<Verification>().notNull(),
    count: int().notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.hour, of.outcome] })],
);

/** Domains that license/verify refused, latest first within a license; written at intervals. */
export const refusedDomains = table(
  'refused_domains',
  ({ int, text }) => ({
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    /** Normalised. */
    domain: text().notNull(),
    /** Why it was refused the last time. */
    reason: text().$type<RefusalReason>().notNull(),
    /** Checks since the first one. */
    count: int().notNull(),
    firstAt: int('first_at').notNull(),
    lastAt: int('last_at').notNull(),
  }),
  (of, { primaryKey, index }) => [
    primaryKey({ columns: [of.licenseId, of.domain] }),
    index('refused_domains_last').on(of.lastAt),
  ],
);

export const portalSessions = table(
  'portal_sessions',
  ({ int, text }) => ({
    tokenHash: text('token_hash').primaryKey(),
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    /** The key at its start: it ends when the license gets another one. */
    keyHash: text('key_hash').notNull(),
    startedAt: int('started_at').notNull(),
  }),
  (of, { index }) => [index('portal_sessions_license').on(of.licenseId)],
);

/** Accepted requests per license, route and UTC day: what a daily volume cap counts. */
export const dailyUsage = table(
  'daily_usage',
  ({ int, text }) => ({
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    route: text().notNull(),
    day: text().notNull(),
    accepted: int().notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.licenseId, of.route, of.day] })],
);

/** Bytes and events of a license's telemetry and signals on a UTC day, for its daily budget. */
export const dailyVolumes = table(
  'daily_volumes',
  ({ int, text }) => ({
    day: text().notNull(),
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    events: int().notNull(),
    bytes: int().notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.day, of.licenseId] })],
);
