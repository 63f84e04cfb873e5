import { stat } from 'node:fs/promises';
import type { KeptBackup } from '../storage/installation/backups.ts';

/** A backup, and whether its file is still in its place. */
export interface ListedBackup extends KeptBackup {
  readonly isThere: boolean;
}

/** Looks for the files of backups, one after another: they may lie on a slow disk. */
export async function lookForFiles(backups: readonly KeptBackup[]): Promise<ListedBackup[]> {
  const listed: ListedBackup[] = [];
  for (const backup of backups) listed.push({ ...backup, isThere: await isFile(backup.path) });
  return listed;
}

/** Whether there is a file at a path, as far as this process may see it. */
export const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
