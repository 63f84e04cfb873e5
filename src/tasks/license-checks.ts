import type { Verification } from '../domain/license/verification.ts';
import { isRefusal } from '../domain/refusal.ts';
import { type After, type Clock, HOUR_MS, SECOND_MS } from '../lib/clock.ts';
import { flushEvery } from '../lib/every.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Writer } from '../storage/engine/writer.ts';

/** Longest delay before license checks are stored. A crash loses counts that are not stored yet. */
export const CHECKS_EVERY_MS = 5 * SECOND_MS;

interface CheckParts {
  /** Results of license/verify since the start. */
  readonly answered: ReadonlyMap<Verification, number>;
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
}

/**
 * Adds new results of license/verify to the counts per hour, every five seconds. Requests have no additional cost, because the
 * results are counted in memory anyway. After a failure, they are added with the next ones.
 */
export function startLicenseChecks({ answered, clock, after, log, writer }: CheckParts) {
  const written = new Map<Verification, number>();

  const write = async () => {
    const seen = [...answered];
    const counts = seen
      .map(([outcome, count]) => [outcome, count - (written.get(outcome) ?? 0)] as const)
      .filter(([, count]) => count > 0);
    if (counts.length === 0) return;
    const now = clock.now();
    const refusal = await writer.write('addLicenseChecks', { hour: now - (now % HOUR_MS), counts });
    if (!isRefusal(refusal)) for (const [outcome, count] of seen) written.set(outcome, count);
  };

  const stop = flushEvery(CHECKS_EVERY_MS, after, write, (error) =>
    log.error('license checks are not counted', { fault: faultOf(error) }),
  );

  return {
    /** Stores remaining counts. */
    stop,
  };
}
