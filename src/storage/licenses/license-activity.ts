import { eq, sql } from 'drizzle-orm';
import { outcomeOf, reasonOf, type Verification } from '../../domain/license/verification.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import { licenseActivity } from './tables.ts';

/** Refusals retained for a license. */
export const REFUSALS_KEPT = 20;

/** A refusal of a license's request, without any input of the caller. */
export type NotedRefusal = Row<typeof licenseActivity>['refusals'][number];

/** The answers to a license since they were last stored. */
export interface NotedAnswers {
  readonly licenseId: number;
  /** The newest answer of license/verify. */
  verified: { readonly at: number; readonly verification: Verification } | undefined;
  /** The newest first. */
  refusals: NotedRefusal[];
}

const prepareActivity = (db: Database) =>
  lazily(() =>
    db
      .select()
      .from(licenseActivity)
      .where(eq(licenseActivity.licenseId, sql.placeholder('licenseId')))
      .prepare(),
  );

/** Reads the stored answers to a license. */
export const readLicenseActivity = async (db: Database, licenseId: number) =>
  prepareActivity(db).get({ licenseId });

export function licenseActivityJobs(db: Database) {
  const activity = prepareActivity(db);
  // Joined with licenses, because a deleted license must not get a row.
  const note = prepare(
    db,
    `
    insert into license_activity (license_id, noted_at, verified_at, verified_outcome, verified_reason, refusals)
      select id, :now, :at, :outcome, :reason, :refusals from licenses where id = :licenseId
      on conflict (license_id) do update set
        noted_at = excluded.noted_at,
        verified_at = coalesce(excluded.verified_at, license_activity.verified_at),
        verified_outcome = case when excluded.verified_at is null then license_activity.verified_outcome
          else excluded.verified_outcome end,
        verified_reason = case when excluded.verified_at is null then license_activity.verified_reason
          else excluded.verified_reason end,
        refusals = case when excluded.refusals = '[]' then license_activity.refusals else excluded.refusals end
    `,
  );

  return {
    /** Stores the answers to licenses; ignores deleted licenses. */
    async noteLicenseActivity({
      answers,
      now,
    }: {
      answers: readonly NotedAnswers[];
      now: number;
    }): Promise<void> {
      for (const { licenseId, verified, refusals } of answers) {
        const kept = refusals.length === 0 ? [] : ((await activity.get({ licenseId }))?.refusals ?? []);
        await note.run({
          licenseId,
          now,
          at: verified?.at ?? null,
          outcome: verified ? outcomeOf(verified.verification) : null,
          reason: (verified && reasonOf(verified.verification)) ?? null,
          refusals: JSON.stringify([...refusals, ...kept].slice(0, REFUSALS_KEPT)),
        });
      }
    },
  };
}
