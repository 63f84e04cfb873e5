import { and, eq } from 'drizzle-orm';
import { withHold } from '../../domain/license/license.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { type Dispute, disputeHolds } from '../../domain/payment/dispute.ts';
import { type HoldCause, holdCause, holdsOf, withLifted } from '../../domain/payment/hold-cause.ts';
import type { Database } from '../engine/database.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { licenseJobs } from '../licenses/license-jobs.ts';
import { licenses } from '../licenses/tables.ts';
import { auditJobs } from '../operators/audit.ts';
import { paymentEventJobs, type Settled } from './payment-events.ts';
import { disputes, subscriptions } from './tables.ts';

/** The disputes of a customer that suspend its licenses. */
export async function disputeCauses(db: Database, customerId: string): Promise<HoldCause[]> {
  const known = await db.select().from(disputes).where(eq(disputes.customerId, customerId)).all();
  return known.filter(disputeHolds).map(({ id }) => holdCause('dispute', 'disputed', id));
}

export function disputeJobs(db: Database) {
  const { changeLicense } = licenseJobs(db);
  const { markProcessed } = paymentEventJobs(db);
  const { audit } = auditJobs(db);
  /** The licenses that a customer pays for, without those that another customer has taken over. */
  const licensesOf = (customerId: string) =>
    db
      .select({
        id: licenses.id,
        paymentHolds: licenses.paymentHolds,
        subscriptionId: subscriptions.id,
        holdCauses: subscriptions.holdCauses,
      })
      .from(licenses)
      .innerJoin(subscriptions, eq(subscriptions.licenseId, licenses.id))
      .where(and(eq(subscriptions.customerId, customerId), eq(subscriptions.id, licenses.subscriptionId)))
      .all();

  return {
    /** Suspends the licenses of a dispute's customer, or lifts the suspension when no other dispute needs it. */
    settleDispute: usesReserve(
      async ({ dispute, eventIds, now }: Settled & { dispute: Dispute }): Promise<void> => {
        await markProcessed({ eventIds, now });
        await db
          .insert(disputes)
          .values(dispute)
          .onConflictDoUpdate({ target: disputes.id, set: dispute })
          .run();
        const { customerId, status } = dispute;
        if (customerId === null) return;
        const disputed = await disputeCauses(db, customerId);
        for (const { id, paymentHolds, subscriptionId, holdCauses: known } of await licensesOf(customerId)) {
          const others = known.filter(({ hold }) => hold !== 'dispute');
          const holdCauses = withLifted([...others, ...disputed], known);
          await db
            .update(subscriptions)
            .set({ holdCauses })
            .where(eq(subscriptions.id, subscriptionId))
            .run();
          const held = holdsOf(holdCauses).paymentHolds.includes('dispute');
          if (paymentHolds.includes('dispute') === held) continue;
          await changeLicense({ id, change: { paymentHolds: withHold(paymentHolds, 'dispute', held) } });
          const after = { dispute: dispute.id, status };
          await audit({
            at: now,
            actor: 'stripe',
            action: 'license.dispute',
            subject: licenseName(id),
            after,
          });
        }
      },
    ),
  };
}
