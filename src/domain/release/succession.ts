import compare from 'semver/functions/compare.js';
import { Fault } from '../../lib/fault.ts';
import type { Release } from './release.ts';

/** What of an installed release decides which may follow it. */
export type InstalledRelease = Pick<Release, 'version' | 'serial'>;

/**
 * Whether a release may take the place of an installed one: neither its serial nor its version may fall, so that nobody can have an old
 * release with a known hole installed as an update.
 *
 * @param platform of this host, such as `linux-x64`
 * @returns `same` when it is the installed one
 * @throws Fault, whose message says of the file what to do
 */
export function successionOf(
  release: Release,
  installed: InstalledRelease,
  platform: string,
): 'newer' | 'same' {
  const { version, serial, target } = release;
  if (target !== platform)
    throw new Fault(`it is for ${target}, but this host is ${platform}. Use the file for ${platform}`);
  const order = compare(version, installed.version);
  if (order === 0 && serial === installed.serial) return 'same';
  if (order < 0 || serial <= installed.serial)
    throw new Fault(
      `it is redoubt ${version} (serial ${serial}), but ${installed.version} (serial ${installed.serial}) is installed. Updates must be newer; "redoubt update --back" rolls back to the previous version`,
    );
  return 'newer';
}

/** The serial of what was built of a commit; 0 without one, which every release may follow. */
export const serialOf = (committedAt: string | null): number =>
  committedAt === null ? 0 : Math.floor(Date.parse(committedAt) / 1_000);
