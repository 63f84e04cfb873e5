import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface CommandRequest {
  readonly id: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface CommandOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Answer = CommandOutcome & { readonly id: number };

let child: ChildProcess | undefined;
let nextId = 0;
const waiting = new Map<number, (outcome: CommandOutcome) => void>();

/** The process that runs commands; it ends with this one. */
function commandProcess(): ChildProcess {
  if (child?.connected) return child;
  child = spawn(process.execPath, [join(import.meta.dir, 'command-process.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.on('message', ({ id, ...outcome }: Answer) => {
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  });
  child.once('exit', (code, signal) => {
    for (const [, answer] of waiting)
      answer({ exitCode: -1, stdout: '', stderr: `the process of commands ended: ${code ?? signal}` });
    waiting.clear();
  });
  child.unref();
  return child;
}

/** Runs an operator command from the source, in a process that runs one after another. */
export function runInProcess(request: Omit<CommandRequest, 'id'>): Promise<CommandOutcome> {
  const id = nextId++;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    commandProcess().send({ id, ...request });
  });
}
