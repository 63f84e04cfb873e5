import { licenseName, parseLicenseName } from '../domain/license/license-name.ts';
import { iso } from '../lib/clock.ts';
import { FORGOTTEN, type KeptAuditEntry } from '../storage/operators/audit.ts';

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

/** What an entry says was changed, each fact in words. */
export function changedFacts({ before, after }: Pick<KeptAuditEntry, 'before' | 'after'>): string[] {
  const [old, now] = [before ?? {}, after ?? {}];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .map((name) => ({ name, was: inWords(name, old[name]), is: inWords(name, now[name]) }))
    .filter(({ was, is }) => was !== is || is === FORGOTTEN)
    .map(({ name, was, is }) => (name in old ? `${name}: ${was} → ${is}` : `${name}: ${is}`));
}

const NOTHING = '-';

/** Facts that are moments are named so. */
function inWords(name: string, value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return NOTHING;
  if (typeof value === 'number' && /(?:At|From|Until)$/.test(name)) return iso(value);
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The subject that a text means: a license by its name or number; any other text unchanged. */
export const auditSubject = (text: string): string => {
  const id = parseLicenseName(text);
  return id === undefined ? text : licenseName(id);
};
