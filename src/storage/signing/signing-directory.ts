import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { orUnusable } from '../engine/data-directory.ts';

/** The directory of an installation's private signing keys, in its data directory. */
export const signingDirectory = (dataDir: string): string => join(dataDir, 'signing');

/**
 * Creates that directory with mode 0700 if it is missing.
 *
 * @returns its path
 * @throws DataDirectoryUnusable
 */
export function makeSigningDirectory(dataDir: string): string {
  const directory = signingDirectory(dataDir);
  orUnusable(`cannot create ${directory}`, () => mkdirSync(directory, { recursive: true, mode: 0o700 }));
  return directory;
}
