import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Analysis, AnalysisRequest } from '../analysis/analysis.ts';
import { linesOf } from '../lib/lines.ts';

/** Of a request or an answer: a content of 1 MiB is longer as JSON, and its windows share some of it. */
export const LINE_BYTES_MAX = 8 * 1024 * 1024;

/** What the analysis process says: once that it is ready, then one answer for each content; for a long one the windows of it. */
export type AnalystAnswer =
  | 'ready'
  | { readonly analysis: Analysis }
  | { readonly windows: readonly AnalysisRequest[] }
  | { readonly fault: string };

/** The analysis process, which is given one content at a time. */
export interface Analyst {
  ask(request: AnalysisRequest): void;
  /** Kills it at once. */
  kill(): void;
}

export interface AnalystEvents {
  answered(answer: AnalystAnswer): void;
  died(): void;
}

/** A program and its arguments. */
export type Command = readonly [program: string, ...words: string[]];

/** What the runtime may be told; all else, secrets among it, is no business of a process that reads what strangers wrote. */
const PASSED_ON = /^(?:BUN_JSC_|DENO_|HOME$)/;

/**
 * Starts the process that reads contents. It has none of the service's memory, files and settings. A thread would, and could neither
 * die alone nor be ended inside of a regular expression.
 */
export function openAnalyst([program, ...words]: Command, { answered, died }: AnalystEvents): Analyst {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
  // Without files or processes to spare, the child has neither a number nor streams.
  const child: ChildProcess = spawn(program, words, {
    argv0: 'redoubt',
    env,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.once('error', died);
  child.once('exit', died);
  // What cannot be written was for a process that has gone, which the above tell.
  child.stdin?.on('error', () => {});
  if (child.stdout) hear(child.stdout, answered).catch(died);
  if (child.pid !== undefined) offerToKernel(child.pid);
  return {
    ask: (request) => child.stdin?.write(`${JSON.stringify(request)}\n`),
    kill: () => child.kill('SIGKILL'),
  };
}

async function hear(stdout: Readable, answered: AnalystEvents['answered']): Promise<void> {
  for await (const line of linesOf(stdout, LINE_BYTES_MAX)) answered(JSON.parse(`${line}`));
}

/** Where memory runs out, this process goes first. */
function offerToKernel(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // It has gone, or the host does not allow it: then the kernel chooses as it does of itself.
  }
}
