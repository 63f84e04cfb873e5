import { Command, CommanderError } from 'commander';
import { complain } from '../lib/log.ts';
import { printableLines } from '../lib/printable.ts';
import type { Config } from '../settings/config.ts';
import { CommandRefused, Ended, WrongUsage } from '../terminal/output.ts';
import { COMMANDS, type ProgramParts } from './commands.ts';
import { versionLine } from './version.ts';

const EXIT = { done: 0, refused: 1, usage: 2 } as const;

/** The headings of the help, each with its commands. All others are listed last. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Run the service:': ['serve', 'init', 'config', 'reload', 'healthy', 'doctor', 'clock'],
  'Back up and upgrade:': ['backup', 'restore', 'update', 'migrate', 'verify', 'store', 'version'],
  'Serve customers:': ['license', 'payments', 'feed', 'vulns', 'evidence', 'credential', 'alert', 'notify'],
  'Control access:': ['operator', 'token', 'keys', 'audit'],
};

/** Its script completes all commands. */
const NEEDS_ALL = 'completion';

/**
 * The commands, as they are parsed, helped with and described.
 *
 * @param only the one that is asked for; without it, or where there is no such command, all of them
 */
export async function program(parts: ProgramParts, only?: string): Promise<Command> {
  let loaded: Config | undefined;
  // Read once: the owner of the data directory, whom root's commands become, may lack root's access to it.
  const settings = async () => {
    const { loadConfig } = await import('../settings/config.ts');
    return () => {
      loaded ??= loadConfig(process.env, { secrets: false });
      return loaded;
    };
  };
  const root = new Command('redoubt')
    .commandsGroup('Other commands:')
    .helpCommand(true)
    .description('The Public Security Service API v1 as one executable')
    .version(versionLine(parts.runtimeName), '--version', 'print version, commit, build date and runtime')
    .addHelpText(
      'after',
      '\nExample:\n  SERVICE_DATA_DIR=./data redoubt serve\n\nSettings are SERVICE_* variables: redoubt config --help',
    );
  const isOne = only !== undefined && only !== NEEDS_ALL && Object.hasOwn(COMMANDS, only);
  for (const name of isOne ? [only] : Object.keys(COMMANDS)) {
    const command = await COMMANDS[name]?.({ ...parts, settings }, root);
    const heading = Object.keys(GROUPS).find((group) => GROUPS[group]?.includes(name));
    if (heading !== undefined) command?.helpGroup(heading);
    if (command) root.addCommand(command);
  }
  return root;
}

/**
 * Runs one command.
 *
 * @param argv the arguments behind the program's name
 * @returns the exit code: 0 done, 1 refused or not found, 2 wrong usage or settings, 3 done and something is to be seen to
 */
export async function runProgram(argv: readonly string[], parts: ProgramParts): Promise<number> {
  const root = await program(parts, argv[0]);
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
    const exit = await exitOf(error);
    if (exit === undefined) throw error;
    complain((error as Error).message);
    return exit;
  }
}

const allCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(allCommands)];

/** What commands load themselves is looked up only here, where one of them has failed. */
async function exitOf(error: unknown): Promise<number | undefined> {
  const { ConfigRefused } = await import('../settings/config.ts');
  const { InstallationKeyRefused } = await import('../storage/installation/installation-key.ts');
  const wrong = [WrongUsage, ConfigRefused, InstallationKeyRefused];
  if (wrong.some((kind) => error instanceof kind)) return EXIT.usage;
  const { DataDirectoryUnusable } = await import('../storage/engine/data-directory.ts');
  const { DatabaseUnusable } = await import('../storage/engine/database.ts');
  const refused = [CommandRefused, DataDirectoryUnusable, DatabaseUnusable];
  return refused.some((kind) => error instanceof kind) ? EXIT.refused : undefined;
}
