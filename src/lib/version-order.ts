const NUMBERS_MAX = 8;

/**
 * Compares versions by the numbers in them, `1.10.2` above `1.9`; of equal numbers the one with a suffix, a
 * pre-release, is below (as in Semantic Versioning 2.0.0, section 11). Negative when the first is older.
 */
export function compareVersions(one: string, other: string): number {
  const [ours, theirs] = [partsOf(one), partsOf(other)];
  for (let index = 0; index < NUMBERS_MAX; index++) {
    const difference = (ours.numbers[index] ?? 0) - (theirs.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return Number(theirs.preRelease) - Number(ours.preRelease);
}

/** The newest of some versions; undefined when there are none. */
export const newestVersion = (versions: readonly string[]): string | undefined =>
  versions.toSorted(compareVersions).at(-1);

function partsOf(version: string): { numbers: number[]; preRelease: boolean } {
  const [, release = '', suffix = ''] = /^v?([0-9.]*)(.*)$/is.exec(version) ?? [];
  return {
    numbers: release.split('.').slice(0, NUMBERS_MAX).map(Number),
    preRelease: suffix.startsWith('-'),
  };
}
