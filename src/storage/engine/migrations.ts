import first from '../../../drizzle/20261129054240_first/migration.sql' with { type: 'text' };

/** By their folders in drizzle/, in order. */
const BY_NAME: Readonly<Record<string, string>> = { first };

/** A database's user_version is its number of migrations. */
export const MIGRATIONS: readonly string[] = Object.values(BY_NAME);

/** The names of their folders, without the date. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(BY_NAME).map((name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);
