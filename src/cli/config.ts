import { Command } from 'commander';
import { loadConfig, shownConfig, unknownSettings } from '../settings/config.ts';
import { SETTINGS, type Setting } from '../settings/settings.ts';
import { print, printJson, table, tell } from '../terminal/output.ts';
import { configCheckCommand } from './config-check.ts';

/** A setting's value as it would stand in the environment. */
const asSet = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value ?? '') || '-';
};

const settingsHelp = (): string =>
  table(
    ['setting', 'meaning'],
    Object.values<Setting>(SETTINGS).map(({ env, help }) => [env, help]),
  );

/** Shows the settings, and checks them. */
export function configCommand(): Command {
  return new Command('config')
    .description('print the effective settings, secrets masked')
    .addCommand(configCheckCommand())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  SERVICE_CONFIG=/etc/redoubt/redoubt.env redoubt config')
    .addHelpText('after', () => `\n${settingsHelp()}`)
    .action((options: { json?: true }) => {
      const shown = shownConfig(loadConfig(process.env));
      for (const name of unknownSettings(process.env)) {
        tell(`unknown setting ${name} is ignored`);
      }
      if (options.json) return printJson(shown);
      print(
        table(
          ['setting', 'value'],
          Object.entries(shown).map(([name, value]) => [name, asSet(value)]),
        ),
      );
    });
}
