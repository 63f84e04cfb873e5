import { askProgram } from '../../lib/ask-program.ts';
import { DAY_MS, HOUR_MS, iso } from '../../lib/clock.ts';
import type { FutureMoments } from '../../storage/future-moments.ts';
import { futureInWords } from '../accept-clock.ts';
import { type Finding, failure, warning } from './finding.ts';

export interface ClockFacts {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** The newest moment that the database holds; 0 = none. */
  readonly newest: number;
  /** The rows that are later than the clock. */
  readonly future?: readonly FutureMoments[];
  /** As systemd reports; undefined without systemd. */
  readonly isSynchronized: boolean | undefined;
}

/**
 * Whether a time server keeps this host's clock right; undefined where that is not known.
 *
 * @throws Fault when systemd does not answer
 */
export function readSynchronization(): boolean | undefined {
  const answer = askProgram('timedatectl', 'show', '-p', 'NTPSynchronized', '--value')?.trim();
  return answer === 'yes' || answer === 'no' ? answer === 'yes' : undefined;
}

/** Whether the clock can be right. */
export function judgeClock({ now, newest, future = [], isSynchronized }: ClockFacts): Finding[] {
  const behind = newest - now;
  const rows = future.map(futureInWords).join('; ');
  const latest = Math.max(newest, ...future.map((each) => each.newest));
  const words = `the clock shows ${iso(now)}, but there is data from ${iso(latest)}${rows && ` (${rows})`}`;
  if (behind > DAY_MS)
    return [
      failure(
        'clock-behind',
        words,
        'set the clock or, if it is right, run redoubt clock accept. Until then, the service is not ready and retention is paused',
      ),
    ];
  if (latest - now > HOUR_MS)
    return [warning('clock-behind', words, 'set the clock or, if it is right, run redoubt clock accept')];
  if (isSynchronized !== false) return [];
  const todo = 'timedatectl set-ntp true; on an offline host, check the clock yourself';
  return [warning('clock-not-synchronized', 'no time server sets the clock of this host', todo)];
}
