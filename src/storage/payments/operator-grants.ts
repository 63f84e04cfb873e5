import { eq } from 'drizzle-orm';
import { grantedTerms } from '../../domain/license/license.ts';
import type { Database } from '../engine/database.ts';
import type { LicenseChange, OperatorGrant } from '../licenses/licenses.ts';
import { licenses } from '../licenses/tables.ts';
import { isSubscribed } from './subscribed.ts';

export const operatorGrantJobs = (db: Database) => ({
  /** Changes the operator's terms: in addition to those of a subscription, or instead of an ended one. */
  async grantTerms({ id, terms, now }: OperatorGrant): Promise<void> {
    const license = await db.select().from(licenses).where(eq(licenses.id, id)).get();
    if (license === undefined) return;
    const granted = { ...grantedTerms(license, now), ...terms };
    const change: LicenseChange = (await isSubscribed(db, id))
      ? { granted }
      : {
          ...granted,
          operatorTerms: true,
          granted: null,
          subscriptionId: null,
          paymentHolds: [],
          paymentHoldFrom: null,
        };
    await db.update(licenses).set(change).where(eq(licenses.id, id)).run();
  },
});
