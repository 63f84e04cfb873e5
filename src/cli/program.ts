import { Command, CommanderError } from 'commander';
import { complain } from '../lib/log.ts';
import { printableLines } from '../lib/printable.ts';
import { type Config, ConfigRefused, loadConfig, shownConfig, unknownSettings } from '../settings/config.ts';
import { SETTINGS, type Setting } from '../settings/settings.ts';
import { DataDirectoryUnusable } from '../storage/engine/data-directory.ts';
import { DatabaseUnusable } from '../storage/engine/database.ts';
import { InstallationKeyRefused } from '../storage/installation-key.ts';
import { alertCommand } from './alert.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import { completionCommand } from './completion.ts';
import { configCheckCommand } from './config-check.ts';
import { credentialCommand } from './credential.ts';
import { doctorCommand } from './doctor.ts';
import { evidenceCommand } from './evidence.ts';
import { feedCommand } from './feed.ts';
import { initCommand } from './init.ts';
import { keysCommand } from './keys.ts';
import { licenseCommand } from './license.ts';
import { migrateCommand } from './migrate.ts';
import { operatorCommand } from './operator.ts';
import { CommandRefused, Ended, print, printJson, table, tell, WrongUsage } from './output.ts';
import { paymentsCommand } from './payments.ts';
import { reloadCommand } from './reload.ts';
import { restoreCommand } from './restore.ts';
import { storeCommand } from './store-copy.ts';
import { tokenCommand } from './token.ts';
import { updateCommand } from './update.ts';
import { verifyCommand } from './verify.ts';
import { versionCommand, versionLine } from './version.ts';
import { vulnsCommand } from './vulns.ts';

export interface ProgramParts {
  readonly runtimeName: string;
  /** Runs until the service has stopped. */
  readonly serve: (options: { demo: boolean }) => Promise<void>;
  readonly describeApi: (config: Config) => Promise<object>;
}

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

const EXIT = { done: 0, refused: 1, usage: 2 } as const;

/** All commands, as they are parsed, helped with and described. */
export function program({ runtimeName, serve, describeApi }: ProgramParts): Command {
  let loaded: Config | undefined;
  // Read once: what root may read, the data directory's owner, whom root's commands become, may not be able to.
  const settings = () => {
    loaded ??= loadConfig(process.env, { secrets: false });
    return loaded;
  };
  const root = new Command('redoubt')
    .description('The Public Security Service API v1 as one executable')
    .version(versionLine(runtimeName), '--version', 'print version, commit, build date and runtime')
    .addHelpText(
      'after',
      '\nExample:\n  SERVICE_DATA_DIR=./data redoubt serve\n\nSettings are SERVICE_* variables: redoubt config --help',
    );

  root
    .command('serve')
    .description('run the server until SIGTERM')
    .option(
      '--demo',
      'with sample data, in a directory of its own, or in an empty one that SERVICE_DATA_DIR names',
    )
    .addHelpText('after', '\nExample:\n  redoubt serve --demo')
    .action((options: { demo?: true }) => serve({ demo: options.demo === true }));
  root.addCommand(initCommand(settings));
  root.addCommand(migrateCommand(settings));
  root.addCommand(backupCommand(settings));
  root.addCommand(restoreCommand(settings));
  root.addCommand(updateCommand());
  root.addCommand(verifyCommand(settings));
  root.addCommand(storeCommand(settings));
  root.addCommand(reloadCommand(settings));
  root.addCommand(doctorCommand());
  root.addCommand(licenseCommand(settings));
  root.addCommand(feedCommand(settings));
  root.addCommand(vulnsCommand(settings));
  root.addCommand(evidenceCommand(settings));
  root.addCommand(operatorCommand(settings));
  root.addCommand(alertCommand(settings));
  root.addCommand(paymentsCommand(settings));
  root.addCommand(auditCommand(settings));
  root.addCommand(keysCommand(settings));
  root.addCommand(credentialCommand());
  root.addCommand(tokenCommand(settings));
  root
    .command('openapi')
    .description('print the contract as OpenAPI 3.0')
    .addHelpText('after', '\nExample:\n  redoubt openapi > openapi.json')
    .action(async () => printJson(await describeApi(settings())));
  root
    .command('config')
    .description('print the effective settings, secrets masked')
    .addCommand(configCheckCommand())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  SERVICE_CONFIG=/etc/redoubt/redoubt.env redoubt config')
    .addHelpText('after', () => `\n${settingsHelp()}`)
    .action((options: { json?: true }) => {
      const shown = shownConfig(loadConfig(process.env));
      for (const name of unknownSettings(process.env)) {
        tell(`${name} is no setting and is ignored`);
      }
      if (options.json) return printJson(shown);
      print(
        table(
          ['setting', 'value'],
          Object.entries(shown).map(([name, value]) => [name, asSet(value)]),
        ),
      );
    });
  root.addCommand(completionCommand(root));
  root.addCommand(versionCommand(runtimeName));
  return root;
}

/**
 * Runs one command.
 *
 * @param argv the arguments behind the program's name
 * @returns the exit code: 0 done, 1 refused or not found, 2 wrong usage or settings, 3 done and something is to be seen to
 */
export async function runProgram(argv: readonly string[], parts: ProgramParts): Promise<number> {
  const root = program(parts);
  for (const command of allCommands(root)) {
    command.exitOverride().showHelpAfterError('(--help shows how)');
    command.configureOutput({ outputError: (text, write) => write(printableLines(text)) });
  }
  try {
    await root.parseAsync([...argv], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof Ended) return error.exitCode;
    const exit = exitOf(error);
    if (exit === undefined) throw error;
    complain((error as Error).message);
    return exit;
  }
}

const allCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(allCommands)];

function exitOf(error: unknown): number | undefined {
  const wrong = [WrongUsage, ConfigRefused, InstallationKeyRefused];
  if (wrong.some((kind) => error instanceof kind)) return EXIT.usage;
  const refused = [CommandRefused, DataDirectoryUnusable, DatabaseUnusable];
  return refused.some((kind) => error instanceof kind) ? EXIT.refused : undefined;
}
