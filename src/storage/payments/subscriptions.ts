import { isDeepStrictEqual } from 'node:util';
import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Catalog } from '../../domain/license/catalog.ts';
import { type Hold, runs, sitesOf, termsOf } from '../../domain/license/license.ts';
import type { LicenseEnvironment, StoredKey } from '../../domain/license/license-key.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { detailsOf, type HoldCause, holdsOf, withLifted } from '../../domain/payment/hold-cause.ts';
import type { Grant } from '../../domain/payment/price-list.ts';
import {
  isProlongable,
  type Order,
  paidTerms,
  pastDueSince,
  paymentTerms,
  type Subscription,
} from '../../domain/payment/subscription.ts';
import { MINUTE_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { licenseJobs } from '../licenses/license-jobs.ts';
import { licenses } from '../licenses/tables.ts';
import { auditJobs } from '../operators/audit.ts';
import { disputeCauses } from './disputes.ts';
import { paymentEventJobs, type Settled } from './payment-events.ts';
import { HAS_NOT_ENDED, isSubscribed } from './subscribed.ts';
import { subscriptions } from './tables.ts';

type LicenseRow = typeof licenses.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;

/** A freshly fetched subscription, and what its license needs if there is none yet. */
export interface SubscriptionSettlement extends Settled {
  readonly subscription: Subscription;
  /** Its checkout, if known. */
  readonly checkoutId: string | null;
  readonly grant: Grant;
  /** What plans hold. */
  readonly catalog: Catalog;
  readonly environment: LicenseEnvironment;
  /** Of a random key that is never shown: the buyer's key is generated when it is shown. */
  readonly unknownKey: StoredKey;
  readonly graceDays: number;
}

export interface Subscriptions {
  isSubscribed(licenseId: number): Promise<boolean>;
  /** Some of the current subscriptions whose licenses have just expired: they may have been renewed. */
  listLapsed(now: number): Promise<string[]>;
}

const LAPSED_MS_MAX = 60 * MINUTE_MS;
const LAPSED_ROWS_MAX = 100;

/** Reads why the payment processor suspends a license, including reasons that an operator has lifted. */
export const readHoldCauses =
  (db: Database) =>
  async (licenseId: number): Promise<readonly HoldCause[]> =>
    (
      await db
        .select({ holdCauses: subscriptions.holdCauses })
        .from(licenses)
        .innerJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
        .where(eq(licenses.id, licenseId))
        .get()
    )?.holdCauses ?? [];

export const readSubscriptions = (db: Database): Subscriptions => ({
  isSubscribed: async (licenseId) => isSubscribed(db, licenseId),
  listLapsed: async (now) =>
    (
      await db
        .select({ id: subscriptions.id })
        .from(subscriptions)
        .innerJoin(licenses, eq(licenses.id, subscriptions.licenseId))
        .where(and(HAS_NOT_ENDED, gt(licenses.expiresAt, now - LAPSED_MS_MAX), lte(licenses.expiresAt, now)))
        .orderBy(sql`random()`)
        .limit(LAPSED_ROWS_MAX)
        .all()
    ).map(({ id }) => id),
});

export function subscriptionJobs(db: Database) {
  const { issueLicense, changeLicense, keepDomains } = licenseJobs(db);
  const { markProcessed } = paymentEventJobs(db);
  const { audit } = auditJobs(db);
  const licenseOf = (id: number) => db.select().from(licenses).where(eq(licenses.id, id)).get();

  /** The license that an order may prolong. */
  const prolonged = async ({ licenseId }: Order, { environment, now }: SubscriptionSettlement) => {
    const license = licenseId === null ? undefined : await licenseOf(licenseId);
    if (license === undefined || !isProlongable(license, environment, now)) return undefined;
    return (await isSubscribed(db, license.id)) ? undefined : license;
  };

  const prolong = async (
    license: LicenseRow,
    { subscription, grant, catalog, now }: SubscriptionSettlement,
  ) => {
    const { id, operatorTerms } = license;
    const terms = paidTerms(grant);
    const granted = operatorTerms ? termsOf(license) : license.granted;
    const change = { ...terms, subscriptionId: subscription.id, operatorTerms: false, granted };
    await changeLicense({ id, change });
    const inForce = granted && runs(granted, now) ? [terms, granted] : [terms];
    const sitesAllowed = Math.max(...inForce.map((each) => sitesOf(each, catalog)));
    await keepDomains({ licenseId: id, sitesAllowed, now });
    await audit({
      at: now,
      actor: 'stripe',
      action: 'license.prolong',
      subject: licenseName(id),
      before: { plan: license.plan },
      after: { plan: terms.plan, subscriptionId: subscription.id },
    });
    return { licenseId: id, keyShownAt: now };
  };

  const issue = async (
    { domain }: Order,
    { subscription, grant, environment, unknownKey, now }: SubscriptionSettlement,
  ) => {
    const id = await issueLicense({
      ...unknownKey,
      ...paidTerms(grant),
      environment,
      modulesDenied: [],
      note: null,
      expiresAt: null,
      domains: domain === null ? [] : [domain],
      createdAt: now,
      issuedBy: { actor: 'stripe' },
    });
    await changeLicense({ id, change: { subscriptionId: subscription.id } });
    return { licenseId: id, keyShownAt: null };
  };

  const apply = async (expiry: number | null, row: SubscriptionRow, now: number) => {
    const license = await licenseOf(row.licenseId);
    // A later subscription may have replaced this one.
    if (license?.subscriptionId !== row.id) return;
    const change = { ...holdsOf(row.holdCauses), expiresAt: expiry ?? license.expiresAt };
    const { paymentHolds, paymentHoldFrom, expiresAt } = license;
    const before = { paymentHolds, paymentHoldFrom, expiresAt };
    if (isDeepStrictEqual(change, before)) return;
    await changeLicense({ id: license.id, change });
    const after = { ...change, details: detailsOf(row.holdCauses), subscription: row.id, status: row.status };
    const subject = licenseName(license.id);
    await audit({ at: now, actor: 'stripe', action: 'license.payment', subject, before, after });
  };

  return {
    /** Updates a license to the current state of its subscription, and settles the events that caused it. */
    settleSubscription: usesReserve(async (settlement: SubscriptionSettlement): Promise<void> => {
      const { subscription, checkoutId, graceDays, now } = settlement;
      const { id, status, customerId, payerEmailHash, createdAt, order } = subscription;
      await markProcessed(settlement);
      const known = await db.select().from(subscriptions).where(eq(subscriptions.id, id)).get();
      const since = pastDueSince(subscription, known?.pastDueSince ?? null, now);
      const terms = paymentTerms(subscription, since, graceDays, now);
      if (terms === undefined) return;

      let owner: Pick<SubscriptionRow, 'licenseId' | 'keyShownAt'> | undefined = known;
      if (owner === undefined) {
        if (order === null) return;
        const license = await prolonged(order, settlement);
        owner = license ? await prolong(license, settlement) : await issue(order, settlement);
      }
      const row: SubscriptionRow = {
        id,
        licenseId: owner.licenseId,
        customerId,
        payerEmailHash: payerEmailHash ?? known?.payerEmailHash ?? null,
        status,
        createdAt,
        pastDueSince: since,
        checkoutId: checkoutId ?? known?.checkoutId ?? null,
        keyShownAt: owner.keyShownAt,
        holdCauses: withLifted(
          [...terms.causes, ...(await disputeCauses(db, customerId))],
          known?.holdCauses ?? [],
        ),
      };
      await db
        .insert(subscriptions)
        .values(row)
        .onConflictDoUpdate({ target: subscriptions.id, set: row })
        .run();
      await apply(terms.expiresAt, row, now);
    }),

    /** Stores that an operator has lifted a suspension, so that it stays lifted while its cause lasts. */
    liftHoldCauses: usesReserve(
      async ({ licenseId, hold }: { licenseId: number; hold: Hold }): Promise<void> => {
        const license = await licenseOf(licenseId);
        if (license === undefined || license.subscriptionId === null) return;
        const isOfLicense = eq(subscriptions.id, license.subscriptionId);
        const row = await db.select().from(subscriptions).where(isOfLicense).get();
        if (row === undefined) return;
        const holdCauses = row.holdCauses.map((cause) =>
          cause.hold === hold ? { ...cause, isLifted: true } : cause,
        );
        await db.update(subscriptions).set({ holdCauses }).where(isOfLicense).run();
      },
    ),
  };
}
