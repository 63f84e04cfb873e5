import { licenseName, parseLicenseName } from '../domain/license/license.ts';
import { iso } from '../lib/clock.ts';
import type { KeptAuditEntry } from '../storage/audit.ts';

/** What an operator sees of an entry of the audit log. */
export const shownAuditEntry = ({
  at,
  actor,
  action,
  subject,
  reason,
  before,
  after,
  requestId,
}: KeptAuditEntry) => ({
  at: iso(at),
  actor,
  action,
  subject,
  reason,
  before,
  after,
  request_id: requestId,
});

/** What a text asks for as a subject: a license by its name or number; whatever else may be one, as it is. */
export const auditSubject = (text: string): string => {
  const id = parseLicenseName(text);
  return id === undefined ? text : licenseName(id);
};
