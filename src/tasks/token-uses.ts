import { isRefusal } from '../domain/refusal.ts';
import { type After, type Clock, MINUTE_MS } from '../lib/clock.ts';
import { flushEvery } from '../lib/every.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Writer } from '../storage/engine/writer.ts';

interface TokenUseParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
}

/** Records when tokens of the admin API were last used, and stores it every minute. */
export function startTokenUses({ clock, after, log, writer }: TokenUseParts) {
  const used = new Map<number, number>();

  const write = async () => {
    if (used.size === 0) return;
    const uses = Array.from(used, ([id, at]) => ({ id, at }));
    used.clear();
    const refusal = await writer.write('noteTokenUses', { uses });
    // Not retried, because the next use of the token replaces this one.
    if (isRefusal(refusal)) log.warn('the last use of tokens cannot be stored');
  };
  const stop = flushEvery(MINUTE_MS, after, write, (error) =>
    log.error('the last use of tokens was lost', { fault: faultOf(error) }),
  );

  return {
    note: (tokenId: number): void => {
      used.set(tokenId, clock.now());
    },
    /** Stores remaining uses. */
    stop,
  };
}
