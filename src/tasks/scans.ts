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

/** Scans that wait and run. What waits is on disk, and goes on after a restart, or on another node. */
export interface ScanDesk {
  /** Takes a scan that was queued; one that it has already is no second one. */
  add(queued: Waiting): void;
  /** Ends a scan with its next request, if it runs; where another node runs it, soon. */
  cancel(id: number): void;
  /** How far a scan is: 0 while it waits, up to 99 while it runs. */
  progressOf(scan: Pick<Scan, 'id' | 'requests'>): number;
  /** Begins no scan any more, and gives up those that run. */
  stop(): Promise<void>;
}

export interface ScanDeskParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
  readonly readUnfinished: () => Promise<UnfinishedScan[]>;
  /** Whether no other node runs scans. */
  readonly isAlone: boolean;
  readonly run: RunScan;
}

const RUNNING_MAX = 16;
/** Both bounds are held where scans are queued. */
const NO_BOUND = Number.POSITIVE_INFINITY;
/** Longer than any scan, even one that hangs. */
const SCAN_MS_MAX = 60 * SECOND_MS;
const STORE_RETRY_MS = 5 * SECOND_MS;
/** For what other nodes have queued, called off, or left. */
const LOOK_EVERY_MS = 2 * SECOND_MS;

interface Running {
  readonly end: AbortController;
  requests: number;
  /** What other nodes know of that. */
  told: number;
}

/** Runs the scans of each license one at a time, licenses in turns. */
export async function startScanDesk(parts: ScanDeskParts): Promise<ScanDesk> {
  const { clock, after, log, writer, readUnfinished, isAlone, run } = parts;
  const waiting = new FairQueue<number, Waiting>(NO_BOUND, NO_BOUND);
  /** Scans that wait or run. */
  const taken = new Set<number>();
  const running = new Map<number, Running>();
  const licensesRunning = new Set<number>();
  let isStopped = false;
  let isLookingInVain = false;
  const pause = () => new Promise<void>((resolve) => after(STORE_RETRY_MS, resolve));

  const outcomeOf = async (scan: Scan, now: Running): Promise<ScanOutcome> => {
    const onRequest = (requests: number) => {
      now.requests = requests;
    };
    try {
      const outcome = await within(run(scan, { signal: now.end.signal, onRequest }), SCAN_MS_MAX);
      if (outcome !== 'timeout') return outcome;
      now.end.abort();
      return failedScan('timed_out');
    } catch (error) {
      log.error('a scan failed', { fault: faultOf(error) });
      return failedScan('interrupted');
    }
  };

  /** Writes until it is on disk or this ends: a full disk loses no scan, and nothing that one found. */
  const insist = async <Output>(
    write: () => Promise<Output>,
  ): Promise<Exclude<Output, Refusal> | undefined> => {
    while (!isStopped) {
      const output = await write();
      if (!isRefusal(output)) return output as Exclude<Output, Refusal>;
      await pause();
    }
    return undefined;
  };

  const runOne = async (id: number, now: Running): Promise<void> => {
    const scan = await insist(() => writer.write('startScan', { id, now: clock.now() }));
    if (scan === undefined) return;
    const outcome = await outcomeOf(scan, now);
    await insist(() => writer.write('finishScan', { id, now: clock.now(), ...outcome }));
  };

  const begin = ({ id, licenseId }: Waiting): void => {
    const now = { end: new AbortController(), requests: 0, told: 0 };
    running.set(id, now);
    licensesRunning.add(licenseId);
    void runOne(id, now)
      .catch((error) => log.error('a scan was lost', { fault: faultOf(error) }))
      .then(() => {
        running.delete(id);
        taken.delete(id);
        licensesRunning.delete(licenseId);
        fillSeats();
      });
  };
  const fillSeats = (): void => {
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
    fillSeats();
  };

  const tellProgress = async (): Promise<void> => {
    const moved = Array.from(running).filter(([, { requests, told }]) => requests !== told);
    if (moved.length === 0) return;
    const scans = moved.map(([id, { requests }]) => ({ id, requests }));
    // Progress that cannot be stored now is stored with the next.
    if (isRefusal(await writer.write('noteScanProgress', { scans }))) return;
    for (const [index, [, now]] of moved.entries()) now.told = scans[index]?.requests ?? now.told;
  };

  const interrupt = async (ids: readonly number[]): Promise<void> => {
    if (ids.length === 0) return;
    const refusal = await writer.write('interruptScans', { ids, now: clock.now() });
    if (isRefusal(refusal))
      log.warn('scans interrupted by the last shutdown are still marked as running', {
        fault: refusal.message,
      });
  };

  /** @param startedUpTo the process of a scan that started by then has ended */
  const look = async (startedUpTo: number): Promise<void> => {
    const unfinished = await readUnfinished();
    if (isStopped) return;
    const left = unfinished.filter(
      ({ id, startedAt }) => startedAt !== null && startedAt <= startedUpTo && !running.has(id),
    );
    await interrupt(left.map(({ id }) => id));
    for (const { id, licenseId, startedAt, canceledAt } of unfinished) {
      if (startedAt === null) add({ id, licenseId });
      else if (canceledAt !== null) running.get(id)?.end.abort();
    }
  };

  await look(isAlone ? Number.POSITIVE_INFINITY : clock.now() - STALE_AFTER_MS);
  const endLooking = every(
    LOOK_EVERY_MS,
    after,
    async () => {
      await look(clock.now() - STALE_AFTER_MS);
      if (!isAlone) await tellProgress();
      isLookingInVain = false;
    },
    (error) => {
      // An unavailable database is logged elsewhere.
      if (!isLookingInVain && !isAway(error))
        log.error('waiting scans could not be read', { fault: faultOf(error) });
      isLookingInVain = true;
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
      endLooking();
      for (const { end } of running.values()) end.abort();
      // Other nodes could only tell when it has not ended for longer than any scan takes.
      await interrupt([...running.keys()]);
    },
  };
}
