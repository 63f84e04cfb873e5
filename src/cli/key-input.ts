import { linesOf } from '../lib/lines.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { tell, WrongUsage } from '../terminal/output.ts';

/** What stands for the standard input in place of a key. */
export const STDIN = '-';

/**
 * The first line of the standard input that is not blank, without the blanks around it.
 *
 * @throws WrongUsage when there is none
 */
export async function lineOfStdin(bytesMax: number): Promise<string> {
  for await (const line of linesOf(process.stdin, bytesMax)) {
    const text = trimInvisible(Buffer.from(line).toString());
    if (text !== '') return text;
  }
  throw new WrongUsage('standard input is empty');
}

/** @param command what reads a key from the standard input */
export const warnOfKeyArgument = (command: string): void =>
  tell(
    `warning: a key on the command line is visible to other users and stays in the shell history. "${command} -" reads it from standard input`,
  );
