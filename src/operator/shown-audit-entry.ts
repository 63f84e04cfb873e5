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
