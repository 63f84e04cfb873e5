import type { Analysis, AnalysisRequest, AnalyzeContent } from '../analysis/analysis.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import { type After, SECOND_MS } from '../lib/clock.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import { Fault } from '../lib/fault.ts';

const WAITING_PER_LICENSE_MAX = 32;
const WAITING_MAX = 256;
const BUSY_RETRY_SECONDS = 5;
/** For one content, or to get ready: far above what either takes without a compiler on a slow host. */
const ANSWER_MS_MAX = 5 * SECOND_MS;
/** Before a lost thread is replaced, so that one that cannot live costs little. */
const REPLACE_AFTER_MS = SECOND_MS;

/** What the analysis thread says: once that it is ready, then one answer for each content. */
export type AnalystAnswer = 'ready' | { readonly analysis: Analysis } | { readonly fault: string };

/** The analysis thread, which is given one content at a time. */
export interface Analyst {
  ask(request: AnalysisRequest): void;
  terminate(): void;
}

export interface AnalystEvents {
  answered(answer: AnalystAnswer): void;
  died(): void;
}

export interface AnalysisDeskParts {
  readonly openAnalyst: (events: AnalystEvents) => Analyst;
  readonly after: After;
  /** Told what went wrong with a thread that had no content. */
  readonly onFault: (fault: string) => void;
}

/** Where contents wait for the analysis thread. */
export interface AnalysisDesk {
  /** Refuses when too many wait, of which the license with most makes room for others. Rejects when the thread failed at this content, which it is not given again. */
  readonly analyze: AnalyzeContent;
  /** False when the thread could not be started. */
  isAvailable(): boolean;
  /** Refuses what waits, lets the thread finish what it has, and ends it. */
  close(): Promise<void>;
}

interface Waiting extends PromiseWithResolvers<Analysis | Refusal> {
  readonly request: AnalysisRequest;
}

/**
 * One thread for the contents of all licenses, which take turns; it is replaced when it dies or takes too long. The first
 * content starts it, because many installations never have one.
 */
export function createAnalysisDesk({ openAnalyst, after, onFault }: AnalysisDeskParts): AnalysisDesk {
  const queue = new FairQueue<number, Waiting>(WAITING_PER_LICENSE_MAX, WAITING_MAX);
  let analyst: Analyst | undefined;
  let isStarted = false;
  let ready = false;
  let underWay: Waiting | undefined;
  let available = true;
  let closed = false;
  let cancelTimer = () => {};

  const awaitAnswer = () => {
    cancelTimer = after(ANSWER_MS_MAX, () => lose('the analysis thread took too long'));
  };

  const start = () => {
    const opened = openAnalyst({
      answered: (answer) => opened === analyst && take(answer),
      died: () => opened === analyst && lose('the analysis thread died'),
    });
    analyst = opened;
    isStarted = true;
    awaitAnswer();
  };

  const take = (answer: AnalystAnswer) => {
    cancelTimer();
    available = true;
    if (answer === 'ready') ready = true;
    else if ('analysis' in answer) underWay?.resolve(answer.analysis);
    else fail(answer.fault);
    next();
  };

  const next = () => {
    underWay = queue.next();
    if (underWay === undefined) return;
    awaitAnswer();
    analyst?.ask(underWay.request);
  };

  const fail = (fault: string) => {
    if (underWay) underWay.reject(new Fault(fault));
    else onFault(fault);
    underWay = undefined;
  };

  const refuseWaiting = () => {
    for (let waiting = queue.next(); waiting; waiting = queue.next()) waiting.resolve(busy());
  };

  const lose = (how: string) => {
    cancelTimer();
    analyst?.terminate();
    analyst = undefined;
    available = ready;
    // Nobody knows when a thread that does not even get ready will.
    if (!ready) refuseWaiting();
    ready = false;
    fail(how);
    if (!closed) cancelTimer = after(REPLACE_AFTER_MS, start);
  };

  return {
    async analyze(request, { licenseId, gone }) {
      const waiting = { request, ...Promise.withResolvers<Analysis | Refusal>() };
      if (closed || gone.aborted) return busy();
      queue.add(licenseId, waiting)?.resolve(busy());
      gone.addEventListener('abort', () => {
        if (queue.remove(licenseId, waiting)) waiting.resolve(busy());
      });
      if (!isStarted) start();
      else if (ready && underWay === undefined) next();
      return waiting.promise;
    },
    isAvailable: () => available,
    async close() {
      closed = true;
      refuseWaiting();
      await Promise.allSettled([underWay?.promise]);
      cancelTimer();
      analyst?.terminate();
    },
  };
}

/** Starts the thread itself, whose entry has this address. */
export function openAnalyst(entry: URL, { answered, died }: AnalystEvents): Analyst {
  const worker = new Worker(entry, { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<AnalystAnswer>) => answered(data);
  worker.onerror = (event) => {
    event.preventDefault();
    died();
  };
  return { ask: (request) => worker.postMessage(request), terminate: () => worker.terminate() };
}

const busy = (): Refusal =>
  refuse('ANALYSIS_BUSY', 'Too many contents wait for analysis; try again later.', BUSY_RETRY_SECONDS);
