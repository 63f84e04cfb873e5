import { Command } from 'commander';
import type { Config } from '../config.ts';
import { makeInstallation } from '../storage/installation.ts';
import { print } from './output.ts';

/** Makes what `serve` would make at its first start, so that commands can be used before it. */
export function initCommand(settings: () => Config): Command {
  return new Command('init')
    .description('make the data directory with its database and installation key; what is there stays')
    .addHelpText('after', '\nExample:\n  SERVICE_DATA_DIR=./data redoubt init')
    .action(() => {
      const { dataDir } = settings();
      const made = makeInstallation(dataDir);
      print(
        made.length === 0
          ? `${dataDir} has all that it needs`
          : made.map((path) => `made ${path}`).join('\n'),
      );
    });
}
