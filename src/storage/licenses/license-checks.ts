import { asc, gte, lt } from 'drizzle-orm';
import type { Verification } from '../../domain/license/verification.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { ofRetention } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import { licenseChecks } from './tables.ts';

/** Days for which hourly counts are retained. */
export const CHECKS_KEPT_DAYS = 90;

/** Answers of license/verify within an hour. */
export type LicenseChecks = Row<typeof licenseChecks>;

/** Reads the hourly counts from a moment on, oldest first. */
export const readLicenseChecks = async (db: Database, since: number): Promise<LicenseChecks[]> =>
  db
    .select()
    .from(licenseChecks)
    .where(gte(licenseChecks.hour, since))
    .orderBy(asc(licenseChecks.hour), asc(licenseChecks.outcome))
    .all();

export function licenseCheckJobs(db: Database) {
  const add = prepare(
    db,
    `
    insert into license_checks (hour, outcome, count) values (:hour, :outcome, :count)
      on conflict (hour, outcome) do update set count = license_checks.count + excluded.count
    `,
  );

  return {
    /** Adds the answers since the last call. */
    async addLicenseChecks({
      hour,
      counts,
    }: {
      hour: number;
      counts: readonly (readonly [Verification, number])[];
    }): Promise<void> {
      for (const [outcome, count] of counts) await add.run({ hour, outcome, count });
    },

    forgetLicenseChecks: ofRetention(
      ({ now }) => ({ before: now - CHECKS_KEPT_DAYS * DAY_MS }),
      async ({ before }: { before: number }): Promise<void> => {
        await db.delete(licenseChecks).where(lt(licenseChecks.hour, before)).run();
      },
    ),
  };
}
