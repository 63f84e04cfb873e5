import { asc, count, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { feedRulings } from './tables.ts';

/** The operator's ruling on one threat. */
export type KeptRuling = Row<typeof feedRulings>;

/** Reads operators' rulings on threats. */
export function readFeedRulings(db: Database) {
  const { fingerprint } = feedRulings;
  const one = lazily(() =>
    db
      .select()
      .from(feedRulings)
      .where(eq(fingerprint, sql.placeholder('fingerprint')))
      .prepare(),
  );
  const some = lazily(() =>
    db
      .select()
      .from(feedRulings)
      .where(gt(fingerprint, sql.placeholder('after')))
      .orderBy(asc(fingerprint))
      .limit(sql.placeholder('limit'))
      .prepare(),
  );
  return {
    find: async (fingerprint: string): Promise<KeptRuling | undefined> => one.get({ fingerprint }),

    /** Ordered by fingerprint, after `after` or from the first on. */
    page: async ({
      after = '',
      limit,
    }: {
      after?: string | undefined;
      limit: number;
    }): Promise<KeptRuling[]> => some.all({ after, limit }),

    count: async (): Promise<number> =>
      (await db.select({ rulings: count() }).from(feedRulings).get())?.rulings ?? 0,
  };
}

export function feedRulingJobs(db: Database) {
  return {
    /** Excludes a threat from every later feed; replaces an earlier ruling on it. */
    async ruleOnThreat({
      fingerprint,
      ruling,
      now,
    }: Omit<KeptRuling, 'ruledAt'> & { readonly now: number }): Promise<void> {
      const ruled = { ruling, ruledAt: now };
      await db
        .insert(feedRulings)
        .values({ fingerprint, ...ruled })
        .onConflictDoUpdate({ target: feedRulings.fingerprint, set: ruled })
        .run();
    },

    /** Removes the ruling, so that a threat's reports decide again. */
    async restoreThreat({ fingerprint }: { readonly fingerprint: string }): Promise<void> {
      await db.delete(feedRulings).where(eq(feedRulings.fingerprint, fingerprint)).run();
    },
  };
}
