import compare from 'semver/functions/compare.js';
import { Fault } from '../../lib/fault.ts';
import type { Release } from './release.ts';

/** The facts of an installed release that decide which may follow it. */
export type InstalledRelease = Pick<Release, 'version' | 'serial'>;

/**
 * Whether a release may replace an installed one: neither its serial nor its version may decrease, so that an old release with
 * a known hole cannot be installed as an update.
 *
 * @param platform of this host, such as `linux-x64`
 * @returns `same` when it is the installed one
 * @throws Fault, whose message tells what to do about the file
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

/** The serial of a build of a commit; 0 without a commit, which every release may follow. */
export const serialOf = (committedAt: string | null): number =>
  committedAt === null ? 0 : Math.floor(Date.parse(committedAt) / 1_000);
