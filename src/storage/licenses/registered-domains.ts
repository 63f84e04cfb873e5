import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { licenseDomains } from './tables.ts';

export type LicenseDomain = Pick<Row<typeof licenseDomains>, 'licenseId' | 'domain'>;

/** Whether a normalized domain is registered for a license; used in jobs that depend on it. */
export function prepareIsRegistered(db: Database): (licenseId: number, domain: string) => Promise<boolean> {
  const find = lazily(() =>
    db
      .select({ domain: licenseDomains.domain })
      .from(licenseDomains)
      .where(
        and(
          eq(licenseDomains.licenseId, sql.placeholder('licenseId')),
          eq(licenseDomains.domain, sql.placeholder('domain')),
        ),
      )
      .prepare(),
  );
  return async (licenseId, domain) => (await find.get({ licenseId, domain })) !== undefined;
}
