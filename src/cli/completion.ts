import { Argument, Command } from 'commander';
import { stream } from '../terminal/output.ts';
import { bashCompletion } from './completion/bash.ts';
import { fishCompletion } from './completion/fish.ts';
import { shapesOf } from './completion/shapes.ts';
import { zshCompletion } from './completion/zsh.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
type Shell = keyof typeof SHELLS;

/** A script for a shell, made of a program's own commands. */
export const completionFor = (shell: Shell, root: Command): string => SHELLS[shell](shapesOf(root));

export function completionCommand(root: Command): Command {
  return new Command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      '\nExample:\n  source <(redoubt completion bash)\n\nThe Debian package installs it.',
    )
    .action((shell: Shell) => stream(completionFor(shell, root)));
}
