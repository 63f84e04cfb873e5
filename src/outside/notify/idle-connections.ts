import type { Duplex } from 'node:stream';
import { SECOND_MS } from '../../lib/clock.ts';

/** Receivers close idle connections; an attempt that reuses one at that moment fails. */
const IDLE_MS = 4 * SECOND_MS;
/** Maximum age of a connection, so that names are resolved again. */
const AGE_MS_MAX = 60 * SECOND_MS;
const IDLE_MAX = 64;

/** A reusable connection to a receiver. */
export interface Connection {
  readonly stream: Duplex;
  /** By the monotonic clock, in milliseconds. */
  readonly openedAt: number;
}

interface Idle extends Connection {
  readonly forget: () => void;
}

/** A pool of idle connections to receivers: opening connections dominates the cost of sending many messages. */
export function createIdleConnections() {
  const waiting = new Map<string, Idle[]>();
  let count = 0;

  return {
    /** Removes an open connection from the pool and returns it. */
    take(key: string): Connection | undefined {
      const idle = waiting.get(key)?.at(-1);
      idle?.forget();
      return idle;
    },

    /** Adds a connection to the pool, or closes it if it is too old or the pool is full. */
    put(key: string, { stream, openedAt }: Connection, idleMs = IDLE_MS): void {
      if (count >= IDLE_MAX || stream.destroyed || performance.now() - openedAt > AGE_MS_MAX) {
        stream.destroy();
        return;
      }
      const of = waiting.get(key) ?? [];
      // Unsolicited data must not be read as the response to the next request.
      const end = () => {
        forget();
        stream.destroy();
      };
      const timer = setTimeout(end, idleMs);
      const events = ['data', 'end', 'close', 'error'] as const;
      const forget = () => {
        clearTimeout(timer);
        for (const event of events) stream.off(event, end);
        const at = of.indexOf(idle);
        if (at === -1) return;
        of.splice(at, 1);
        count -= 1;
        if (of.length === 0) waiting.delete(key);
      };
      const idle: Idle = { stream, openedAt, forget };
      for (const event of events) stream.on(event, end);
      of.push(idle);
      waiting.set(key, of);
      count += 1;
    },

    close(): void {
      for (const { stream, forget } of [...waiting.values()].flat()) {
        forget();
        stream.destroy();
      }
    },
  };
}

export type IdleConnections = ReturnType<typeof createIdleConnections>;
