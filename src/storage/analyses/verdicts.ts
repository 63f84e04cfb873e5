import { and, eq, lt, sql } from 'drizzle-orm';
import { VERDICTS, type Verdict } from '../../analysis/verdict.ts';
import type { Author } from '../../domain/admin/author.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { utcDay } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { ofRetention, retainedFrom } from '../engine/retention.ts';
import { auditJobs } from '../operators/audit.ts';
import { verdictCounts } from './tables.ts';

/** The category under which every verdict is counted once. */
const ANY_CATEGORY = '';

/** The stored part of one request's analyses: nothing of the analyzed content. */
export interface GivenVerdicts {
  readonly licenseId: number;
  readonly verdicts: readonly { readonly verdict: Verdict; readonly categories: readonly string[] }[];
  readonly now: number;
  /** The author for the audit log, if the request gets an entry there. */
  readonly by?: Author | undefined;
}

export function verdictJobs(db: Database) {
  const { audit } = auditJobs(db);
  const count = lazily(() =>
    db
      .insert(verdictCounts)
      .values({
        licenseId: sql.placeholder('licenseId'),
        day: sql.placeholder('day'),
        verdict: sql.placeholder('verdict'),
        category: sql.placeholder('category'),
        given: sql.placeholder('given'),
      })
      .onConflictDoUpdate({
        target: [verdictCounts.licenseId, verdictCounts.day, verdictCounts.verdict, verdictCounts.category],
        set: { given: sql`${verdictCounts.given} + excluded.given` },
      })
      .prepare(),
  );

  return {
    async recordVerdicts({ licenseId, verdicts, now, by }: GivenVerdicts): Promise<void> {
      const day = utcDay(now);
      for (const verdict of VERDICTS) {
        const alike = verdicts.filter((given) => given.verdict === verdict);
        const counts = new Map<string, number>();
        for (const { categories } of alike) {
          for (const category of [ANY_CATEGORY, ...new Set(categories)])
            counts.set(category, (counts.get(category) ?? 0) + 1);
        }
        for (const [category, given] of counts) await count.run({ licenseId, day, verdict, category, given });
      }
      if (by === undefined) return;
      for (const { verdict } of verdicts) {
        await audit({
          at: now,
          ...by,
          action: 'analysis.ask',
          subject: licenseName(licenseId),
          after: { verdict },
        });
      }
    },

    forgetVerdicts: ofRetention(
      (terms) => ({ before: retainedFrom(terms) }),
      async ({ before }: { before: number }): Promise<void> => {
        await db
          .delete(verdictCounts)
          .where(lt(verdictCounts.day, utcDay(before)))
          .run();
      },
    ),
  };
}

/** Reads the verdicts given to a license for as long as they are retained; zeros where there were none. */
export function readVerdictTally(db: Database): (licenseId: number) => Promise<Record<Verdict, number>> {
  const tally = lazily(() =>
    db
      .select({ verdict: verdictCounts.verdict, given: sql<number>`sum(${verdictCounts.given})` })
      .from(verdictCounts)
      .where(
        and(
          eq(verdictCounts.licenseId, sql.placeholder('licenseId')),
          eq(verdictCounts.category, ANY_CATEGORY),
        ),
      )
      .groupBy(verdictCounts.verdict)
      .prepare(),
  );

  return async (licenseId) => {
    const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
    for (const { verdict, given } of await tally.all({ licenseId })) counts[verdict] = given;
    return counts;
  };
}
