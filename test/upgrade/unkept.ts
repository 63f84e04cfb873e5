const HEADING = /^## (\S+)(.*)$/gm;

/** The released versions in a changelog. */
export const releasedIn = (changelog: string): string[] =>
  [...changelog.matchAll(HEADING)]
    .filter(([, , state]) => !state?.includes('(unreleased)'))
    .map(([, version]) => version ?? '');

/**
 * The released versions that `bun test/upgrade/keep.ts` has not recorded. A record of the version in
 * package.json must have all migrations of this version.
 *
 * @param kept number of migrations of each record, by version
 */
export const unkept = (
  changelog: string,
  present: { readonly version: string; readonly migrations: number },
  kept: Readonly<Record<string, number>>,
): string[] =>
  releasedIn(changelog).filter((version) =>
    version === present.version ? kept[version] !== present.migrations : kept[version] === undefined,
  );
