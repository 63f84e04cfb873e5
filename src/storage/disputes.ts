import { and, eq } from 'drizzle-orm';
import { licenseName, withHold } from '../domain/license/license.ts';
import { type Dispute, disputeHolds } from '../domain/payment/dispute.ts';
import type { auditJobs } from './audit.ts';
import type { Database } from './engine/database.ts';
import { disputes, licenses, subscriptions } from './engine/schema.ts';
import type { licenseJobs } from './licenses.ts';
import type { paymentEventJobs, Settled } from './payment-events.ts';

/** Whether a customer has a dispute that holds. */
export const isDisputed = async (db: Database, customerId: string): Promise<boolean> =>
  (await db.select().from(disputes).where(eq(disputes.customerId, customerId)).all()).some(disputeHolds);

export function disputeJobs(
  db: Database,
  { changeLicense }: ReturnType<typeof licenseJobs>,
  { markProcessed }: ReturnType<typeof paymentEventJobs>,
  { audit }: ReturnType<typeof auditJobs>,
) {
  /** Those that a customer pays for, not those that another customer has taken over since. */
  const licensesOf = (customerId: string) =>
    db
      .select({ id: licenses.id, paymentHolds: licenses.paymentHolds })
      .from(licenses)
      .innerJoin(subscriptions, eq(subscriptions.licenseId, licenses.id))
      .where(and(eq(subscriptions.customerId, customerId), eq(subscriptions.id, licenses.subscriptionId)))
      .all();

  return {
    /** Holds the licenses of a dispute's customer, or lifts that hold when no other dispute needs it. */
    async settleDispute({ dispute, eventIds, now }: Settled & { dispute: Dispute }): Promise<void> {
      await markProcessed({ eventIds, now });
      await db
        .insert(disputes)
        .values(dispute)
        .onConflictDoUpdate({ target: disputes.id, set: dispute })
        .run();
      const { customerId, status } = dispute;
      if (customerId === null) return;
      const held = await isDisputed(db, customerId);
      for (const { id, paymentHolds } of await licensesOf(customerId)) {
        if (paymentHolds.includes('dispute') === held) continue;
        await changeLicense({ id, change: { paymentHolds: withHold(paymentHolds, 'dispute', held) } });
        const after = { dispute: dispute.id, status };
        await audit({ at: now, actor: 'stripe', action: 'license.dispute', subject: licenseName(id), after });
      }
    },
  };
}
