import { withoutV } from './plain-version.ts';

/** A text that consists only of a version. */
export const PLAIN_VERSION = /^v?[0-9]{1,9}([.][0-9]{1,9}){0,3}$/;
const NUMBERS = /^([0-9]{1,9}(?:\.[0-9]{1,9}){0,3})(?![0-9])/;

/** The numbers of a version, such as `2.1.0`, without its suffixes; undefined if it has none. */
export const versionNumbers = (version: string): string | undefined => NUMBERS.exec(withoutV(version))?.[1];

/** Whether a version is older than another, by their numbers; false if either has none. */
export function isOlderVersion(version: string, other: string): boolean {
  const [one, two] = [version, other].map((text) => versionNumbers(text)?.split('.').map(Number));
  if (!one || !two) return false;
  for (let at = 0; at < Math.max(one.length, two.length); at++) {
    const difference = (one[at] ?? 0) - (two[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** The newest of several versions; null if none has numbers. */
export const newestVersion = (versions: readonly string[]): string | null =>
  versions
    .filter((version) => versionNumbers(version) !== undefined)
    .reduce<string | null>(
      (newest, version) => (newest === null || isOlderVersion(newest, version) ? version : newest),
      null,
    );
