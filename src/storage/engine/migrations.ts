import first from '../../../drizzle/20261129054240_first/migration.sql' with { type: 'text' };

/** By their folders in drizzle/, and in the order of these. */
const BY_NAME: Readonly<Record<string, string>> = { first };

/** A database's user_version counts those it has. */
export const MIGRATIONS: readonly string[] = Object.values(BY_NAME);

/** What they are called, as their folders are behind the date. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(BY_NAME).map((name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);
