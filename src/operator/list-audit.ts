import { isWellFormedAdminToken } from '../domain/admin/admin-token.ts';
import { isWellFormedKey } from '../domain/license/license-key.ts';
import { iso } from '../lib/clock.ts';
import type { CsvCell } from '../lib/csv.ts';
import { ownTurn } from '../lib/own-turn.ts';
import type { Database } from '../storage/engine/database.ts';
import {
  type AuditQuery,
  type KeptAuditEntry,
  readAudit,
  readAuditRange,
} from '../storage/operators/audit.ts';
import { type Act, type ActOutcome, audited } from './act.ts';
import { shownAuditEntry } from './shown-audit-entry.ts';

/** Selects entries of the audit log; an entry matches all filters. */
export type AuditFilter = Pick<AuditQuery, 'subject' | 'actor' | 'since'>;

export interface AuditPage {
  /** The latest first. */
  readonly entries: readonly KeptAuditEntry[];
  /** Before which id the next page begins; null = this one is the last. */
  readonly next: number | null;
}

const STEP_ENTRIES = 2_000;
/** How many entries are looked at for a page at most, in steps: of a rare subject, a page may be short and not the last. */
const PAGE_STEPS = 25;

/** A page of the audit log before an id. */
export async function listAudit(
  db: Database,
  filter: AuditFilter,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<AuditPage> {
  const found: KeptAuditEntry[] = [];
  let [reached, steps]: [number | null, number] = [null, 0];
  // One more than is wanted tells whether there are more.
  for await (const step of eachAuditStep(db, filter, { before, limit: limit + 1 })) {
    found.push(...step.entries);
    reached = step.next;
    steps += 1;
    if (found.length > limit || steps === PAGE_STEPS) break;
  }
  const entries = found.slice(0, limit);
  return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : reached };
}

/** All entries that a filter lets through, some at a time, the latest first; none that is written meanwhile. */
export async function* eachAuditEntry(db: Database, filter: AuditFilter): AsyncGenerator<KeptAuditEntry[]> {
  for await (const { entries } of eachAuditStep(db, filter, { limit: STEP_ENTRIES })) yield entries;
}

/**
 * Each step has a separate turn of the event loop. A whole step of entries older than the filter's moment ends it: the log is
 * in the order of writing, and clock changes make single entries older than their neighbors.
 */
async function* eachAuditStep(
  db: Database,
  filter: AuditFilter,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): AsyncGenerator<{ readonly entries: KeptAuditEntry[]; readonly next: number | null }> {
  const { oldestId, newestId } = await readAuditRange(db);
  for (let beforeId = Math.min(before ?? newestId + 1, newestId + 1); beforeId > oldestId; ) {
    const fromId = Math.max(oldestId, beforeId - STEP_ENTRIES);
    const range = { beforeId, fromId };
    const entries = await readAudit(db, { ...filter, ...range, limit });
    const { since } = filter;
    const isOver = since !== undefined && (await readAudit(db, { since, ...range, limit: 1 })).length === 0;
    yield { entries, next: isOver || fromId === oldestId ? null : fromId };
    if (isOver) return;
    beforeId = fromId;
    await ownTurn();
  }
}

/** Notes that the entries that a filter lets through are written down somewhere else, before they are. */
export const exportAudit = ({ subject, actor, since }: AuditFilter, act: Act): ActOutcome =>
  [subject, actor].some(
    (text) => text !== undefined && (isWellFormedKey(text) || isWellFormedAdminToken(text)),
  )
    ? { refused: 'this is a key; the audit log never contains keys' }
    : audited(act, 'audit.export', null, [], {
        after: { format: 'csv', subject, actor, since: since === undefined ? undefined : iso(since) },
      });

export const AUDIT_COLUMNS = ['at', 'actor', 'action', 'subject', 'reason', 'before', 'after', 'request_id'];

/** An entry as a row under AUDIT_COLUMNS. */
export function auditCells(entry: KeptAuditEntry): readonly CsvCell[] {
  const { before, after, ...shown } = shownAuditEntry(entry);
  const text = (facts: object | null) => (facts === null ? null : JSON.stringify(facts));
  const { at, actor, action, subject, reason, request_id } = shown;
  return [at, actor, action, subject, reason, text(before), text(after), request_id];
}
