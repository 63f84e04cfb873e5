import { spawnSync } from 'node:child_process';
import { SECOND_MS } from './clock.ts';

const ANSWER_MS_MAX = 5 * SECOND_MS;

/** What a program of the host prints; undefined where it is not there, fails, or takes more than five seconds. */
export function askProgram(program: string, ...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(program, words, {
    encoding: 'utf8',
    timeout: ANSWER_MS_MAX,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : undefined;
}
