import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dir, '../../node_modules');

/**
 * Gives a folder of the source its packages, as an installation would. A link to them would not do: the names of the executable's
 * parts depend on where packages are, as seen from the source.
 */
export function installPackages(folder: string): void {
  const paths = [PACKAGES, join(folder, 'node_modules')];
  // Hard links take no room, and only within one file system.
  if (spawnSync('cp', ['-rlT', ...paths], { stdio: 'ignore' }).status !== 0)
    execFileSync('cp', ['-rT', ...paths]);
}
