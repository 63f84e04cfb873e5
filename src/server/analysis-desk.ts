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
/** Of one license at a time: each may hold a MiB. */
const BATCHES_PER_LICENSE_MAX = 4;
const BUSY_RETRY_SECONDS = 5;
/** For one content, or to get ready: far above what either takes without a compiler on a slow host. */
const ANSWER_MS_MAX = 5 * SECOND_MS;
/** Before a lost process is replaced, so that one that cannot live costs little. */
const REPLACE_AFTER_MS = SECOND_MS;

export interface AnalysisDeskParts {
  readonly openAnalyst: (events: AnalystEvents) => Analyst;
  readonly after: After;
  /** Told what went wrong with a process that had no content. */
  readonly onFault: (fault: string) => void;
}

/** Where contents wait for the analysis process. */
export interface AnalysisDesk {
  /** Refuses when too many wait, of which the license with most makes room for others. Rejects when the process failed at this content, which it is not given again. */
  readonly analyze: AnalyzeContent;
  /**
   * The same for several contents, which take one place together. One of them, or one window of a long one, is analysed in a turn; then
   * other waiting work has its turn.
   */
  readonly analyzeAll: AnalyzeContents;
  /** False when the process could not be started. */
  isAvailable(): boolean;
  /** Refuses what waits, lets the process finish what it has, and ends it. */
  close(): Promise<void>;
}

/** Something to analyse in one turn: a content or a window of it. */
interface Piece {
  readonly request: AnalysisRequest;
  /** Which content it is of. */
  readonly index: number;
}

/** What waits in one place. */
interface Job extends PromiseWithResolvers<readonly Analysis[] | Refusal> {
  readonly licenseId: number;
  readonly requests: readonly AnalysisRequest[];
  /** What is left to be done, first first. */
  pieces: readonly Piece[];
  /** Of each content, by its windows. */
  readonly analyses: readonly Analysis[][];
}

/**
 * One process for the contents of all licenses, which take turns; it is replaced when it dies or takes too long. The first
 * content starts it, because many installations never have one.
 */
export function createAnalysisDesk({ openAnalyst, after, onFault }: AnalysisDeskParts): AnalysisDesk {
  const queue = new FairQueue<number, Job>(WAITING_PER_LICENSE_MAX, WAITING_MAX);
  /** By license. */
  const batches = new Map<number, number>();
  let analyst: Analyst | undefined;
  let isStarted = false;
  let ready = false;
  let underWay: (Piece & { readonly job: Job }) | undefined;
  let available = true;
  let closed = false;
  let cancelTimer = () => {};

  const awaitAnswer = () => {
    cancelTimer = after(ANSWER_MS_MAX, () => lose('the analysis timed out'));
  };

  const start = () => {
    const opened = openAnalyst({
      answered: (answer) => opened === analyst && take(answer),
      died: () => opened === analyst && lose('the analysis process died'),
    });
    analyst = opened;
    isStarted = true;
    awaitAnswer();
  };

  const take = (answer: AnalystAnswer) => {
    cancelTimer();
    available = true;
    if (answer === 'ready') ready = true;
    else if ('analysis' in answer) keep(answer.analysis);
    else if ('windows' in answer) cutUp(answer.windows);
    else fail(answer.fault);
    next();
  };

  const next = () => {
    underWay = undefined;
    const job = queue.next();
    const [piece, ...others] = job?.pieces ?? [];
    if (job === undefined || piece === undefined) return;
    job.pieces = others;
    // Unfinished work goes back to the queue, after the other work of its license.
    if (others.length > 0 || isLong(piece.request.content)) queue.add(job.licenseId, job);
    underWay = { ...piece, job };
    awaitAnswer();
    analyst?.ask(piece.request);
  };

  const keep = (analysis: Analysis) => {
    if (underWay === undefined) return;
    const { job, index } = underWay;
    job.analyses[index]?.push(analysis);
    if (job.pieces.length > 0) return;
    job.resolve(job.requests.map(({ inputType }, at) => worstOf(job.analyses[at] ?? [], inputType)));
  };

  const cutUp = (windows: readonly AnalysisRequest[]) => {
    if (underWay === undefined) return;
    const { job, index } = underWay;
    job.pieces = [...windows.map((request) => ({ request, index })), ...job.pieces];
  };

  const fail = (fault: string) => {
    if (underWay === undefined) return onFault(fault);
    const { job } = underWay;
    queue.remove(job.licenseId, job);
    job.reject(new Fault(fault));
    underWay = undefined;
  };

  const refuseWaiting = () => {
    for (let job = queue.next(); job; job = queue.next()) job.resolve(busy());
  };

  const lose = (how: string) => {
    cancelTimer();
    analyst?.kill();
    analyst = undefined;
    available = ready;
    // It is unknown when a process that failed to start will be ready.
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
    else if (ready && underWay === undefined) next();
    return job.promise;
  };

  return {
    async analyze(request, asker) {
      const analyses = await analyzeAll([request], asker);
      return isRefusal(analyses) ? analyses : (analyses[0] ?? busy());
    },
    async analyzeAll(requests, asker) {
      const { licenseId } = asker;
      const others = batches.get(licenseId) ?? 0;
      if (others >= BATCHES_PER_LICENSE_MAX) return busy();
      batches.set(licenseId, others + 1);
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
      await Promise.allSettled([underWay?.job.promise]);
      cancelTimer();
      const last = analyst;
      // From here on its death is not reported.
      analyst = undefined;
      last?.kill();
    },
  };
}

const busy = (): Refusal =>
  refuse('ANALYSIS_BUSY', 'Too many requests are waiting for analysis. Try again later.', BUSY_RETRY_SECONDS);
