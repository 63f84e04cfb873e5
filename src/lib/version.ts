// build.ts replaces these names by constants. A run from source has no commit and allows any options.
declare const REDOUBT_VERSION: string | undefined;
declare const REDOUBT_COMMIT: string | undefined;
declare const REDOUBT_BUILT_AT: string | null | undefined;
declare const REDOUBT_SBOM_SHA256: string | null | undefined;
declare const REDOUBT_EXEC_ARGV: readonly string[] | undefined;

/** A SemVer version, as in package.json. */
export const VERSION = typeof REDOUBT_VERSION === 'undefined' ? '0.0.0-source' : REDOUBT_VERSION;
/** Ends in "-modified" if the tree had local changes; "unknown" if it was built without git. */
export const COMMIT = typeof REDOUBT_COMMIT === 'undefined' ? 'unknown' : REDOUBT_COMMIT;
/** The time of the commit, so that builds are reproducible; null if it was built without git. */
export const BUILT_AT = typeof REDOUBT_BUILT_AT === 'undefined' ? null : REDOUBT_BUILT_AT;

/** The hash of the SBOM of the release; null in builds for other purposes. */
export const SBOM_SHA256 = typeof REDOUBT_SBOM_SHA256 === 'undefined' ? null : REDOUBT_SBOM_SHA256;

/** The runtime options baked into the executable; undefined when run from source. */
export const BAKED_EXEC_ARGV = typeof REDOUBT_EXEC_ARGV === 'undefined' ? undefined : REDOUBT_EXEC_ARGV;
