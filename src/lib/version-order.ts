const NUMBERS = /^v?([0-9]{1,9}(?:\.[0-9]{1,9}){0,3})(?![0-9])/;

/** Whether one version is older than another, by their numbers; false when either has none. */
export function isOlderVersion(version: string, other: string): boolean {
  const [one, two] = [version, other].map((text) => NUMBERS.exec(text)?.[1]?.split('.').map(Number));
  if (!one || !two) return false;
  for (let at = 0; at < Math.max(one.length, two.length); at++) {
    const difference = (one[at] ?? 0) - (two[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** The newest of some versions; null when none has numbers. */
export const newestVersion = (versions: readonly string[]): string | null =>
  versions
    .filter((version) => NUMBERS.test(version))
    .reduce<string | null>(
      (newest, version) => (newest === null || isOlderVersion(newest, version) ? version : newest),
      null,
    );
