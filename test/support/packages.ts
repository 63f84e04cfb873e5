import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dir, '../../node_modules');

/**
 * Provides a folder of the source with its packages, as an installation would. A link to them would not work:
 * the names of the executable's parts depend on the path of packages, relative to the source.
 */
export function installPackages(folder: string): void {
  const paths = [PACKAGES, join(folder, 'node_modules')];
  // Hard links need no space, and work only within one file system.
  if (spawnSync('cp', ['-rlT', ...paths], { stdio: 'ignore' }).status !== 0)
    execFileSync('cp', ['-rT', ...paths]);
}
