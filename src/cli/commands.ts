import { Command } from 'commander';
import type { Config } from '../settings/config.ts';
import { printJson } from '../terminal/output.ts';

export interface ProgramParts {
  readonly runtimeName: string;
  /** Runs until the service has stopped. */
  readonly serve: (options: { demo: boolean }) => Promise<void>;
  readonly describeApi: (config: Config) => Promise<object>;
}

export interface CommandParts extends ProgramParts {
  /** Loads what reads the settings, and returns a function that reads them once. */
  readonly settings: () => Promise<() => Config>;
}

type LoadCommand = (parts: CommandParts, root: Command) => Promise<Command>;

/**
 * Every command by its name, in the order of the help. A command's code is loaded on its first use: most need little of the
 * whole, and run faster than that would load.
 */
export const COMMANDS: Readonly<Record<string, LoadCommand>> = {
  serve: async ({ serve }) =>
    new Command('serve')
      .description('run the server until SIGTERM')
      .option('--demo', 'use sample data in a temporary directory, or in an empty SERVICE_DATA_DIR')
      .addHelpText('after', '\nExample:\n  redoubt serve --demo')
      .action((options: { demo?: true }) => serve({ demo: options.demo === true })),
  init: async ({ settings }) => (await import('./init.ts')).initCommand(await settings()),
  migrate: async ({ settings }) => (await import('./migrate.ts')).migrateCommand(await settings()),
  backup: async ({ settings }) => (await import('./backup.ts')).backupCommand(await settings()),
  restore: async ({ settings }) => (await import('./restore.ts')).restoreCommand(await settings()),
  update: async () => (await import('./update.ts')).updateCommand(),
  verify: async ({ settings }) => (await import('./verify.ts')).verifyCommand(await settings()),
  store: async ({ settings }) => (await import('./store-copy.ts')).storeCommand(await settings()),
  reload: async ({ settings }) => (await import('./reload.ts')).reloadCommand(await settings()),
  healthy: async ({ settings }) => (await import('./healthy.ts')).healthyCommand(await settings()),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  clock: async ({ settings }) => (await import('./clock.ts')).clockCommand(await settings()),
  license: async ({ settings }) => (await import('./license.ts')).licenseCommand(await settings()),
  feed: async ({ settings }) => (await import('./feed.ts')).feedCommand(await settings()),
  vulns: async ({ settings }) => (await import('./vulns.ts')).vulnsCommand(await settings()),
  evidence: async ({ settings }) => (await import('./evidence.ts')).evidenceCommand(await settings()),
  operator: async ({ settings }) => (await import('./operator.ts')).operatorCommand(await settings()),
  alert: async ({ settings }) => (await import('./alert.ts')).alertCommand(await settings()),
  notify: async ({ settings }) => (await import('./notify.ts')).notifyCommand(await settings()),
  payments: async ({ settings }) => (await import('./payments.ts')).paymentsCommand(await settings()),
  audit: async ({ settings }) => (await import('./audit.ts')).auditCommand(await settings()),
  keys: async ({ settings }) => (await import('./keys.ts')).keysCommand(await settings()),
  credential: async () => (await import('./credential.ts')).credentialCommand(),
  token: async ({ settings }) => (await import('./token.ts')).tokenCommand(await settings()),
  openapi: async ({ settings, describeApi }) => {
    const read = await settings();
    return new Command('openapi')
      .description('print the OpenAPI 3.0 document')
      .addHelpText('after', '\nExample:\n  redoubt openapi > openapi.json')
      .action(async () => printJson(await describeApi(read())));
  },
  config: async () => (await import('./config.ts')).configCommand(),
  completion: async (_, root) => (await import('./completion.ts')).completionCommand(root),
  version: async ({ runtimeName }) => (await import('./version.ts')).versionCommand(runtimeName),
};
