import { accessSync, constants, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PACKAGED_EXECUTABLE } from '../../domain/release/places.ts';
import { type InstalledRelease, serialOf } from '../../domain/release/succession.ts';
import { Fault } from '../../lib/fault.ts';
import { BAKED_EXEC_ARGV, BUILT_AT, VERSION } from '../../lib/version.ts';
import { lockUpdates } from '../../storage/engine/data-directory.ts';
import { wordsFor } from '../../storage/engine/trouble.ts';
import { executableOf, type Unit } from '../doctor/unit.ts';

/** The executable of this host that updates replace. */
export interface Installed {
  readonly path: string;
  /** Whether it belongs to the Debian package, which only dpkg replaces. */
  readonly isPackaged: boolean;
  /** Where an update leaves the executable that it has replaced. */
  readonly previous: string;
  /** What this process is. */
  readonly running: InstalledRelease;
}

const PREVIOUS = '.previous';
const ROOT = 0;

/** Found out before anything is renamed: the system may tell the new name afterwards. */
const OWN_PATH = process.execPath;
const OWN_INODE = '/proc/self/exe';

/**
 * Finds what an update is to replace: this executable, which is also that of the unit. The one before it may put itself back.
 *
 * @throws Fault where this process may not replace it, or it is not what the unit runs
 */
function findInstalled(unit: Unit | undefined): Installed {
  if (BAKED_EXEC_ARGV === undefined)
    throw new Fault('this redoubt runs from source and cannot be updated. Update the source');
  const path = OWN_PATH.endsWith(PREVIOUS) ? OWN_PATH.slice(0, -PREVIOUS.length) : OWN_PATH;
  const started = unit && executableOf(unit);
  if (unit && started !== undefined && realpath(started) !== path)
    throw new Fault(`${unit.id} runs ${started}, but this is ${OWN_PATH}. Run "${started} update ..."`);
  const folder = dirname(path);
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Fault(`cannot replace ${path}: ${wordsFor(error)}`);
  }
  return {
    path,
    isPackaged: path === PACKAGED_EXECUTABLE,
    previous: path + PREVIOUS,
    running: { version: VERSION, serial: serialOf(BUILT_AT) },
  };
}

/** Whether this process is the one before, whose name says so. */
export const isPrevious = (): boolean => OWN_PATH.endsWith(PREVIOUS);

/**
 * Does something with the installed executable while no other update is under way.
 *
 * @throws Fault where one is, or was since this process began; DataDirectoryUnusable where the lock cannot be made
 */
export async function withInstalled<Value>(
  unit: Unit | undefined,
  work: (installed: Installed) => Promise<Value>,
): Promise<Value> {
  const installed = findInstalled(unit);
  const release = lockUpdates(installed.path);
  try {
    if (!isPrevious() && statSync(OWN_INODE).ino !== statSync(installed.path).ino)
      throw new Fault(`${installed.path} was replaced in the meantime. Run the command again`);
    return await work(installed);
  } finally {
    release();
  }
}

/**
 * Looks whether an update has left an executable to go back to.
 *
 * @throws Fault where there is none
 */
export function refuseWithoutPrevious({ path, previous }: Installed): void {
  const [found, now] = [previous, path].map((one) => lstatSync(one, { throwIfNoEntry: false }));
  // A process that was killed while it replaced one may have left a second name of it.
  if (found === undefined || found.ino === now?.ino)
    throw new Fault(`${previous} does not exist: no update has left an executable to roll back to`);
  if (!found.isFile() || ![ROOT, process.geteuid?.(), now?.uid].includes(found.uid))
    throw new Fault(`${previous} was not created by an update. Find out what put it there`);
}

function realpath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
