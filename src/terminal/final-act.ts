import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { printable } from '../lib/printable.ts';
import { type ActOptions, reasonOption } from './act.ts';
import { CommandRefused, WrongUsage } from './output.ts';

export interface FinalOptions extends ActOptions {
  readonly yes?: true;
}

/** What `--yes` does, wherever it is an option. */
export const YES_MEANS = 'do not ask for confirmation; required without a terminal';

/** Whether an operator can be asked: a script, a timer or a pipe cannot answer. */
const hasTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/**
 * Makes a command an act that cannot be undone: without a terminal it is refused before it opens anything, unless it says by `--yes`
 * and `--reason` that it is meant. On a terminal, {@link confirmFinal} asks.
 *
 * @param needsReason whether it needs a reason on a terminal, too
 */
export function finalAct(command: Command, { needsReason = false } = {}): Command {
  return command
    .addOption(reasonOption().makeOptionMandatory(needsReason))
    .option('--yes', `${YES_MEANS}, with --reason`)
    .hook('preAction', (_, action) => {
      const { yes, reason } = action.opts<FinalOptions>();
      if (!hasTerminal() && !(yes && reason !== undefined))
        throw new WrongUsage(
          'this cannot be undone. Without a terminal, it requires --yes and --reason "..."',
        );
    });
}

/**
 * Asks before an act that cannot be undone, unless `--yes` was given.
 *
 * @param warning what will happen
 * @throws CommandRefused unless the answer is yes, WrongUsage without a terminal to ask on
 */
export async function confirmFinal(
  { yes }: Pick<FinalOptions, 'yes'>,
  warning: string,
  question: string,
): Promise<void> {
  if (yes) return;
  if (!hasTerminal()) throw new WrongUsage(`${warning}. Without a terminal, it requires --yes`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // The end of the input, or Ctrl+C, is an answer too.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const asked = terminal.question(`${printable(warning)}\n${question} [y/N] `).catch(() => '');
  const answer = await Promise.race([asked, closed]);
  terminal.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandRefused('nothing was changed');
}
