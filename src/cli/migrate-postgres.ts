import type { PostgresAddress } from '../settings/database-address.ts';
import { MIGRATION_NAMES, MIGRATIONS } from '../storage/engine/migrations.ts';
import { POSTGRES_MIGRATIONS } from '../storage/engine/postgres/migrations.ts';
import {
  lookAtPostgres,
  migratePostgresInstallation,
} from '../storage/installation/postgres-installation.ts';
import { CommandRefused, Ended, print, printJson, SOMETHING_TO_DO, table } from '../terminal/output.ts';

export interface PostgresMigrateOptions {
  readonly status?: true;
  readonly dryRun?: true;
  readonly stopTheWorld?: true;
  readonly json?: true;
}

/** `migrate` where the database is PostgreSQL's: once for all nodes, by any of them. */
export async function migrateOnPostgres(
  address: PostgresAddress,
  { status, dryRun, stopTheWorld, json }: PostgresMigrateOptions,
): Promise<void> {
  if (dryRun)
    throw new CommandRefused(
      '--dry-run is not available on PostgreSQL: its migrations run in one transaction. Use --status to see what would change',
    );
  const latest = MIGRATIONS.length;
  const tell = (outcome: object, words: string): void =>
    json ? printJson({ latest, ...outcome }) : print(words);
  if (status) {
    const version = await lookAtPostgres(address);
    const changes = MIGRATION_NAMES.slice(version);
    const stops = POSTGRES_MIGRATIONS.some((each) => each.version > version && each.stopsTheWorld);
    const shown = { version, changes, stop_the_world: version > 0 && stops };
    const words = { ...shown, latest, changes: changes.join(', ') || 'none' };
    tell(shown, table(['field', 'value'], Object.entries(words)));
    if (changes.length > 0) throw new Ended(SOMETHING_TO_DO);
    return;
  }
  const version = await migratePostgresInstallation(address, { stopTheWorld: stopTheWorld === true });
  if (version === latest)
    return tell({ version, migrated: false }, `the database already has version ${latest}`);
  tell(
    { version, migrated: true },
    `the database was migrated from version ${version} to ${latest}; nodes that waited for it start now`,
  );
}
