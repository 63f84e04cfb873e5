import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import packageJson from '../../package.json' with { type: 'json' };
import { captured, writeSync } from './captured-output.ts';
import type { CommandOutcome, CommandRequest } from './commands.ts';

// Runs operator commands one after another in one process, because starting the executable takes longer than
// most commands. All state of a command is reset: environment, working directory, output, databases and their
// locks.

const SRC = join(import.meta.dir, '../../src');
const ORIGINAL_CWD = process.cwd();

// Commands write to file descriptors; code that waits for a slow reader uses those of node:fs.
Bun.plugin({
  name: 'capture-output',
  setup(build) {
    build.onLoad({ filter: /\/src\/lib\/write-all\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replace(
        "'node:fs'",
        JSON.stringify(join(import.meta.dir, 'captured-output.ts')),
      ),
    }));
  },
});
process.stdout.write = (text: string | Uint8Array) => writeSync(1, text) >= 0;
process.stderr.write = (text: string | Uint8Array) => writeSync(2, text) >= 0;
const refuseToLeave = () => {
  throw new Error('this command changes its user: run it through the executable');
};
Object.assign(process, { setuid: refuseToLeave, setgid: refuseToLeave, setgroups: refuseToLeave });

/** The resources that a command has opened: it leaves locks, and sometimes a database, until its process ends. */
const opened = new Set<DatabaseSync>();
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  opened.add(this);
  return exec.call(this, sql);
};
function closeOpened(): void {
  for (const database of opened) if (database.isOpen) database.close();
  opened.clear();
}

// As in the executable, so that the answers are equal.
Object.assign(globalThis, { REDOUBT_VERSION: packageJson.version });
const { runProgram } = await import(join(SRC, 'cli/program.ts'));
const { complain } = await import(join(SRC, 'lib/log.ts'));

async function outcomeOf({ args, env, cwd }: CommandRequest): Promise<CommandOutcome> {
  captured[1] = captured[2] = '';
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env, { NODE_ENV: 'production' });
  process.chdir(cwd);
  let exitCode: number;
  try {
    exitCode = await runProgram(args, {
      runtimeName: 'bun',
      serve: () => {
        throw new Error('the service needs a process of its own');
      },
      describeApi: async (config: object) =>
        (await import(join(SRC, 'server/describe-contract.ts'))).describeContract(config),
    });
  } catch (error) {
    complain((error as Error).message);
    exitCode = 1;
  }
  closeOpened();
  process.chdir(ORIGINAL_CWD);
  return { exitCode, stdout: captured[1], stderr: captured[2] };
}

let last: Promise<unknown> = Promise.resolve();
process.on('message', (request: CommandRequest) => {
  last = last.then(async () => process.send?.({ id: request.id, ...(await outcomeOf(request)) }));
});
process.on('disconnect', () => process.exit());
