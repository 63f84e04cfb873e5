import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { orUnusable } from '../engine/data-directory.ts';

/** Where the private keys stand that an installation signs with, in its data directory. */
export const signingDirectory = (dataDir: string): string => join(dataDir, 'signing');

/**
 * Makes that directory where there is none, for its owner alone.
 *
 * @returns its path
 * @throws DataDirectoryUnusable
 */
export function makeSigningDirectory(dataDir: string): string {
  const directory = signingDirectory(dataDir);
  orUnusable(`cannot create ${directory}`, () => mkdirSync(directory, { recursive: true, mode: 0o700 }));
  return directory;
}
