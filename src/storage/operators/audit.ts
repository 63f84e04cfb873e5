import { and, asc, desc, eq, gt, gte, inArray, lt, max, or, sql } from 'drizzle-orm';
import type { Author } from '../../domain/admin/author.ts';
import { parseLicenseName } from '../../domain/license/license-name.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { reactionPoint } from '../engine/jobs/reactions.ts';
import { perDatabase } from '../engine/per-database.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { ofRetention } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';
import { auditLog } from './tables.ts';

/** Changed facts by name, in stored form; never a key. */
export type AuditedFacts = Readonly<Record<string, unknown>>;

/** An act of an operator or the service. */
export interface AuditEntry extends Author {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** A noun and a verb, such as `license.suspend`. */
  readonly action: string;
  /** The subject, such as `lic_1`; null = none with a name here. */
  readonly subject: string | null;
  readonly before?: AuditedFacts;
  readonly after?: AuditedFacts;
}

/** An entry was added. */
export const audited = reactionPoint<AuditEntry>();

/** A stored entry. */
export type KeptAuditEntry = typeof auditLog.$inferSelect;

export interface AuditQuery {
  /** The subject; finds a license in a range of licenses too. */
  readonly subject?: string | undefined;
  /** A whole actor, or its kind: `cli` is any user of the command line. */
  readonly actor?: string | undefined;
  /** Entries of this moment or later ones, in milliseconds since the Unix epoch. */
  readonly since?: number | undefined;
  /** Entries with a smaller id. */
  readonly beforeId?: number | undefined;
  /** Entries with this id or a larger one. */
  readonly fromId?: number | undefined;
  readonly limit: number;
}

/** Entries about a range of licenses, such as `lic_1..lic_9`, are also about each license in it. */
function isAbout(db: Database, subject: string) {
  const id = parseLicenseName(subject);
  if (id === undefined) return eq(auditLog.subject, subject);
  return or(eq(auditLog.subject, subject), db.sqlDialect.isRangeWith(auditLog.subject, id));
}

/** Entries of the audit log, newest first. */
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
        subject === undefined ? undefined : isAbout(db, subject),
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

/** The ids of the oldest and the newest entry; in an empty log, the oldest is after the newest. */
export async function readAuditRange(db: Database): Promise<{ oldestId: number; newestId: number }> {
  const range = prepare<{ oldestId: number; newestId: number }>(
    db,
    `
    select coalesce((select min(id) from audit_log), 1) as oldestId,
      coalesce((select max(id) from audit_log), 0) as newestId
    `,
  );
  return (await range.get()) ?? { oldestId: 1, newestId: 0 };
}

/** Whether an action is in the log after an entry. */
export const hasEntrySince = async (db: Database, action: string, id: number): Promise<boolean> =>
  (await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(eq(auditLog.action, action), gt(auditLog.id, id)))
    .limit(1)
    .get()) !== undefined;

/** The latest entry about each of some subjects. */
export async function readLatestAudit(db: Database, subjects: readonly string[]): Promise<KeptAuditEntry[]> {
  const latest = db
    .select({ id: max(auditLog.id) })
    .from(auditLog)
    .where(inArray(auditLog.subject, [...subjects]))
    .groupBy(auditLog.subject);
  return db.select().from(auditLog).where(inArray(auditLog.id, latest)).all();
}

/** Replaces a deleted fact. */
export const FORGOTTEN = '[forgotten]';

/** Facts of one subject to delete. */
export interface FactsOfSubject {
  readonly subject: string;
  readonly names: readonly string[];
}

/** Whether any entry about a subject still contains one of these facts. */
export const auditContains = async (db: Database, facts: FactsOfSubject): Promise<boolean> =>
  (await withoutFacts(db, facts)).length > 0;

/** The entries about a subject that contain any of these facts, without them. */
async function withoutFacts(db: Database, { subject, names }: FactsOfSubject) {
  const { id, before, after } = auditLog;
  const entries = await db
    .select({ id, before, after })
    .from(auditLog)
    .where(eq(auditLog.subject, subject))
    .all();
  const isListed = ([name, value]: [string, unknown]) =>
    names.includes(name) && value !== null && value !== FORGOTTEN;
  const without = (facts: AuditedFacts | null) => {
    const listed = Object.entries(facts ?? {}).filter(isListed);
    return listed.length === 0
      ? facts
      : { ...facts, ...Object.fromEntries(listed.map(([name]) => [name, FORGOTTEN])) };
  };
  return entries
    .map((entry) => ({ entry, left: { before: without(entry.before), after: without(entry.after) } }))
    .filter(({ entry, left }) => entry.before !== left.before || entry.after !== left.after)
    .map(({ entry, left }) => ({ id: entry.id, ...left }));
}

const RETENTION_CHUNK_ENTRIES = 5_000;

export const auditJobs = perDatabase((db: Database) => {
  const react = audited.of(db);
  return {
    /** Adds an entry, and what it means for a license's history. */
    audit: usesReserve(async (entry: AuditEntry): Promise<void> => {
      await db.insert(auditLog).values(entry).run();
      await react(entry);
    }),

    /** Deletes facts from every entry about a subject; their existence stays visible. */
    async forgetFacts(facts: FactsOfSubject): Promise<void> {
      for (const { id, ...left } of await withoutFacts(db, facts))
        await db.update(auditLog).set(left).where(eq(auditLog.id, id)).run();
    },

    /**
     * Deletes the oldest entries of before a moment, a bounded number at a time.
     *
     * @returns how many; 0 = none left
     */
    forgetAudit: ofRetention(
      ({ now, auditDays }) => ({ before: now - auditDays * DAY_MS }),
      async ({ before }: { before: number }): Promise<number> => {
        const oldest = db
          .select({ id: auditLog.id })
          .from(auditLog)
          .where(lt(auditLog.at, before))
          .orderBy(asc(auditLog.at))
          .limit(RETENTION_CHUNK_ENTRIES);
        return Number((await db.delete(auditLog).where(inArray(auditLog.id, oldest)).run()).changes);
      },
    ),
  };
});
