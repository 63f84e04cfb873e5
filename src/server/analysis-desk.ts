import type { Analysis, AnalysisRequest, AnalyzeContent, AnalyzeContents } from '../analysis/analysis.ts';
import { isLong } from '../analysis/contents.ts';
import { worstOf } from '../analysis/worst.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { type After, SECOND_MS } from '../lib/clock.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import { Fault } from '../lib/fault.ts';
import type { Analyst, AnalystAnswer, AnalystEvents } from './analyst.ts';

const WAITING_PER_LICENSE_MAX = 32;
const WAITING_MAX = 256;
/** Per license at a time; each may use 1 MiB of memory. */
const BATCHES_PER_LICENSE_MAX = 4;
const BUSY_RETRY_SECONDS = 5;
/** Timeout for the start and for each answer. Even slow hosts without a JIT compiler need far less. */
const ANSWER_MS_MAX = 5 * SECOND_MS;
/** Delay before a failed process is replaced, so that repeated failures cost little. */
const REPLACE_AFTER_MS = SECOND_MS;

export interface AnalysisDeskParts {
  readonly openAnalyst: (events: AnalystEvents) => Analyst;
  readonly after: After;
  /** Called with the failure of a process that was not analyzing anything. */
  readonly onFault: (fault: string) => void;
}

/** The queue of the analysis process. */
export interface AnalysisDesk {
  /**
   * Returns a refusal if the queue is full; a new request then replaces one of the license with the most waiting. Rejects if the
   * process fails on this content, which is not retried.
   */
  readonly analyze: AnalyzeContent;
  /**
   * Analyzes several contents that take a single place in the queue. After each content, and after each window of a long one,
   * other work gets a turn.
   */
  readonly analyzeAll: AnalyzeContents;
  /** False if the process could not be started. */
  isAvailable(): boolean;
  /** Refuses all waiting work, lets the process finish its current piece, and stops it. */
  close(): Promise<void>;
}

/** The work of one turn: a content or a window of a long one. */
interface Piece {
  readonly request: AnalysisRequest;
  /** The index of its content in the job. */
  readonly index: number;
}

/** A place in the queue. */
interface Job extends PromiseWithResolvers<readonly Analysis[] | Refusal> {
  readonly licenseId: number;
  readonly requests: readonly AnalysisRequest[];
  /** The remaining pieces, in order. */
  pieces: readonly Piece[];
  /** Results by content and window. */
  readonly analyses: readonly Analysis[][];
}

/**
 * Runs one process for the contents of all licenses, in fair turns. It is replaced when it dies or exceeds the timeout. The
 * first content starts it, because many installations never analyze any.
 */
export function createAnalysisDesk({ openAnalyst, after, onFault }: AnalysisDeskParts): AnalysisDesk {
  const queue = new FairQueue<number, Job>(WAITING_PER_LICENSE_MAX, WAITING_MAX);
  /** The number of running batches by license. */
  const batches = new Map<number, number>();
  let analyst: Analyst | undefined;
  let isStarted = false;
  let ready = false;
  let current: (Piece & { readonly job: Job }) | undefined;
  let available = true;
  let closed = false;
  let cancelTimer = () => {};

  const awaitAnswer = () => {
    cancelTimer = after(ANSWER_MS_MAX, () => replace('the analysis timed out'));
  };

  const start = () => {
    const opened = openAnalyst({
      answered: (answer) => opened === analyst && receive(answer),
      died: () => opened === analyst && replace('the analysis process died'),
    });
    analyst = opened;
    isStarted = true;
    awaitAnswer();
  };

  const receive = (answer: AnalystAnswer) => {
    cancelTimer();
    available = true;
    if (answer === 'ready') ready = true;
    else if ('analysis' in answer) storeResult(answer.analysis);
    else if ('windows' in answer) queueWindows(answer.windows);
    else fail(answer.fault);
    next();
  };

  const next = () => {
    current = undefined;
    const job = queue.next();
    const [piece, ...others] = job?.pieces ?? [];
    if (job === undefined || piece === undefined) return;
    job.pieces = others;
    // Unfinished work goes back to the queue, after the other work of its license.
    if (others.length > 0 || isLong(piece.request.content)) queue.add(job.licenseId, job);
    current = { ...piece, job };
    awaitAnswer();
    analyst?.ask(piece.request);
  };

  const storeResult = (analysis: Analysis) => {
    if (current === undefined) return;
    const { job, index } = current;
    job.analyses[index]?.push(analysis);
    if (job.pieces.length > 0) return;
    job.resolve(job.requests.map(({ inputType }, at) => worstOf(job.analyses[at] ?? [], inputType)));
  };

  const queueWindows = (windows: readonly AnalysisRequest[]) => {
    if (current === undefined) return;
    const { job, index } = current;
    job.pieces = [...windows.map((request) => ({ request, index })), ...job.pieces];
  };

  const fail = (fault: string) => {
    if (current === undefined) return onFault(fault);
    const { job } = current;
    queue.remove(job.licenseId, job);
    job.reject(new Fault(fault));
    current = undefined;
  };

  const refuseWaiting = () => {
    for (let job = queue.next(); job; job = queue.next()) job.resolve(busy());
  };

  const replace = (how: string) => {
    cancelTimer();
    analyst?.kill();
    analyst = undefined;
    available = ready;
    // A process that failed to start may never be ready.
    if (!ready) refuseWaiting();
    ready = false;
    fail(how);
    if (!closed) cancelTimer = after(REPLACE_AFTER_MS, start);
  };

  const analyzeAll: AnalyzeContents = async (requests, { licenseId, gone }) => {
    if (closed || gone.aborted) return busy();
    const job: Job = {
      ...Promise.withResolvers<readonly Analysis[] | Refusal>(),
      licenseId,
      requests,
      pieces: requests.map((request, index) => ({ request, index })),
      analyses: requests.map(() => []),
    };
    queue.add(licenseId, job)?.resolve(busy());
    gone.addEventListener('abort', () => {
      if (queue.remove(licenseId, job)) job.resolve(busy());
    });
    if (!isStarted) start();
    else if (ready && current === undefined) next();
    return job.promise;
  };

  return {
    async analyze(request, asker) {
      const analyses = await analyzeAll([request], asker);
      return isRefusal(analyses) ? analyses : (analyses[0] ?? busy());
    },
    async analyzeAll(requests, asker) {
      const { licenseId } = asker;
      const running = batches.get(licenseId) ?? 0;
      if (running >= BATCHES_PER_LICENSE_MAX) return busy();
      batches.set(licenseId, running + 1);
      try {
        return await analyzeAll(requests, asker);
      } finally {
        const left = (batches.get(licenseId) ?? 1) - 1;
        if (left > 0) batches.set(licenseId, left);
        else batches.delete(licenseId);
      }
    },
    isAvailable: () => available,
    async close() {
      closed = true;
      refuseWaiting();
      await Promise.allSettled([current?.job.promise]);
      cancelTimer();
      const last = analyst;
      // From now on, its exit is not reported as a failure.
      analyst = undefined;
      last?.kill();
    },
  };
}

const busy = (): Refusal =>
  refuse('ANALYSIS_BUSY', 'Too many requests are waiting for analysis. Try again later.', BUSY_RETRY_SECONDS);
