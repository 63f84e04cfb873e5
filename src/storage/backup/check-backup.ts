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

/** The name of the directory in which a process checks a backup. */
const NAME = /^redoubt-check[.]([1-9]\d{0,8})$/;

export interface CheckOptions extends OpenOptions {
  /** A directory for a temporary, unencrypted copy. */
  readonly workDir: (file: BackupFile) => string;
  readonly onBytes?: (done: number, all: number) => void;
}

/**
 * Checks a backup as a restore would, on a copy that is removed afterwards. A process checks one at a time. Root does it as the
 * owner of the copy's folder.
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
 * Checks a backup for the service, which has no key to decrypt one.
 *
 * @param workDir the data directory
 * @returns a description of the problem for the operator; null = none
 * @throws NoPlaceForCopy when it could not be checked
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

/** Removes the copies that interrupted checks of backups left. */
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
