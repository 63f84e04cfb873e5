import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../lib/fault.ts';
import { wordsFor } from '../engine/trouble.ts';
import { type OpenOptions, openBackupFile } from './backup-file.ts';
import { BackupRefused } from './backup-refused.ts';
import { checkUnpacked } from './check-unpacked.ts';
import type { Manifest } from './manifest.ts';
import { unpackBackup } from './unpack-backup.ts';

/** Begins the names of directories in which backups are looked through. */
const NAME = 'redoubt-check-';

export interface CheckOptions extends OpenOptions {
  /** Where a copy may be laid for a while. */
  readonly workDir: string;
  readonly onBytes?: (done: number, all: number) => void;
}

/**
 * Looks through a backup as a restore would, on a copy that is removed again.
 *
 * @throws BackupRefused, Fault
 */
export async function verifyBackup(
  path: string,
  { workDir, onBytes, ...open }: CheckOptions,
): Promise<Manifest> {
  const file = openBackupFile(path, open);
  try {
    const directory = makeDirectory(workDir);
    try {
      const manifest = await unpackBackup(file, directory, onBytes);
      checkUnpacked(directory, manifest);
      return manifest;
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  } finally {
    file.close();
  }
}

/**
 * The same for the service, which has no key to open an encrypted one with.
 *
 * @param workDir the data directory
 * @returns what is the matter with it, in a sentence for the operator; null = nothing
 */
export async function checkBackup(path: string, workDir: string): Promise<{ problem: string | null }> {
  try {
    await verifyBackup(path, { workDir });
    return { problem: null };
  } catch (error) {
    if (error instanceof Fault) return { problem: error.message };
    throw error;
  }
}

function makeDirectory(workDir: string): string {
  try {
    return mkdtempSync(join(workDir, NAME));
  } catch (error) {
    throw new BackupRefused(
      `it cannot be looked through in ${workDir}, because ${wordsFor(error)}: set TMPDIR to a folder with room for it`,
    );
  }
}
