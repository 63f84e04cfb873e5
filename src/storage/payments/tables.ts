import { sql } from 'drizzle-orm';
import type { DisputeStatus } from '../../domain/payment/dispute.ts';
import type { HoldCause } from '../../domain/payment/hold-cause.ts';
import type { SubjectKind } from '../../domain/payment/payment-event.ts';
import type { SubscriptionStatus } from '../../domain/payment/subscription.ts';
import { table } from '../engine/table.ts';
import { licenses } from '../licenses/tables.ts';

/** Reservations and used trials, which prevent a second one. */
export const trials = table(
  'trials',
  ({ int, text }) => ({
    id: text().primaryKey(),
    licenseId: int('license_id')
      .notNull()
      .unique()
      .references(() => licenses.id),
    /** The registrable one. */
    domain: text().notNull().unique(),
    installHash: text('install_hash').notNull().unique(),
    emailHash: text('email_hash').notNull(),
    /** Of the client's network, keyed by the UTC day, for a trial without a card. */
    networkHash: text('network_hash'),
    /** 1 to 3; the index makes a fourth trial of a mailbox impossible. */
    emailSlot: int('email_slot').notNull(),
    reservedUntil: int('reserved_until').notNull(),
    customerId: text('customer_id'),
    cardSetupId: text('card_setup_id').unique(),
    /** Of its client secret, which a repeated request must have while its card is missing. */
    secretHash: text('secret_hash'),
    confirmedAt: int('confirmed_at'),
  }),
  (of, { index, uniqueIndex }) => [
    uniqueIndex('trials_email').on(of.emailHash, of.emailSlot),
    index('trials_begun').on(of.confirmedAt),
    index('trials_reserved').on(of.reservedUntil).where(sql`${of.confirmedAt} is null`),
  ],
);

/** Subscriptions as last fetched. */
export const subscriptions = table(
  'subscriptions',
  ({ int, text, json }) => ({
    id: text().primaryKey(),
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    customerId: text('customer_id').notNull(),
    payerEmailHash: text('payer_email_hash'),
    status: text().$type<SubscriptionStatus>().notNull(),
    createdAt: int('created_at').notNull(),
    pastDueSince: int('past_due_since'),
    checkoutId: text('checkout_id').unique(),
    /** Set from the start when the buyer has a key already. */
    keyShownAt: int('key_shown_at'),
    /** The reasons for the suspension of its license; see {@link HoldCause}. */
    holdCauses: json('hold_causes').$type<HoldCause[]>().notNull().default([]),
  }),
  (of, { index }) => [
    index('subscriptions_license').on(of.licenseId),
    index('subscriptions_customer').on(of.customerId),
  ],
);

/** Disputes as they were fetched last; they may be known before their customer is. */
export const disputes = table(
  'disputes',
  ({ text }) => ({
    id: text().primaryKey(),
    customerId: text('customer_id'),
    status: text().$type<DisputeStatus>().notNull(),
  }),
  (of, { index }) => [index('disputes_customer').on(of.customerId)],
);

/** Every stored event of the payment processor, by its id, so that none is processed twice. */
export const paymentEvents = table(
  'payment_events',
  ({ int, text }) => ({
    id: text().primaryKey(),
    type: text().notNull(),
    kind: text().$type<SubjectKind>().notNull(),
    subjectId: text('subject_id').notNull(),
    receivedAt: int('received_at').notNull(),
    processedAt: int('processed_at'),
    /** The number of failed attempts, and when to retry. */
    attempts: int().notNull().default(0),
    dueAt: int('due_at').notNull().default(0),
  }),
  (of, { index }) => [
    index('payment_events_waiting_subject').on(of.kind, of.subjectId).where(sql`${of.processedAt} is null`),
  ],
);

/** At most one row: until when the processor's list of events was compared with ours. */
export const reconciliations = table('reconciliations', ({ int }) => ({
  id: int().primaryKey(),
  through: int().notNull(),
}));
