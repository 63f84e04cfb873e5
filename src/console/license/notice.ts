import type { PlannedAct } from '../../operator/act.ts';
import type { AuditEntry } from '../../storage/operators/audit.ts';
import { historyWords } from '../history-words.ts';

/** Returns the notice for an act, worded like its audit entry; empty if nothing changed. */
export function changedNotice(plan: PlannedAct | undefined): { readonly words?: string } {
  const audit = plan?.jobs.find(({ name }) => name === 'audit');
  return audit === undefined ? {} : { words: `${historyWords(audit.input as AuditEntry)}.` };
}
