import { spawnSync } from 'node:child_process';
import { SECOND_MS } from './clock.ts';
import { Fault } from './fault.ts';

const ANSWER_MS_MAX = 5 * SECOND_MS;
const ANSWER_BYTES_MAX = 1024 * 1024;

/** Messages by error code of the system. */
const CUT_OFF: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'did not respond within 5 seconds',
  ENOBUFS: 'returned more than 1 MiB',
};

/**
 * Runs a program of the host and returns its output.
 *
 * @returns undefined if it is not installed or fails
 * @throws Fault if it takes more than 5 seconds or prints more than 1 MiB
 */
export function askProgram(program: string, ...words: readonly string[]): string | undefined {
  const { status, stdout, error } = spawnSync(program, words, {
    encoding: 'utf8',
    timeout: ANSWER_MS_MAX,
    maxBuffer: ANSWER_BYTES_MAX,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const cutOff = CUT_OFF[(error as NodeJS.ErrnoException | undefined)?.code ?? ''];
  if (cutOff !== undefined)
    throw new Fault(`${program} ${cutOff}. Run "${program} status" to find the reason`);
  return status === 0 ? stdout : undefined;
}
