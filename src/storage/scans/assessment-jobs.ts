import { and, asc, desc, eq, inArray, lt } from 'drizzle-orm';
import type { Assessment, AssessmentParts } from '../../domain/assessment/assessment.ts';
import { decidingAssessments } from '../../domain/assessment/public-grades.ts';
import { iso } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { ofRetention, retainedFrom } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';
import { evidenceEntries } from '../evidence/evidence-entries.ts';
import type { Scan } from './scans.ts';
import { assessments } from './tables.ts';

/** The vulnerability data of a lookup. */
export interface CitedMirror {
  readonly snapshotId: string;
  readonly sources: readonly { readonly name: string; readonly sha256: string }[];
  /** Of the EPSS scores used; null = none. */
  readonly epssModelVersion: string | null;
}

/** An assessment and its inputs, as its entry in the evidence names them. */
export interface CitedAssessment extends Assessment {
  /** The most urgent first; the others are only counted. */
  readonly vulnerabilities: readonly {
    readonly id: string;
    readonly risk: number;
    readonly dueAt: number | null;
  }[];
  /** Null = there was no vulnerability data. */
  readonly mirror: CitedMirror | null;
}

/** Limit of retained assessments of a site; a few older ones may decide its public trust state. */
const KEPT_OF_SITE = 50;
const RETENTION_CHUNK_ASSESSMENTS = 500;

/** Moments in an entry are ISO 8601. */
const entryParts = ({ telemetry, surface, vulnerabilities }: AssessmentParts) => ({
  telemetry: telemetry && { ...telemetry, at: iso(telemetry.at) },
  surface: surface && { ...surface, at: iso(surface.at) },
  vulnerabilities: vulnerabilities && {
    score: vulnerabilities.score,
    at: iso(vulnerabilities.at),
    complete: vulnerabilities.complete,
    data_at: iso(vulnerabilities.dataAt),
    open: vulnerabilities.open,
    overdue: vulnerabilities.overdue,
  },
});

type FinishedScan = Pick<Scan, 'id' | 'publicId' | 'licenseId' | 'domain' | 'type' | 'trigger'>;

/** Operations for jobs that end a scan. */
export function keepAssessments(db: Database) {
  const { currentLog, keepEvidence, siteIdOf } = evidenceEntries(db);
  const citeMirror = prepare(db, 'update evidence_logs set mirror_snapshot = ? where id = ?');
  /** Adds to a license's log which vulnerability data its later assessments use. */
  const keepCitedMirror = async (
    licenseId: number,
    { snapshotId, sources }: CitedMirror,
    now: number,
  ): Promise<void> => {
    if ((await currentLog(licenseId))?.mirrorSnapshot === snapshotId) return;
    const data = { snapshot_id: snapshotId, sources };
    const { logId } = await keepEvidence({ licenseId, type: 'mirror_changed', at: now, siteId: null, data });
    await citeMirror.run(snapshotId, logId);
  };

  const prune = async ({ licenseId, domain }: FinishedScan): Promise<void> => {
    const { id, grade, parts } = assessments;
    const all = await db
      .select({ id, grade, parts })
      .from(assessments)
      .where(and(eq(assessments.licenseId, licenseId), eq(assessments.domain, domain)))
      .orderBy(desc(id))
      .all();
    const kept = new Set([...all.slice(0, KEPT_OF_SITE), ...decidingAssessments(all)]);
    const surplus = all.filter((each) => !kept.has(each)).map((each) => each.id);
    if (surplus.length > 0) await db.delete(assessments).where(inArray(id, surplus)).run();
  };

  return {
    /** Adds the findings of a scan to the evidence, without the observed data. */
    async keepScan(scan: FinishedScan, findings: Scan['findings'], now: number): Promise<void> {
      const { licenseId, publicId, type, trigger } = scan;
      const data = {
        scan_id: publicId,
        domain: scan.domain,
        scan_type: type,
        trigger,
        findings: (findings ?? []).map(({ id, severity }) => ({ id, severity })),
      };
      await keepEvidence({
        licenseId,
        type: 'scan',
        at: now,
        siteId: await siteIdOf(licenseId, scan.domain),
        data,
      });
    },

    /** Stores the assessment of a site, with its entry in the evidence. */
    async keepAssessment(
      scan: FinishedScan,
      findings: Scan['findings'],
      { grade, score, parts, assessedAt, vulnerabilities, mirror }: CitedAssessment,
      now: number,
    ): Promise<void> {
      const { licenseId, domain } = scan;
      if (mirror !== null) await keepCitedMirror(licenseId, mirror, now);
      const data = {
        scan_id: scan.publicId,
        domain,
        trigger: scan.trigger,
        grade,
        score,
        assessed_at: iso(assessedAt),
        parts: entryParts(parts),
        findings: (findings ?? []).map(({ id, severity }) => ({ id, severity })),
        vulnerabilities: vulnerabilities.map(({ id, risk, dueAt }) => ({
          id,
          risk,
          due_at: dueAt === null ? null : iso(dueAt),
        })),
        snapshot_id: mirror?.snapshotId ?? null,
        epss_model_version: mirror?.epssModelVersion ?? null,
      };
      const { hash } = await keepEvidence({
        licenseId,
        type: 'assessment',
        at: now,
        siteId: await siteIdOf(licenseId, domain),
        data,
      });
      await db
        .insert(assessments)
        .values({
          licenseId,
          domain,
          scanId: scan.id,
          grade,
          score,
          parts,
          assessedAt,
          madeAt: now,
          leafHash: hash,
        })
        .run();
      await prune(scan);
    },
  };
}

export function assessmentJobs(db: Database) {
  return {
    /**
     * Deletes the oldest assessments made before a moment, a bounded number at a time.
     *
     * @returns how many; 0 = none left
     */
    forgetAssessments: ofRetention(
      (terms) => ({ madeBefore: retainedFrom(terms) }),
      async ({ madeBefore }: { madeBefore: number }): Promise<number> => {
        const oldest = db
          .select({ id: assessments.id })
          .from(assessments)
          .where(lt(assessments.madeAt, madeBefore))
          .orderBy(asc(assessments.madeAt))
          .limit(RETENTION_CHUNK_ASSESSMENTS);
        return Number((await db.delete(assessments).where(inArray(assessments.id, oldest)).run()).changes);
      },
    ),
  };
}
