import type { PlannedAct } from '../../operator/act.ts';
import type { AuditEntry } from '../../storage/operators/audit.ts';
import { historyWords } from '../history-words.ts';

/** What an act has changed, as the audit log has it; nothing where it changed nothing. */
export function changedNotice(plan: PlannedAct | undefined): { readonly words?: string } {
  const audit = plan?.jobs.find(({ name }) => name === 'audit');
  return audit === undefined ? {} : { words: `${historyWords(audit.input as AuditEntry)}.` };
}
