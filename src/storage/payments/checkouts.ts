import { and, eq, isNull } from 'drizzle-orm';
import type { StoredKey } from '../../domain/license/license-key.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Database } from '../engine/database.ts';
import { licenseJobs } from '../licenses/license-jobs.ts';
import { auditJobs } from '../operators/audit.ts';
import { subscriptions } from './tables.ts';

/** A key that is shown once. */
export interface KeyReveal {
  readonly checkoutId: string;
  readonly key: StoredKey;
  /** Of the request for it. */
  readonly requestId?: string | undefined;
  readonly now: number;
}

/** The state of a checkout: no license yet, a key to show, or the key was shown. */
export type CheckoutState = 'awaited' | 'ready' | 'shown';

export interface Checkouts {
  stateOf(checkoutId: string): Promise<CheckoutState>;
}

export const readCheckouts = (db: Database): Checkouts => ({
  async stateOf(checkoutId) {
    const found = await db
      .select({ keyShownAt: subscriptions.keyShownAt })
      .from(subscriptions)
      .where(eq(subscriptions.checkoutId, checkoutId))
      .get();
    if (found === undefined) return 'awaited';
    return found.keyShownAt === null ? 'ready' : 'shown';
  },
});

export function checkoutJobs(db: Database) {
  const { changeLicense } = licenseJobs(db);
  const { audit } = auditJobs(db);
  return {
    /** Stores the key of a checkout's license that the buyer is about to see, once. */
    async revealKey(reveal: KeyReveal): Promise<Refusal | undefined> {
      const { checkoutId, key, requestId, now } = reveal;
      const [revealed] = await db
        .update(subscriptions)
        .set({ keyShownAt: now })
        .where(and(eq(subscriptions.checkoutId, checkoutId), isNull(subscriptions.keyShownAt)))
        .returning({ licenseId: subscriptions.licenseId })
        .all();
      if (revealed === undefined) return refuse('NOT_FOUND', 'There is no key to show.');
      const { licenseId } = revealed;
      await changeLicense({ id: licenseId, change: key });
      const subject = licenseName(licenseId);
      await audit({ at: now, actor: 'system', action: 'license.reveal', subject, requestId });
      return undefined;
    },
  };
}
