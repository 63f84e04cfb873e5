import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Analysis, AnalysisRequest } from '../analysis/analysis.ts';
import { linesOf } from '../lib/lines.ts';

/** Maximum length of a request or answer: 1 MiB of content grows when encoded as JSON, and its windows overlap. */
export const LINE_BYTES_MAX = 8 * 1024 * 1024;

/** Messages of the analysis process: `ready` once, then one answer per request. Long contents are answered with their windows. */
export type AnalystAnswer =
  | 'ready'
  | { readonly analysis: Analysis }
  | { readonly windows: readonly AnalysisRequest[] }
  | { readonly fault: string };

/** The analysis process. It accepts one request at a time. */
export interface Analyst {
  ask(request: AnalysisRequest): void;
  kill(): void;
}

export interface AnalystEvents {
  answered(answer: AnalystAnswer): void;
  died(): void;
}

/** A program and its arguments. */
export type Command = readonly [program: string, ...words: string[]];

/** Environment variables passed on. All others, including secrets, are withheld from a process that reads untrusted content. */
const PASSED_ON = /^(?:BUN_JSC_|DENO_|HOME$)/;

/**
 * Starts the analysis process, which has no access to the service's memory, files and settings. A thread would have it; it also
 * could neither crash alone nor be stopped inside a regular expression.
 */
export function openAnalyst([program, ...words]: Command, { answered, died }: AnalystEvents): Analyst {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
  // If the host is out of file descriptors or processes, the child has no pid and no streams.
  const child: ChildProcess = spawn(program, words, {
    argv0: 'redoubt',
    env,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.once('error', died);
  child.once('exit', died);
  // Writes fail only after the process has died, which the events above report.
  child.stdin?.on('error', () => {});
  if (child.stdout) readAnswers(child.stdout, answered).catch(died);
  if (child.pid !== undefined) preferForOomKill(child.pid);
  return {
    ask: (request) => child.stdin?.write(`${JSON.stringify(request)}\n`),
    kill: () => child.kill('SIGKILL'),
  };
}

async function readAnswers(stdout: Readable, answered: AnalystEvents['answered']): Promise<void> {
  for await (const line of linesOf(stdout, LINE_BYTES_MAX)) answered(JSON.parse(`${line}`));
}

/** Makes the kernel kill this process first when memory runs out. */
function preferForOomKill(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // The process has exited, or the host does not permit this. Then the kernel chooses by its own rules.
  }
}
