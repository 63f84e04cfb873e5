import { eq, inArray } from 'drizzle-orm';
import { type Dispute, disputeHolds } from '../domain/dispute.ts';
import { withHold } from '../domain/license.ts';
import type { auditJobs } from './audit.ts';
import type { Database } from './database.ts';
import type { licenseJobs } from './licenses.ts';
import type { paymentEventJobs, Settled } from './payment-events.ts';
import { disputes, licenses, subscriptions } from './schema.ts';

/** Whether a customer has a dispute that holds. */
export const isDisputed = (db: Database, customerId: string): boolean =>
  db.select().from(disputes).where(eq(disputes.customerId, customerId)).all().some(disputeHolds);

export function disputeJobs(
  db: Database,
  { changeLicense }: ReturnType<typeof licenseJobs>,
  { markProcessed }: ReturnType<typeof paymentEventJobs>,
  { audit }: ReturnType<typeof auditJobs>,
) {
  const licensesOf = (customerId: string) =>
    db
      .select({ id: licenses.id, holds: licenses.holds })
      .from(licenses)
      .where(
        inArray(
          licenses.id,
          db
            .select({ id: subscriptions.licenseId })
            .from(subscriptions)
            .where(eq(subscriptions.customerId, customerId)),
        ),
      )
      .all();

  return {
    /** Holds the licenses of a dispute's customer, or lifts that hold when no other dispute needs it. */
    settleDispute({ dispute, eventIds, now }: Settled & { dispute: Dispute }): void {
      markProcessed({ eventIds, now });
      db.insert(disputes).values(dispute).onConflictDoUpdate({ target: disputes.id, set: dispute }).run();
      const { customerId, status } = dispute;
      if (customerId === null) return;
      const held = isDisputed(db, customerId);
      for (const { id, holds } of licensesOf(customerId)) {
        if (holds.includes('dispute') === held) continue;
        changeLicense({ id, change: { holds: withHold(holds, 'dispute', held) } });
        const detail = { dispute: dispute.id, status };
        audit({ at: now, actor: 'service', action: 'license.dispute', licenseId: id, detail });
      }
    },
  };
}
