import { and, eq, notInArray } from 'drizzle-orm';
import type { Database } from './engine/database.ts';
import { subscriptions } from './engine/schema.ts';

/** What Stripe says of a subscription that will never be paid for again. */
export const ENDED = ['canceled', 'incomplete_expired'];

/** Whether a license is paid for by a subscription that has not ended. */
export const isSubscribed = (db: Database, licenseId: number): boolean =>
  db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.licenseId, licenseId), notInArray(subscriptions.status, ENDED)))
    .get() !== undefined;
