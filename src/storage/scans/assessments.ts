import { and, desc, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { assessments } from './tables.ts';

/** The result of an assessment scan of a site. */
export type KeptAssessment = Omit<Row<typeof assessments>, 'licenseId' | 'scanId'>;

/** Reads the assessments of tenants' sites. */
export function readAssessments(db: Database) {
  const { id, licenseId, scanId, domain, grade, score, parts, assessedAt, madeAt, leafHash } = assessments;
  const columns = { id, domain, grade, score, parts, assessedAt, madeAt, leafHash };
  const newest = lazily(() =>
    db
      .select(columns)
      .from(assessments)
      .where(and(eq(licenseId, sql.placeholder('licenseId')), eq(domain, sql.placeholder('domain'))))
      .orderBy(desc(id))
      .limit(1)
      .prepare(),
  );
  const since = lazily(() =>
    db
      .select(columns)
      .from(assessments)
      .where(
        and(
          eq(licenseId, sql.placeholder('licenseId')),
          eq(domain, sql.placeholder('domain')),
          gt(madeAt, sql.placeholder('after')),
        ),
      )
      .orderBy(desc(id))
      .prepare(),
  );
  const ofScan = lazily(() =>
    db
      .select(columns)
      .from(assessments)
      .where(eq(scanId, sql.placeholder('scanId')))
      .prepare(),
  );

  return {
    /** The newest of a license's domain. */
    newest: async (licenseId: number, domain: string): Promise<KeptAssessment | undefined> =>
      newest.get({ licenseId, domain }),

    /** Those of a license's domain that were made after a moment, the newest first; some 50 at most. */
    since: async (licenseId: number, domain: string, after: number): Promise<KeptAssessment[]> =>
      since.all({ licenseId, domain, after }),

    /** The assessment of a scan; undefined before it exists, and after its deletion. */
    ofScan: async (scanId: number): Promise<KeptAssessment | undefined> => ofScan.get({ scanId }),
  };
}

export type AssessmentReads = ReturnType<typeof readAssessments>;
