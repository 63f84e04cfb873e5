import { expect } from 'bun:test';
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { binary, type Env } from './service.ts';
import { part, suite } from './suite.ts';

/**
 * System calls that change names or force data to disk: a process killed between two of these leaves another
 * state.
 */
export const STEPS =
  'rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,fsync,fdatasync,link,linkat';

const canTrace = spawnSync('strace', ['-f', '-qq', 'true']).status === 0;
if (!canTrace) console.warn('the tests that kill a command at every step are skipped: they need strace');
/** In CI these tests run without strace as well, and fail. */
export const canKill = canTrace || process.env.CI === 'true';

/** As strace counts them: each call separately. */
export interface Step {
  readonly calls: string;
  readonly nth: number;
}

/**
 * Runs a command that is killed before its step of that number.
 *
 * @returns whether it reached that step
 */
export const killedAt = async (step: Step, of: Env, ...words: string[]): Promise<boolean> =>
  (await endAt(step, of, await binary(), ...words)) === 'killed';

/**
 * The same for any executable and its child processes, which may be the ones killed.
 *
 * @throws Error when it refuses without being killed
 */
export async function endAt(
  { calls, nth }: Step,
  of: Env,
  executable: string,
  ...words: string[]
): Promise<'killed' | 'refused' | 'done'> {
  const trace = ['-f', '-qq', '-o', '/dev/null', '-e', `inject=${calls}:signal=KILL:when=${nth}`];
  const env = { PATH: process.env.PATH ?? '', HOME: '/root', ...of };
  return promisify(execFile)('strace', [...trace, executable, ...words], { env }).then(
    () => 'done' as const,
    (error: { signal?: string; code?: number; stderr: string }) => {
      if (error.signal === 'SIGKILL' || error.code === 137) return 'killed' as const;
      if (/SIGKILL/.test(error.stderr)) return 'refused' as const;
      throw new Error(error.stderr);
    },
  );
}

/** The whole matrix tests every step; other runs test every fourth, which changes between runs. */
const STRIDE = suite === 'all' ? 1 : 4;

/**
 * Tests one step after another until the command completes, some in parallel; `calls` are counted together
 * where they appear together.
 *
 * @returns the number of tested steps
 */
export async function everyStep(
  kill: (step: Step) => Promise<boolean>,
  calls = [STEPS],
  atOnce = 4,
): Promise<number> {
  let killed = 0;
  for (const [index, call] of calls.entries()) {
    const begin = 1 + (((part ?? 0) + index) % STRIDE);
    let own = 0;
    for (let [first, length] = [begin, 1]; ; [first, length] = [first + length * STRIDE, atOnce]) {
      const steps = Array.from({ length }, (_, at) => kill({ calls: call, nth: first + at * STRIDE }));
      const came = await Promise.all(steps);
      own += came.filter(Boolean).length;
      if (came.includes(false)) break;
    }
    // A rare call counts as well.
    if (own === 0 && begin > 1 && (await kill({ calls: call, nth: 1 }))) own = 1;
    killed += own;
  }
  return killed;
}

/**
 * Checks that a command was killed and left only known outcomes; with every step, each of them, and that
 * there were enough.
 */
export function expectOutcomes<Outcome>(
  killed: number,
  least: number,
  found: ReadonlySet<Outcome>,
  outcomes: readonly Outcome[],
): void {
  if (STRIDE === 1) expect([killed > least, found]).toEqual([true, new Set(outcomes)]);
  else expect([killed > 0, outcomes]).toEqual([true, expect.arrayContaining([...found])]);
}
