// build.ts replaces these names by constants; a run from source has no commit and may take any options.
declare const REDOUBT_VERSION: string | undefined;
declare const REDOUBT_COMMIT: string | undefined;
declare const REDOUBT_EXEC_ARGV: readonly string[] | undefined;

export const VERSION = typeof REDOUBT_VERSION === 'undefined' ? '0.0.0-source' : REDOUBT_VERSION;
export const COMMIT = typeof REDOUBT_COMMIT === 'undefined' ? 'unknown' : REDOUBT_COMMIT;

/** The runtime options baked into the executable; undefined when run from source. */
export const BAKED_EXEC_ARGV = typeof REDOUBT_EXEC_ARGV === 'undefined' ? undefined : REDOUBT_EXEC_ARGV;
