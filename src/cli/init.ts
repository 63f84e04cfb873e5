import { Command } from 'commander';
import { audited } from '../operator/act.ts';
import type { Config } from '../settings/config.ts';
import { makeInstallation, replaceKey } from '../storage/installation.ts';
import { type ActOptions, actNow, reasonOption } from './act.ts';
import { print } from './output.ts';
import { withStore } from './store.ts';

/** Makes what `serve` would make at its first start, so that commands can be used before it. */
export function initCommand(settings: () => Config): Command {
  return new Command('init')
    .description('make the data directory with its database and installation key; what is there stays')
    .option('--new-key', 'for a database whose key is lost: all derived identities become others')
    .addOption(reasonOption())
    .addHelpText('after', '\nExample:\n  SERVICE_DATA_DIR=./data redoubt init')
    .action(async ({ newKey, ...options }: ActOptions & { newKey?: true }) => {
      const config = settings();
      const made = newKey ? [replaceKey(config.dataDir)] : makeInstallation(config.dataDir);
      if (newKey) {
        const plan = audited(actNow(options), 'installation.new-key', 'installation', []);
        await withStore(config, ({ act }) => act(() => plan));
      }
      print(made.map((path) => `made ${path}`).join('\n') || `${config.dataDir} has all that it needs`);
    });
}
