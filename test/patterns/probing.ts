import { join } from 'node:path';
import type { Job, Slow } from './probe.ts';
import type { Pattern } from './source-patterns.ts';

const PROBE = join(import.meta.dir, 'probe.ts');
const BUILT = join(import.meta.dir, 'built-patterns.ts');
/** A pattern is completed in a second or two; one that takes that long would not end. */
const PATIENCE_MS = 20_000;
const PROCESSES = 2;

/** The result of a pattern: an attack that took too long, a hang, or none. */
export type Outcome = Slow | 'never ends' | null;

const childOf = (script: string, stdin: string) =>
  Bun.spawn([process.execPath, script], { stdin: new Blob([stdin]), stdout: 'pipe', stderr: 'inherit' });

/** Results of the first jobs, up to the one in which the process had to be killed. */
async function probeSome(jobs: readonly Job[], patienceMs: number): Promise<Outcome[]> {
  const child = childOf(PROBE, JSON.stringify(jobs));
  const stop = () => child.kill('SIGKILL');
  const outcomes: Outcome[] = [];
  let timer = setTimeout(stop, patienceMs);
  let text = '';
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    clearTimeout(timer);
    timer = setTimeout(stop, patienceMs);
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    outcomes.push(...lines.map((line) => JSON.parse(line)));
  }
  clearTimeout(timer);
  await child.exited;
  if (outcomes.length === jobs.length) return outcomes;
  if (child.signalCode !== 'SIGKILL') throw new Error(`the probe ended with ${child.exitCode}`);
  return [...outcomes, 'never ends'];
}

async function probeInTurn(jobs: readonly Job[], patienceMs: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  while (outcomes.length < jobs.length)
    outcomes.push(...(await probeSome(jobs.slice(outcomes.length), patienceMs)));
  return outcomes;
}

/** Tests all patterns in the given order, in processes that are killed when a pattern hangs. */
export async function probeAll(jobs: readonly Job[], patienceMs = PATIENCE_MS): Promise<Outcome[]> {
  const hands = Array.from({ length: PROCESSES }, (_, hand) =>
    jobs.filter((_job, index) => index % PROCESSES === hand),
  );
  const outcomes = await Promise.all(hands.map((own) => probeInTurn(own, patienceMs)));
  return jobs.map((_, index) => outcomes[index % PROCESSES]?.[Math.floor(index / PROCESSES)] ?? null);
}

/** Every pattern that the source builds while it is loaded, and while it analyses the cases. */
export async function builtPatterns(): Promise<Pattern[]> {
  const child = childOf(BUILT, '');
  return new Response(child.stdout).json() as Promise<Pattern[]>;
}
