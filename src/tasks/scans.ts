import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { type After, type Clock, SECOND_MS } from '../lib/clock.ts';
import { every } from '../lib/every.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { within } from '../lib/within.ts';
import { REQUESTS_MAX } from '../outside/site-visit/visitor.ts';
import { isAway } from '../storage/engine/database.ts';
import type { Writer } from '../storage/engine/writer.ts';
import { STALE_AFTER_MS } from '../storage/scans/scan-jobs.ts';
import type { Scan, UnfinishedScan } from '../storage/scans/scans.ts';
import { failedScan, type RunScan, type ScanOutcome } from './scan-runner.ts';

type Waiting = Pick<Scan, 'id' | 'licenseId'>;

/** The queue of scans. It is stored, so that scans survive a restart and can run on another node. */
export interface ScanDesk {
  /** Adds a queued scan. Ignores a scan that was already added. */
  add(queued: Waiting): void;
  /** Cancels a running scan at its next request. If another node runs it, that node cancels it within seconds. */
  cancel(id: number): void;
  /** The progress of a scan in percent: 0 while queued, at most 99 while running. */
  progressOf(scan: Pick<Scan, 'id' | 'requests'>): number;
  /** Starts no more scans and cancels running ones. */
  stop(): Promise<void>;
}

export interface ScanDeskParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
  readonly readUnfinished: () => Promise<UnfinishedScan[]>;
  /** Whether this is the only node. */
  readonly isAlone: boolean;
  readonly run: RunScan;
}

const RUNNING_MAX = 16;
/** The limits are enforced when scans are queued. */
const NO_BOUND = Number.POSITIVE_INFINITY;
/** Timeout, longer than any scan takes. */
const SCAN_MS_MAX = 60 * SECOND_MS;
const STORE_RETRY_MS = 5 * SECOND_MS;
/** Interval of checks for scans that other nodes have queued, canceled or abandoned. */
const LOOK_EVERY_MS = 2 * SECOND_MS;

interface Running {
  readonly end: AbortController;
  requests: number;
  /** The number of requests last stored, which other nodes see. */
  stored: number;
}

/** Runs scans in turns between licenses, one scan per license at a time. */
export async function startScanDesk(parts: ScanDeskParts): Promise<ScanDesk> {
  const { clock, after, log, writer, readUnfinished, isAlone, run } = parts;
  const waiting = new FairQueue<number, Waiting>(NO_BOUND, NO_BOUND);
  /** Queued and running scans. */
  const taken = new Set<number>();
  const running = new Map<number, Running>();
  const licensesRunning = new Set<number>();
  let isStopped = false;
  let isFailing = false;
  const pause = () => new Promise<void>((resolve) => after(STORE_RETRY_MS, resolve));

  const outcomeOf = async (scan: Scan, state: Running): Promise<ScanOutcome> => {
    const onRequest = (requests: number) => {
      state.requests = requests;
    };
    try {
      const outcome = await within(run(scan, { signal: state.end.signal, onRequest }), SCAN_MS_MAX);
      if (outcome !== 'timeout') return outcome;
      state.end.abort();
      return failedScan('timed_out');
    } catch (error) {
      log.error('a scan failed', { fault: faultOf(error) });
      return failedScan('interrupted');
    }
  };

  /** Retries a write until it succeeds or the queue stops, so that a full disk loses neither scans nor results. */
  const writeUntilStored = async <Output>(
    write: () => Promise<Output>,
  ): Promise<Exclude<Output, Refusal> | undefined> => {
    while (!isStopped) {
      const output = await write();
      if (!isRefusal(output)) return output as Exclude<Output, Refusal>;
      await pause();
    }
    return undefined;
  };

  const runOne = async (id: number, state: Running): Promise<void> => {
    const scan = await writeUntilStored(() => writer.write('startScan', { id, now: clock.now() }));
    if (scan === undefined) return;
    const outcome = await outcomeOf(scan, state);
    await writeUntilStored(() => writer.write('finishScan', { id, now: clock.now(), ...outcome }));
  };

  const begin = ({ id, licenseId }: Waiting): void => {
    const state = { end: new AbortController(), requests: 0, stored: 0 };
    running.set(id, state);
    licensesRunning.add(licenseId);
    void runOne(id, state)
      .catch((error) => log.error('a scan was lost', { fault: faultOf(error) }))
      .then(() => {
        running.delete(id);
        taken.delete(id);
        licensesRunning.delete(licenseId);
        startNext();
      });
  };
  const startNext = (): void => {
    while (!isStopped && running.size < RUNNING_MAX) {
      const next = waiting.next((licenseId) => !licensesRunning.has(licenseId));
      if (next === undefined) return;
      begin(next);
    }
  };
  const add = (queued: Waiting): void => {
    if (taken.has(queued.id)) return;
    taken.add(queued.id);
    waiting.add(queued.licenseId, { id: queued.id, licenseId: queued.licenseId });
    startNext();
  };

  const storeProgress = async (): Promise<void> => {
    const moved = Array.from(running).filter(([, { requests, stored }]) => requests !== stored);
    if (moved.length === 0) return;
    const scans = moved.map(([id, { requests }]) => ({ id, requests }));
    // Progress that could not be stored is stored at the next attempt.
    if (isRefusal(await writer.write('noteScanProgress', { scans }))) return;
    for (const [index, [, state]] of moved.entries()) state.stored = scans[index]?.requests ?? state.stored;
  };

  const interrupt = async (ids: readonly number[]): Promise<void> => {
    if (ids.length === 0) return;
    const refusal = await writer.write('interruptScans', { ids, now: clock.now() });
    if (isRefusal(refusal))
      log.warn('scans interrupted by the last shutdown are still marked as running', {
        fault: refusal.message,
      });
  };

  /** @param startedUpTo scans that started before this moment and do not run here have been abandoned */
  const checkUnfinished = async (startedUpTo: number): Promise<void> => {
    const unfinished = await readUnfinished();
    if (isStopped) return;
    const abandoned = unfinished.filter(
      ({ id, startedAt }) => startedAt !== null && startedAt <= startedUpTo && !running.has(id),
    );
    await interrupt(abandoned.map(({ id }) => id));
    for (const { id, licenseId, startedAt, canceledAt } of unfinished) {
      if (startedAt === null) add({ id, licenseId });
      else if (canceledAt !== null) running.get(id)?.end.abort();
    }
  };

  await checkUnfinished(isAlone ? Number.POSITIVE_INFINITY : clock.now() - STALE_AFTER_MS);
  const stopChecks = every(
    LOOK_EVERY_MS,
    after,
    async () => {
      await checkUnfinished(clock.now() - STALE_AFTER_MS);
      if (!isAlone) await storeProgress();
      isFailing = false;
    },
    (error) => {
      // The watch of the database logs when it is unavailable.
      if (!isFailing && !isAway(error))
        log.error('waiting scans could not be read', { fault: faultOf(error) });
      isFailing = true;
    },
  );

  return {
    add,
    cancel(id) {
      running.get(id)?.end.abort();
    },
    progressOf: ({ id, requests }) =>
      Math.min(99, Math.round((100 * (running.get(id)?.requests ?? requests)) / REQUESTS_MAX)),
    async stop() {
      isStopped = true;
      stopChecks();
      for (const { end } of running.values()) end.abort();
      // Marked now; other nodes would notice only after the longest time that a scan can take.
      await interrupt([...running.keys()]);
    },
  };
}
