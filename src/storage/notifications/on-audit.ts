import { parseLicenseName } from '../../domain/license/license-name.ts';
import { auditEvents } from '../../domain/notification/audit-events.ts';
import { DEFAULT_TYPES } from '../../domain/notification/target.ts';
import type { Database } from '../engine/database.ts';
import type { React } from '../engine/jobs/reactions.ts';
import { prepare } from '../engine/statement.ts';
import type { AuditEntry } from '../operators/audit.ts';
import { prepareAppend } from './append.ts';

/** Records every entry of the audit log, and its consequences for the license. */
export function recordAudit(db: Database): React<AuditEntry> {
  const { append, isAnyWanted } = prepareAppend(db);
  const pendingOf = prepare<{ pendingUntil: number | null }>(
    db,
    'select pending_until as pendingUntil from licenses where id = ?',
  );
  return async (entry) => {
    const licenseId = parseLicenseName(entry.subject ?? '') ?? null;
    if (!(await isAnyWanted([...DEFAULT_TYPES, 'audit'], licenseId))) return;
    const isPending = licenseId !== null && (await pendingOf.get(licenseId))?.pendingUntil != null;
    await append(auditEvents(entry, isPending).map((event) => ({ ...event, at: entry.at, licenseId })));
  };
}
