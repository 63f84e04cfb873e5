import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeAbandoned } from '../../lib/abandoned.ts';
import { Fault } from '../../lib/fault.ts';
import { asOwner } from '../engine/ownership.ts';
import { wordsFor } from '../engine/trouble.ts';
import { type BackupFile, type OpenOptions, openBackupFile } from './backup-file.ts';
import { NoPlaceForCopy } from './backup-refused.ts';
import { checkUnpacked } from './check-unpacked.ts';
import type { Manifest } from './manifest.ts';
import { unpackBackup } from './unpack-backup.ts';

/** As a process names the directory in which it looks through a backup. */
const NAME = /^redoubt-check[.]([1-9]\d{0,8})$/;

export interface CheckOptions extends OpenOptions {
  /** Where a copy may be laid for a while, in clear. */
  readonly workDir: (file: BackupFile) => string;
  readonly onBytes?: (done: number, all: number) => void;
}

/**
 * Looks through a backup as a restore would, on a copy that is removed again. A process looks through one at a time. Root does it as the
 * owner of the folder of the copy.
 *
 * @throws BackupRefused, DataDirectoryUnusable, Fault
 */
export async function verifyBackup(
  path: string,
  { workDir, onBytes, ...open }: CheckOptions,
): Promise<Manifest> {
  const file = openBackupFile(path, open);
  try {
    const folder = workDir(file);
    return await asOwner(folder, () => lookThroughCopy(file, folder, onBytes));
  } finally {
    file.close();
  }
}

async function lookThroughCopy(
  file: BackupFile,
  folder: string,
  onBytes: CheckOptions['onBytes'],
): Promise<Manifest> {
  const directory = makeDirectory(folder);
  try {
    const manifest = await unpackBackup(file, directory, { onBytes });
    checkUnpacked(directory, manifest);
    return manifest;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * The same for the service, which has no key to open an encrypted one with.
 *
 * @param workDir the data directory
 * @returns what is the matter with it, in a sentence for the operator; null = nothing
 * @throws NoPlaceForCopy when it could not be looked through
 */
export async function checkBackup(path: string, workDir: string): Promise<{ problem: string | null }> {
  try {
    await verifyBackup(path, { workDir: () => workDir });
    return { problem: null };
  } catch (error) {
    if (error instanceof Fault && !(error instanceof NoPlaceForCopy)) return { problem: error.message };
    throw error;
  }
}

/** Removes copies in which processes that were ended, or this one, have looked through backups. */
export const removeAbandonedChecks = (workDir: string): void => removeAbandoned(workDir, NAME);

function makeDirectory(workDir: string): string {
  try {
    removeAbandonedChecks(workDir);
    const directory = join(workDir, `redoubt-check.${process.pid}`);
    mkdirSync(directory, { mode: 0o700 });
    return directory;
  } catch (error) {
    throw new NoPlaceForCopy(`cannot check it in ${workDir}: ${wordsFor(error)}`);
  }
}
