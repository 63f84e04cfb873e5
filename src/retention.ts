import type { Config } from './config.ts';
import { INCIDENT_DAYS } from './domain/alerts.ts';
import { isRefusal } from './domain/refusal.ts';
import { type Clock, DAY_MS, MINUTE_MS } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import type { Writer } from './storage/writer.ts';

const EVERY_MS = 60 * MINUTE_MS;
const USAGE_DAYS_KEPT = 2;
/** Longer than the processor lists its events, so that a listed one is never taken twice. */
const PAYMENT_EVENT_DAYS_KEPT = 35;

/** A clock that has jumped further is believed only when it still says so at the next time. */
const JUMP_MS_MAX = DAY_MS;

interface RetentionParts {
  readonly writer: Pick<Writer, 'write'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Pick<Config, 'retentionDays' | 'feedWindowDays'>;
}

interface Retention {
  /** What happens once an hour. */
  forget(): Promise<void>;
  stop(): void;
}

/** Forgets once an hour what is older than its retention, a little at a time so that no request waits. */
export function startRetention({ writer, clock, log, config }: RetentionParts): Retention {
  let stopped = false;
  const aheadOfMonotonic = () => clock.now() - clock.monotonic();
  let ahead = aheadOfMonotonic();

  const forgetAll = async (name: 'forgetEvents' | 'forgetSignals', receivedBefore: number) => {
    let forgotten: unknown;
    do {
      forgotten = await writer.write(name, { receivedBefore });
    } while (!stopped && typeof forgotten === 'number' && forgotten > 0);
    return forgotten;
  };

  const hasJumped = () => {
    const before = ahead;
    ahead = aheadOfMonotonic();
    return Math.abs(ahead - before) > JUMP_MS_MAX;
  };

  const forget = async () => {
    if (hasJumped()) {
      log.warn('the clock has jumped by more than a day; nothing is forgotten for an hour');
      return;
    }
    const now = clock.now();
    const receivedBefore = now - config.retentionDays * DAY_MS;
    const outcomes = [
      await forgetAll('forgetEvents', receivedBefore),
      await forgetAll('forgetSignals', receivedBefore),
      await writer.write('forgetAlerts', { toldBefore: now - INCIDENT_DAYS * DAY_MS }),
      await writer.write('forgetThreatReports', { reportedBefore: now - config.feedWindowDays * DAY_MS }),
      await writer.write('forgetDailyUse', { before: now - USAGE_DAYS_KEPT * DAY_MS }),
      await writer.write('forgetDailyVolumes', { before: now - USAGE_DAYS_KEPT * DAY_MS }),
      await writer.write('forgetPaymentEvents', { processedBefore: now - PAYMENT_EVENT_DAYS_KEPT * DAY_MS }),
      await writer.write('forgetVerdicts', { before: receivedBefore }),
      await writer.write('correctLastSeen', { now }),
    ];
    if (outcomes.some(isRefusal)) log.warn('retention was put off until the store has room');
  };

  const timer = setInterval(forget, EVERY_MS);
  return {
    forget,
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
