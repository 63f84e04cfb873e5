import { and, asc, desc, eq, gte, inArray, lt, max, or, sql } from 'drizzle-orm';
import type { Author } from '../domain/admin/author.ts';
import { parseLicenseName } from '../domain/license/license.ts';
import type { Database } from './engine/database.ts';
import { auditLog } from './engine/schema.ts';
import { prepare } from './engine/statement.ts';
import type { keepLicenseChanges } from './license-evidence.ts';

/** Changed facts by their names, as they are stored; never a key. */
export type AuditedFacts = Readonly<Record<string, unknown>>;

/** Something that an operator or the service did. */
export interface AuditEntry extends Author {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** A noun and a verb, such as `license.suspend`. */
  readonly action: string;
  /** What was acted on, such as `lic_1`; null = nothing that has a name here. */
  readonly subject: string | null;
  readonly before?: AuditedFacts;
  readonly after?: AuditedFacts;
}

/** An entry as it is kept. Those of older versions have the actors `cli` and `service`. */
export type KeptAuditEntry = typeof auditLog.$inferSelect;

export interface AuditQuery {
  /** What was acted on; a license also where it was one of a range. */
  readonly subject?: string | undefined;
  /** A whole actor, or its kind: `cli` stands for whoever used the command line. */
  readonly actor?: string | undefined;
  /** Entries of this moment or later ones, in milliseconds since the Unix epoch. */
  readonly since?: number | undefined;
  /** Entries with a smaller id. */
  readonly beforeId?: number | undefined;
  /** Entries with this id or a larger one. */
  readonly fromId?: number | undefined;
  readonly limit: number;
}

/** A license is also what an entry about a range of licenses, such as `lic_1..lic_9`, is about. */
function isAbout(subject: string) {
  const id = parseLicenseName(subject);
  if (id === undefined) return eq(auditLog.subject, subject);
  const from = sql`cast(substr(${auditLog.subject}, 5) as integer)`;
  const to = sql`cast(substr(${auditLog.subject}, instr(${auditLog.subject}, '..') + 6) as integer)`;
  const isInRange = sql`${auditLog.subject} glob 'lic_*..lic_*' and ${id} between ${from} and ${to}`;
  return or(eq(auditLog.subject, subject), isInRange);
}

/** Entries of the audit log, the latest first. */
export async function readAudit(
  db: Database,
  { subject, actor, since, beforeId, fromId, limit }: AuditQuery,
): Promise<KeptAuditEntry[]> {
  const isActor =
    actor === undefined
      ? undefined
      : or(
          eq(auditLog.actor, actor),
          sql`substr(${auditLog.actor}, 1, length(${actor}) + 1) = ${actor} || ':'`,
        );
  return db
    .select()
    .from(auditLog)
    .where(
      and(
        subject === undefined ? undefined : isAbout(subject),
        isActor,
        since === undefined ? undefined : gte(auditLog.at, since),
        beforeId === undefined ? undefined : lt(auditLog.id, beforeId),
        fromId === undefined ? undefined : gte(auditLog.id, fromId),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit)
    .all();
}

/** From which id to which one the log goes; the oldest of an empty one is behind its newest. */
export async function readAuditRange(db: Database): Promise<{ oldestId: number; newestId: number }> {
  const range = prepare<{ oldestId: number; newestId: number }>(
    db,
    `
    select coalesce((select min(id) from audit_log), 1) as oldestId,
      coalesce((select max(id) from audit_log), 0) as newestId
    `,
  );
  return range.get() ?? { oldestId: 1, newestId: 0 };
}

/** The latest entry about each of some subjects. */
export async function readLatestAudit(db: Database, subjects: readonly string[]): Promise<KeptAuditEntry[]> {
  const latest = db
    .select({ id: max(auditLog.id) })
    .from(auditLog)
    .where(inArray(auditLog.subject, [...subjects]))
    .groupBy(auditLog.subject);
  return db.select().from(auditLog).where(inArray(auditLog.id, latest)).all();
}

/** What stands in place of a fact that was forgotten. */
export const FORGOTTEN = '[forgotten]';

/** Facts of one subject that are to be forgotten. */
export interface FactsOfSubject {
  readonly subject: string;
  readonly names: readonly string[];
}

/** Whether any entry about a subject still tells one of these facts. */
export async function auditTells(db: Database, { subject, names }: FactsOfSubject): Promise<boolean> {
  const told = prepare<object>(
    db,
    `
    select 1 from audit_log, json_each(:names) as name where subject = :subject
      and (before ->> name.value <> :forgotten or after ->> name.value <> :forgotten) limit 1
    `,
  );
  return told.get({ subject, names: JSON.stringify(names), forgotten: FORGOTTEN }) !== undefined;
}

const RETENTION_CHUNK_ENTRIES = 5_000;

export function auditJobs(db: Database, { keepLicenseChange }: ReturnType<typeof keepLicenseChanges>) {
  return {
    /** Writes an entry, and what a license's own history says of it. */
    audit(entry: AuditEntry): void {
      db.insert(auditLog).values(entry).run();
      keepLicenseChange(entry);
    },

    /** Takes facts out of every entry about a subject; that there were some stays. */
    forgetFacts({ subject, names }: FactsOfSubject): void {
      for (const facts of ['before', 'after']) {
        const forget = prepare(
          db,
          `
          update audit_log set ${facts} = json_replace(${facts}, '$.' || :name, :forgotten)
            where subject = :subject and ${facts} ->> :name is not null
          `,
        );
        for (const name of names) forget.run({ subject, name, forgotten: FORGOTTEN });
      }
    },

    /**
     * Forgets the oldest entries of before a moment, a bounded number at a time.
     *
     * @returns how many; when that is 0, none is left
     */
    forgetAudit({ before }: { before: number }): number {
      const oldest = db
        .select({ id: auditLog.id })
        .from(auditLog)
        .where(lt(auditLog.at, before))
        .orderBy(asc(auditLog.at))
        .limit(RETENTION_CHUNK_ENTRIES);
      return Number(db.delete(auditLog).where(inArray(auditLog.id, oldest)).run().changes);
    },
  };
}
