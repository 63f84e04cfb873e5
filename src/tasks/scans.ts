import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { type After, type Clock, SECOND_MS } from '../lib/clock.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { within } from '../lib/within.ts';
import { REQUESTS_MAX } from '../outside/site-visit/visitor.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { Scan } from '../storage/scans.ts';
import { failedScan, type RunScan, type ScanOutcome } from './scan-runner.ts';

type Waiting = Pick<Scan, 'id' | 'licenseId'>;

/** Scans that wait and run. What waits is on disk, and goes on after a restart. */
export interface ScanDesk {
  /** Takes a scan that was queued; one that it has already is no second one. */
  add(queued: Waiting): void;
  /** Ends a scan with its next request, if it runs. */
  cancel(id: number): void;
  /** How far a scan is: 0 while it waits, up to 99 while it runs. */
  progressOf(id: number): number;
  /** Begins no scan any more, and gives up those that run. */
  stop(): void;
}

export interface ScanDeskParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
  readonly readWaiting: () => Promise<Waiting[]>;
  readonly run: RunScan;
}

const RUNNING_MAX = 16;
/** Both bounds are held where scans are queued. */
const NO_BOUND = Number.POSITIVE_INFINITY;
/** Longer than any takes, whatever hangs. */
const SCAN_MS_MAX = 60 * SECOND_MS;
const STORE_RETRY_MS = 5 * SECOND_MS;

interface Running {
  readonly end: AbortController;
  requests: number;
}

/** Runs the scans of each license one at a time, licenses in turns. */
export async function startScanDesk(parts: ScanDeskParts): Promise<ScanDesk> {
  const { clock, after, log, writer, readWaiting, run } = parts;
  const waiting = new FairQueue<number, Waiting>(NO_BOUND, NO_BOUND);
  /** Scans that wait or run. */
  const taken = new Set<number>();
  const running = new Map<number, Running>();
  const licensesRunning = new Set<number>();
  let isStopped = false;
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
    const now = { end: new AbortController(), requests: 0 };
    running.set(id, now);
    licensesRunning.add(licenseId);
    void runOne(id, now)
      .catch((error) => log.error('a scan was lost until the next start', { fault: faultOf(error) }))
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

  const refusal = await writer.write('interruptScans', { now: clock.now() });
  if (isRefusal(refusal))
    log.warn('scans that ran when the service ended still seem to run', { fault: refusal.message });
  for (const queued of await readWaiting()) add(queued);

  return {
    add,
    cancel(id) {
      running.get(id)?.end.abort();
    },
    progressOf: (id) => Math.min(99, Math.round((100 * (running.get(id)?.requests ?? 0)) / REQUESTS_MAX)),
    stop() {
      isStopped = true;
      for (const { end } of running.values()) end.abort();
    },
  };
}
