import { createInterface } from 'node:readline/promises';
import { printable } from '../lib/printable.ts';
import { CommandRefused } from './output.ts';

/**
 * Asks before what cannot be taken back. Without a terminal nobody can answer, and it is done.
 *
 * @param warning what will happen
 * @throws CommandRefused unless the answer is yes
 */
export async function confirmOnTerminal(warning: string, question: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // The end of the input, or Ctrl+C, is an answer too.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const asked = terminal.question(`${printable(warning)}\n${question} [y/N] `).catch(() => '');
  const answer = await Promise.race([asked, closed]);
  terminal.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandRefused('nothing was changed');
}
