import { Command, Option } from 'commander';
import type { Config } from '../settings/config.ts';
import { databaseAddress } from '../settings/database-address.ts';
import { MIGRATIONS } from '../storage/engine/migrations.ts';
import { migrationAhead, refuseNewer, rehearseMigration } from '../storage/engine/sqlite/database.ts';
import { findInstallation, migrateInstallation } from '../storage/installation/installation.ts';
import { Ended, print, printJson, SOMETHING_TO_DO, table, WrongUsage } from '../terminal/output.ts';
import type { PostgresMigrateOptions } from './migrate-postgres.ts';

/** Brings the database to this binary's version while no server uses it, or tells what that would do. */
export function migrateCommand(settings: () => Config): Command {
  return new Command('migrate')
    .description('migrate the database to this version, as serve does at startup')
    .option('--status', 'only print the versions and what would change; exit code 3 if anything would')
    .addOption(new Option('--dry-run', 'migrate a copy, check it and remove it').conflicts('status'))
    .option('--stop-the-world', 'on PostgreSQL, also make changes that older servers do not support')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt migrate --dry-run')
    .action(async (options: PostgresMigrateOptions) => {
      const { status, dryRun, json } = options;
      const { dataDir } = settings();
      const address = databaseAddress(settings());
      if (address) return (await import('./migrate-postgres.ts')).migrateOnPostgres(address, options);
      if (options.stopTheWorld) throw new WrongUsage('--stop-the-world is only for PostgreSQL');
      const { path: database, version } = findInstallation(dataDir);
      const versions = { database, version, latest: MIGRATIONS.length };
      const tell = (outcome: object, words: string): void =>
        json ? printJson({ ...versions, ...outcome }) : print(words);
      refuseNewer(database, version);
      if (status) {
        const { changes, needed, free } = migrationAhead(database, version);
        const ahead =
          changes.length > 0 ? { bytes_needed: needed, bytes_free: free, fits: free >= needed } : {};
        const words = { ...versions, changes: changes.join(', ') || 'none', ...ahead };
        tell({ changes, ...ahead }, table(['field', 'value'], Object.entries(words)));
        if (changes.length > 0) throw new Ended(SOMETHING_TO_DO);
        return;
      }
      const step = `from version ${version} to ${versions.latest}`;
      if (version < versions.latest && dryRun) {
        const seconds = rehearseMigration(database);
        return tell(
          { migrated: false, seconds },
          `a copy of ${database} was migrated ${step} in ${seconds} s without errors; the database is unchanged`,
        );
      }
      const done = version < versions.latest ? migrateInstallation(dataDir) : undefined;
      if (done === undefined) {
        return tell({ migrated: false }, `${database} already has version ${versions.latest}`);
      }
      tell(
        { migrated: true, copy: done.copy },
        `${database} was migrated ${step}; a copy of the previous state is in ${done.copy}`,
      );
    });
}
