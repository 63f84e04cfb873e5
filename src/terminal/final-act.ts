import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { printable } from '../lib/printable.ts';
import { type ActOptions, reasonOption } from './act.ts';
import { CommandRefused, WrongUsage } from './output.ts';

export interface FinalOptions extends ActOptions {
  readonly yes?: true;
}

/** The help of `--yes` in all commands that have it. */
export const YES_MEANS = 'do not ask for confirmation; required without a terminal';

/** Whether the command can ask for confirmation: scripts, timers and pipes cannot answer. */
const hasTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/**
 * Marks a command as irreversible. Without a terminal, it requires `--yes` and `--reason`, and is refused before it opens any
 * file.
 * On a terminal, {@link confirmFinal} asks.
 *
 * @param needsReason whether a reason is required on a terminal, too
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
 * Asks for confirmation of an irreversible act, unless `--yes` was given.
 *
 * @param warning the effect of the act
 * @throws CommandRefused unless the answer is yes, WrongUsage without a terminal
 */
export async function confirmFinal(
  { yes }: Pick<FinalOptions, 'yes'>,
  warning: string,
  question: string,
): Promise<void> {
  if (yes) return;
  if (!hasTerminal()) throw new WrongUsage(`${warning}. Without a terminal, it requires --yes`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // End of input and Ctrl+C count as no.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const asked = terminal.question(`${printable(warning)}\n${question} [y/N] `).catch(() => '');
  const answer = await Promise.race([asked, closed]);
  terminal.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandRefused('nothing was changed');
}
