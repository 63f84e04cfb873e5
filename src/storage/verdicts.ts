import { and, eq, lt, sql } from 'drizzle-orm';
import { VERDICTS, type Verdict } from '../analysis/verdict.ts';
import type { Author } from '../domain/admin/author.ts';
import { licenseName } from '../domain/license/license.ts';
import { utcDay } from '../lib/clock.ts';
import type { auditJobs } from './audit.ts';
import type { Database } from './engine/database.ts';
import { verdictCounts } from './engine/schema.ts';

/** The category under which every verdict is counted once, whatever was found. */
const ANY_CATEGORY = '';

/** What is kept of an analysis: nothing of what was analysed. */
export interface GivenVerdict {
  readonly licenseId: number;
  readonly verdict: Verdict;
  readonly categories: readonly string[];
  readonly now: number;
  /** By whom it was asked for, where the audit log is to have it. */
  readonly by?: Author | undefined;
}

export function verdictJobs(db: Database, { audit }: Pick<ReturnType<typeof auditJobs>, 'audit'>) {
  const count = db
    .insert(verdictCounts)
    .values({
      licenseId: sql.placeholder('licenseId'),
      day: sql.placeholder('day'),
      verdict: sql.placeholder('verdict'),
      category: sql.placeholder('category'),
      given: 1,
    })
    .onConflictDoUpdate({
      target: [verdictCounts.licenseId, verdictCounts.day, verdictCounts.verdict, verdictCounts.category],
      set: { given: sql`${verdictCounts.given} + 1` },
    })
    .prepare();

  return {
    /** Counts a verdict, and each of its categories, for the tenant's tally. */
    async recordVerdict({ licenseId, verdict, categories, now, by }: GivenVerdict): Promise<void> {
      const day = utcDay(now);
      for (const category of [ANY_CATEGORY, ...new Set(categories)]) {
        await count.run({ licenseId, day, verdict, category });
      }
      if (by)
        await audit({
          at: now,
          ...by,
          action: 'analysis.ask',
          subject: licenseName(licenseId),
          after: { verdict },
        });
    },

    async forgetVerdicts({ before }: { before: number }): Promise<void> {
      await db
        .delete(verdictCounts)
        .where(lt(verdictCounts.day, utcDay(before)))
        .run();
    },
  };
}

/** Verdicts given to a license as far back as they are kept; zeros where there were none. */
export function readVerdictTally(db: Database): (licenseId: number) => Promise<Record<Verdict, number>> {
  const tally = db
    .select({ verdict: verdictCounts.verdict, given: sql<number>`sum(${verdictCounts.given})` })
    .from(verdictCounts)
    .where(
      and(
        eq(verdictCounts.licenseId, sql.placeholder('licenseId')),
        eq(verdictCounts.category, ANY_CATEGORY),
      ),
    )
    .groupBy(verdictCounts.verdict)
    .prepare();

  return async (licenseId) => {
    const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
    for (const { verdict, given } of await tally.all({ licenseId })) counts[verdict] = given;
    return counts;
  };
}
