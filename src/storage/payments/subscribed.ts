import { and, eq, notInArray } from 'drizzle-orm';
import { ENDED_STATUSES } from '../../domain/payment/subscription.ts';
import type { Database } from '../engine/database.ts';
import { subscriptions } from './tables.ts';

/** A subscription that may still be paid for. */
export const HAS_NOT_ENDED = notInArray(subscriptions.status, [...ENDED_STATUSES]);

/** Whether a subscription that has not ended pays for a license. */
export const isSubscribed = async (db: Database, licenseId: number): Promise<boolean> =>
  (await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.licenseId, licenseId), HAS_NOT_ENDED))
    .get()) !== undefined;
