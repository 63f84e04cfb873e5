import type { KeptBackup } from '../storage/installation/backups.ts';
import { type Act, audited, type PlannedAct, type RefusedAct } from './act.ts';
import type { BackupCheck } from './backup-desk.ts';

/**
 * Plans to record the result of verifying a backup, regardless of other changes.
 *
 * @param backup the stored entry; undefined = it no longer exists
 */
export function verifyBackup(
  backup: KeptBackup | undefined,
  { problem }: BackupCheck,
  act: Act,
): PlannedAct | RefusedAct {
  if (backup === undefined) return { refused: 'this backup is no longer known' };
  const job = { name: 'noteBackupCheck', input: { id: backup.id, at: act.now, problem } } as const;
  return audited(act, 'backup.verify', backup.path, [job], { after: { result: problem ?? 'good' } });
}
