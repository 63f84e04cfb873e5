import { expect } from 'bun:test';
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { binary, type Env } from './service.ts';
import { part, suite } from './suite.ts';

/** What changes names or decides that something is on disk: a process killed between two of these leaves another state. */
export const STEPS =
  'rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,fsync,fdatasync,link,linkat';

const canTrace = spawnSync('strace', ['-f', '-qq', 'true']).status === 0;
if (!canTrace) console.warn('the tests that kill a command at every step are skipped: they need strace');
/** Where they are wanted in any case, they fail. */
export const canKill = canTrace || process.env.CI === 'true';

/** As strace counts them: each call by itself. */
export interface Step {
  readonly calls: string;
  readonly nth: number;
}

/**
 * Runs a command that is killed before its step of that number.
 *
 * @returns whether it came so far
 */
export const killedAt = async (step: Step, of: Env, ...words: string[]): Promise<boolean> =>
  (await endAt(step, of, await binary(), ...words)) === 'killed';

/**
 * The same of any executable, and of what that starts: it may be one of these that is killed.
 *
 * @throws Error when it is refused of itself
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

/** The whole matrix takes every step; other runs take every fourth, from run to run another one. */
const STRIDE = suite === 'all' ? 1 : 4;

/**
 * Takes one step after another until the command comes to its end, some at once; `calls` are counted together where they stand together.
 *
 * @returns how many steps were taken
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
    // A call that is made seldom counts as well.
    if (own === 0 && begin > 1 && (await kill({ calls: call, nth: 1 }))) own = 1;
    killed += own;
  }
  return killed;
}

/** Checks that a command was killed and left only known outcomes; where every step is taken, each of them, and that there were enough. */
export function expectOutcomes<Outcome>(
  killed: number,
  least: number,
  found: ReadonlySet<Outcome>,
  outcomes: readonly Outcome[],
): void {
  if (STRIDE === 1) expect([killed > least, found]).toEqual([true, new Set(outcomes)]);
  else expect([killed > 0, outcomes]).toEqual([true, expect.arrayContaining([...found])]);
}
