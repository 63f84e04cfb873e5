import { Command } from 'commander';
import type { Config } from '../config.ts';
import type { AuditEntry } from '../storage/audit.ts';
import { makeInstallation, replaceKey } from '../storage/installation.ts';
import { print } from './output.ts';
import { withStore } from './store.ts';

/** Makes what `serve` would make at its first start, so that commands can be used before it. */
export function initCommand(settings: () => Config): Command {
  return new Command('init')
    .description('make the data directory with its database and installation key; what is there stays')
    .option('--new-key', 'for a database whose key is lost: all derived identities become others')
    .addHelpText('after', '\nExample:\n  SERVICE_DATA_DIR=./data redoubt init')
    .action(async ({ newKey }: { newKey?: true }) => {
      const config = settings();
      const made = newKey ? [replaceKey(config.dataDir)] : makeInstallation(config.dataDir);
      if (newKey) {
        await withStore(config, ({ change }) => change({ name: 'audit', input: keyReplaced() }));
      }
      print(made.map((path) => `made ${path}`).join('\n') || `${config.dataDir} has all that it needs`);
    });
}

const keyReplaced = (): AuditEntry => ({
  at: Date.now(),
  actor: 'cli',
  action: 'installation.new-key',
  licenseId: null,
  detail: {},
});
