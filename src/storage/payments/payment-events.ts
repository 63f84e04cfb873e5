import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, notBetween, sql } from 'drizzle-orm';
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import {
  type PaymentEvent,
  type PaymentSubject,
  RETRY_MS_MAX,
  type WaitingSubject,
} from '../../domain/payment/payment-event.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { perDatabase } from '../engine/per-database.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { ofRetention } from '../engine/retention.ts';
import { type AuditedFacts, auditJobs } from '../operators/audit.ts';
import { paymentEvents, reconciliations } from './tables.ts';

const ONLY_ROW = 1;
const DUE_SUBJECTS_MAX = 20;
const EVENTS_CHUNK = 100;
/** Longer than the processor lists its events, so that a listed one is never taken twice. */
const PAYMENT_EVENT_DAYS_KEPT = 35;

export interface PaymentEvents {
  /**
   * Subjects with a due event, a bounded number at a time, those with an untried one first: any number of failing events must
   * not delay a new one.
   */
  listDue(now: number): Promise<WaitingSubject[]>;
  /** When the next event is due; undefined when none waits. */
  nextDueAt(): Promise<number | undefined>;
  /** Until when the processor's list of events was compared with ours, if ever. */
  reconciledThrough(): Promise<number | undefined>;
  /** Whether any retained event was settled. */
  isAnySettled(): Promise<boolean>;
}

export function readPaymentEvents(db: Database): PaymentEvents {
  const { id, kind, subjectId, attempts, dueAt, processedAt } = paymentEvents;
  const eventIds = db.sqlDialect.listOf(id);
  const next = lazily(() =>
    db
      .select({ dueAt: sql<number | null>`min(${dueAt})` })
      .from(paymentEvents)
      .where(isNull(processedAt))
      .prepare(),
  );

  const settled = lazily(() =>
    db.select({ id: paymentEvents.id }).from(paymentEvents).where(isNotNull(processedAt)).limit(1).prepare(),
  );

  return {
    isAnySettled: async () => (await settled.get()) !== undefined,
    async listDue(now) {
      // A longer wait than the limit was stored by a clock that ran ahead.
      const isDue = notBetween(dueAt, now + 1, now + RETRY_MS_MAX);
      return db
        .select({ kind, subjectId, eventIds, attempts: sql<number>`max(${attempts})` })
        .from(paymentEvents)
        .where(isNull(processedAt))
        .groupBy(kind, subjectId)
        .having(db.sqlDialect.anyOf(isDue))
        .orderBy(asc(sql`min(${attempts})`), asc(sql`min(${dueAt})`))
        .limit(DUE_SUBJECTS_MAX)
        .all();
    },
    nextDueAt: async () => (await next.get())?.dueAt ?? undefined,
    reconciledThrough: async () =>
      (await db.select({ through: reconciliations.through }).from(reconciliations).get())?.through,
  };
}

/** Events that are settled. */
export interface Settled {
  readonly eventIds: readonly string[];
  readonly now: number;
}

export const paymentEventJobs = perDatabase((db: Database) => {
  const { audit } = auditJobs(db);
  const changeWaiting = async (
    eventIds: readonly string[],
    change: SQLiteUpdateSetSource<typeof paymentEvents>,
  ) => {
    for (let at = 0; at < eventIds.length; at += EVENTS_CHUNK) {
      await db
        .update(paymentEvents)
        .set(change)
        .where(
          and(
            isNull(paymentEvents.processedAt),
            inArray(paymentEvents.id, eventIds.slice(at, at + EVENTS_CHUNK)),
          ),
        )
        .run();
    }
  };

  const markProcessed = async ({ eventIds, now }: Settled): Promise<void> =>
    changeWaiting(eventIds, { processedAt: now });

  return {
    markProcessed: usesReserve(markProcessed),

    /**
     * Stores events by id; a known one changes nothing. On a full disk too: an event may end access, and only the processor
     * sends any.
     */
    storePaymentEvents: usesReserve(
      async ({ events, now }: { events: readonly PaymentEvent[]; now: number }): Promise<void> => {
        for (const event of events) {
          await db
            .insert(paymentEvents)
            .values({ ...event, receivedAt: now, dueAt: now })
            .onConflictDoNothing()
            .run();
        }
      },
    ),

    /** Notes that events could not be settled yet, and when to try again. */
    putOffPaymentEvents: usesReserve(
      async ({ eventIds, dueAt }: { eventIds: readonly string[]; dueAt: number }): Promise<void> => {
        await changeWaiting(eventIds, { attempts: sql`${paymentEvents.attempts} + 1`, dueAt });
      },
    ),

    /** Makes failed events due: all of them, or those about one subject. */
    async hastenPaymentEvents({
      subject,
      now,
    }: {
      subject: PaymentSubject | undefined;
      now: number;
    }): Promise<void> {
      const { kind, subjectId, attempts, processedAt } = paymentEvents;
      const isOfSubject = subject && and(eq(kind, subject.kind), eq(subjectId, subject.subjectId));
      await db
        .update(paymentEvents)
        .set({ dueAt: now })
        .where(and(isNull(processedAt), gt(attempts, 0), isOfSubject))
        .run();
    },

    /** Settles events without an effect, with the reason. */
    dismissPaymentEvents: usesReserve(
      async ({ eventIds, now, about }: Settled & { about: AuditedFacts }): Promise<void> => {
        await markProcessed({ eventIds, now });
        await audit({ at: now, actor: 'stripe', action: 'payment.dismiss', subject: null, after: about });
      },
    ),

    async recordReconciliation({ through }: { through: number }): Promise<void> {
      await db
        .insert(reconciliations)
        .values({ id: ONLY_ROW, through })
        .onConflictDoUpdate({ target: reconciliations.id, set: { through } })
        .run();
    },

    forgetPaymentEvents: ofRetention(
      ({ now }) => ({ processedBefore: now - PAYMENT_EVENT_DAYS_KEPT * DAY_MS }),
      async ({ processedBefore }: { processedBefore: number }): Promise<void> => {
        await db.delete(paymentEvents).where(lt(paymentEvents.processedAt, processedBefore)).run();
      },
    ),
  };
});
