import { and, asc, inArray, isNull, lt } from 'drizzle-orm';
import type { PaymentEvent } from '../domain/payment-event.ts';
import type { AuditEntry, auditJobs } from './audit.ts';
import type { Database } from './database.ts';
import { paymentEvents, reconciliations } from './schema.ts';

const ONLY_ROW = 1;
const WAITING_ROWS_MAX = 500;
const EVENTS_CHUNK = 100;

export interface PaymentEvents {
  /** Events that nothing has come of yet, oldest first, a bounded number at a time. */
  listWaiting(): PaymentEvent[];
  /** Up to when the processor's list of events was compared with ours, if it ever was. */
  reconciledThrough(): number | undefined;
}

export function readPaymentEvents(db: Database): PaymentEvents {
  const { id, type, kind, subjectId } = paymentEvents;
  const waiting = db
    .select({ id, type, kind, subjectId })
    .from(paymentEvents)
    .where(isNull(paymentEvents.processedAt))
    .orderBy(asc(paymentEvents.receivedAt))
    .limit(WAITING_ROWS_MAX)
    .prepare();
  return {
    listWaiting: () => waiting.all(),
    reconciledThrough: () =>
      db.select({ through: reconciliations.through }).from(reconciliations).get()?.through,
  };
}

/** Events that are settled. */
export interface Settled {
  readonly eventIds: readonly string[];
  readonly now: number;
}

export function paymentEventJobs(db: Database, { audit }: ReturnType<typeof auditJobs>) {
  const markProcessed = ({ eventIds, now }: Settled): void => {
    for (let at = 0; at < eventIds.length; at += EVENTS_CHUNK) {
      db.update(paymentEvents)
        .set({ processedAt: now })
        .where(
          and(
            isNull(paymentEvents.processedAt),
            inArray(paymentEvents.id, eventIds.slice(at, at + EVENTS_CHUNK)),
          ),
        )
        .run();
    }
  };

  return {
    markProcessed,

    /** Takes events by their ids; one that was taken before changes nothing. */
    storePaymentEvents({ events, now }: { events: readonly PaymentEvent[]; now: number }): void {
      for (const event of events) {
        db.insert(paymentEvents)
          .values({ ...event, receivedAt: now })
          .onConflictDoNothing()
          .run();
      }
    },

    /** Settles events of which nothing can come, and says why. */
    dismissPaymentEvents({ eventIds, now, detail }: Settled & { detail: AuditEntry['detail'] }): void {
      markProcessed({ eventIds, now });
      audit({ at: now, actor: 'service', action: 'payment.dismiss', licenseId: null, detail });
    },

    recordReconciliation({ through }: { through: number }): void {
      db.insert(reconciliations)
        .values({ id: ONLY_ROW, through })
        .onConflictDoUpdate({ target: reconciliations.id, set: { through } })
        .run();
    },

    forgetPaymentEvents({ processedBefore }: { processedBefore: number }): void {
      db.delete(paymentEvents).where(lt(paymentEvents.processedAt, processedBefore)).run();
    },
  };
}
