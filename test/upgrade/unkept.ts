const HEADING = /^## (\S+)(.*)$/gm;

/** The versions that a changelog tells of as released. */
export const releasedIn = (changelog: string): string[] =>
  [...changelog.matchAll(HEADING)]
    .filter(([, , state]) => !state?.includes('(unreleased)'))
    .map(([, version]) => version ?? '');

/**
 * What `bun test/upgrade/keep.ts` is still to be run for: versions that are released, and that of package.json. Once the latter is
 * released, what is kept of it has to have all migrations that it has.
 *
 * @param kept how many migrations what is kept has, by version
 */
export function unkept(
  changelog: string,
  present: { readonly version: string; readonly migrations: number },
  kept: Readonly<Record<string, number>>,
): string[] {
  const released = releasedIn(changelog);
  const wanted = new Set([present.version, ...released]);
  return [...wanted].filter((version) => {
    const isFinal = version === present.version && released.includes(version);
    return isFinal ? kept[version] !== present.migrations : kept[version] === undefined;
  });
}
