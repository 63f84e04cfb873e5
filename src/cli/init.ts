import { Command, Option } from 'commander';
import { audited } from '../operator/act.ts';
import type { Config } from '../settings/config.ts';
import { databaseAddress } from '../settings/database-address.ts';
import { databasePath, installationKeyPath } from '../storage/engine/data-directory.ts';
import { makeInstallation, replaceKey } from '../storage/installation/installation.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { print, printJson } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';
import { makeService } from './init-service.ts';

type Options = ActOptions & { readonly newKey?: true; readonly systemd?: true; readonly json?: true };

/** Makes what `serve` would make at its first start, so that commands can be used before it; on request also what starts it. */
export function initCommand(settings: () => Config): Command {
  return new Command('init')
    .description('create the data directory with its database and installation key; existing files stay')
    .option('--new-key', 'create a new key for a database whose key is lost; derived identities change')
    .addOption(
      new Option(
        '--systemd',
        'as root: also create the user, settings file, executable and units for systemd',
      ).conflicts('newKey'),
    )
    .option('--json', 'print JSON')
    .addOption(reasonOption())
    .addHelpText('after', '\nExample:\n  SERVICE_DATA_DIR=./data redoubt init')
    .action(async ({ newKey, systemd, json, ...options }: Options) => {
      const config = settings();
      const { dataDir } = config;
      const address = databaseAddress(config);
      const made: string[] = [];
      const kept: string[] = [];
      const note = (what: string, isMade: boolean) => {
        (isMade ? made : kept).push(what);
        // At once, so that it is known also when the next step fails.
        if (systemd && !json) print(`${isMade ? 'created' : 'kept'} ${what}`);
      };

      if (systemd) makeService(dataDir, note);
      const makings = address
        ? await (await import('./init-postgres.ts')).initOnPostgres(config, address, {
            newKey: newKey === true,
          })
        : makeOnSqlite(dataDir, newKey === true);
      if (newKey) {
        const plan = audited(actNow(options), 'installation.new-key', 'installation', []);
        await withStore(config, ({ act }) => act(() => plan));
      }
      if (address) for (const what of makings) note(what, true);
      else {
        const inside = [databasePath(dataDir), installationKeyPath(dataDir)];
        for (const path of systemd ? inside : [dataDir, ...inside]) note(path, makings.includes(path));
      }

      const next = systemd ? 'systemctl enable --now redoubt redoubt-backup.timer' : 'redoubt serve';
      if (json) printJson({ made, kept, next });
      else if (systemd) print(`next: ${next}`);
      else print(made.map((path) => `created ${path}`).join('\n') || `${dataDir} is already complete`);
    });
}

const makeOnSqlite = (dataDir: string, newKey: boolean): string[] =>
  newKey ? [replaceKey(dataDir)] : makeInstallation(dataDir);
