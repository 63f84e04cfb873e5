import { isDeepStrictEqual } from 'node:util';
import { and, desc, eq, gt, lte, notInArray, sql } from 'drizzle-orm';
import { withHold } from '../domain/license.ts';
import type { LicenseEnvironment, StoredKey } from '../domain/license-key.ts';
import type { Grant } from '../domain/price-list.ts';
import {
  isProlongable,
  type Order,
  type PaymentTerms,
  pastDueSince,
  paymentTerms,
  type Subscription,
} from '../domain/subscription.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import type { auditJobs } from './audit.ts';
import type { Database } from './database.ts';
import { isDisputed } from './disputes.ts';
import type { licenseJobs } from './licenses.ts';
import type { paymentEventJobs, Settled } from './payment-events.ts';
import { licenses, subscriptions } from './schema.ts';

type LicenseRow = typeof licenses.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;

/** A subscription as it was just fetched, and what its license needs should it have none yet. */
export interface SubscriptionSettlement extends Settled {
  readonly subscription: Subscription;
  /** The checkout that it came from, when that is known. */
  readonly checkoutId: string | null;
  readonly grant: Grant;
  readonly environment: LicenseEnvironment;
  /** Of a key that nobody knows: the buyer's own is made when it is shown. */
  readonly unknownKey: StoredKey;
  readonly graceDays: number;
}

export interface Subscriptions {
  /** Whether a license is paid for by a subscription that has not ended. */
  isSubscribed(licenseId: number): boolean;
  /** Any bounded number of the subscriptions that have not ended whose licenses have just expired: they may be renewed by now. */
  listLapsed(now: number): string[];
}

const LAPSED_MS_MAX = 60 * MINUTE_MS;
const LAPSED_ROWS_MAX = 100;
const ENDED = ['canceled', 'incomplete_expired'];

const isSubscribed = (db: Database, licenseId: number): boolean =>
  db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.licenseId, licenseId), notInArray(subscriptions.status, ENDED)))
    .get() !== undefined;

export const readSubscriptions = (db: Database): Subscriptions => ({
  isSubscribed: (licenseId) => isSubscribed(db, licenseId),
  listLapsed: (now) =>
    db
      .select({ id: subscriptions.id })
      .from(subscriptions)
      .innerJoin(licenses, eq(licenses.id, subscriptions.licenseId))
      .where(
        and(
          notInArray(subscriptions.status, ENDED),
          gt(licenses.expiresAt, now - LAPSED_MS_MAX),
          lte(licenses.expiresAt, now),
        ),
      )
      .orderBy(sql`random()`)
      .limit(LAPSED_ROWS_MAX)
      .all()
      .map(({ id }) => id),
});

export function subscriptionJobs(
  db: Database,
  { issueLicense, changeLicense }: ReturnType<typeof licenseJobs>,
  { markProcessed }: ReturnType<typeof paymentEventJobs>,
  { audit }: ReturnType<typeof auditJobs>,
) {
  const licenseOf = (id: number) => db.select().from(licenses).where(eq(licenses.id, id)).get();

  /** The license that an order may prolong. */
  const prolonged = ({ licenseId }: Order, environment: LicenseEnvironment) => {
    const license = licenseId === null ? undefined : licenseOf(licenseId);
    if (license === undefined || !isProlongable(license, environment)) return undefined;
    return isSubscribed(db, license.id) ? undefined : license;
  };

  /** What earlier subscriptions added to a license, and took with them. */
  const modulesOf = (licenseId: number) =>
    db
      .select({ modules: subscriptions.modules })
      .from(subscriptions)
      .where(eq(subscriptions.licenseId, licenseId))
      .all()
      .flatMap(({ modules }) => modules);

  const prolong = (license: LicenseRow, { grant, now }: SubscriptionSettlement) => {
    const plan = grant.plan ?? license.plan;
    const earlier = new Set(modulesOf(license.id));
    const kept = license.modulesAllowed.filter((module) => !earlier.has(module));
    const modulesAllowed = [...new Set([...kept, ...grant.modules])];
    changeLicense({ id: license.id, change: { kind: 'paid', plan, modulesAllowed } });
    audit({ at: now, actor: 'service', action: 'license.prolong', licenseId: license.id, detail: { plan } });
    return { licenseId: license.id, keyShownAt: now };
  };

  const issue = ({ domain }: Order, { grant, environment, unknownKey, now }: SubscriptionSettlement) => {
    const licenseId = issueLicense({
      ...unknownKey,
      kind: 'paid',
      environment,
      plan: grant.plan ?? 'free',
      sitesOverride: null,
      modulesAllowed: grant.modules,
      modulesDenied: [],
      note: null,
      expiresAt: null,
      domains: domain === null ? [] : [domain],
      createdAt: now,
      issuedBy: 'service',
    });
    return { licenseId, keyShownAt: null };
  };

  /** Whether no later subscription of the same license has taken this one's place. */
  const isCurrent = ({ id, licenseId }: { id: string; licenseId: number }) =>
    db
      .select({ id: subscriptions.id })
      .from(subscriptions)
      .where(eq(subscriptions.licenseId, licenseId))
      .orderBy(desc(subscriptions.createdAt), desc(subscriptions.id))
      .get()?.id === id;

  const apply = (terms: PaymentTerms, row: SubscriptionRow, now: number) => {
    const license = licenseOf(row.licenseId);
    if (license === undefined || !isCurrent(row)) return;
    const held = withHold(license.holds, 'payment', terms.paymentHold);
    const change = {
      holds: isDisputed(db, row.customerId) ? withHold(held, 'dispute', true) : held,
      paymentHoldFrom: terms.paymentHoldFrom,
      expiresAt: terms.expiresAt ?? license.expiresAt,
    };
    const { holds, paymentHoldFrom, expiresAt } = license;
    if (isDeepStrictEqual(change, { holds, paymentHoldFrom, expiresAt })) return;
    changeLicense({ id: license.id, change });
    const detail = { subscription: row.id, status: row.status };
    audit({ at: now, actor: 'service', action: 'license.payment', licenseId: license.id, detail });
  };

  return {
    /** Brings a license to what its subscription says now, and settles the events that asked for it. */
    settleSubscription(settlement: SubscriptionSettlement): void {
      const { subscription, checkoutId, graceDays, now } = settlement;
      const { id, status, customerId, createdAt, order } = subscription;
      markProcessed(settlement);
      const known = db.select().from(subscriptions).where(eq(subscriptions.id, id)).get();
      const since = pastDueSince(subscription, known?.pastDueSince ?? null, now);
      const terms = paymentTerms(subscription, since, graceDays, now);
      if (terms === undefined) return;

      let owner: Pick<SubscriptionRow, 'licenseId' | 'keyShownAt'> | undefined = known;
      if (owner === undefined) {
        if (order === null) return;
        const license = prolonged(order, settlement.environment);
        owner = license ? prolong(license, settlement) : issue(order, settlement);
      }
      const row: SubscriptionRow = {
        id,
        licenseId: owner.licenseId,
        customerId,
        status,
        createdAt,
        modules: known?.modules ?? settlement.grant.modules,
        pastDueSince: since,
        checkoutId: checkoutId ?? known?.checkoutId ?? null,
        keyShownAt: owner.keyShownAt,
      };
      db.insert(subscriptions).values(row).onConflictDoUpdate({ target: subscriptions.id, set: row }).run();
      apply(terms, row, now);
    },
  };
}
