import type { Command } from 'commander';
import { program } from '../../src/cli/program.ts';

/** All commands, to be described: none of them can be run. */
export const describedProgram = (): Promise<Command> =>
  program({ runtimeName: '', serve: () => Promise.reject(), describeApi: () => Promise.reject() });
