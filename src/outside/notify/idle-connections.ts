import type { Duplex } from 'node:stream';
import { SECOND_MS } from '../../lib/clock.ts';

/** Receivers close connections that are idle; reusing one just then costs an attempt. */
const IDLE_MS = 4 * SECOND_MS;
/** After that a name is resolved again. */
const AGE_MS_MAX = 60 * SECOND_MS;
const IDLE_MAX = 64;

/** A connection to a receiver that can be used again. */
export interface Connection {
  readonly stream: Duplex;
  /** Of the monotonic clock. */
  readonly openedAt: number;
}

interface Idle extends Connection {
  readonly forget: () => void;
}

/** Connections to receivers between two messages: those are the cost of sending many. */
export function createIdleConnections() {
  const waiting = new Map<string, Idle[]>();
  let count = 0;

  return {
    /** A connection that is still open. */
    take(key: string): Connection | undefined {
      const idle = waiting.get(key)?.at(-1);
      idle?.forget();
      return idle;
    },

    /** Leaves a connection for the next message, unless it is too old or there are too many. */
    put(key: string, { stream, openedAt }: Connection, idleMs = IDLE_MS): void {
      if (count >= IDLE_MAX || stream.destroyed || performance.now() - openedAt > AGE_MS_MAX) {
        stream.destroy();
        return;
      }
      const of = waiting.get(key) ?? [];
      // What a receiver sends without having been asked is no response to the next request.
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

    /** Closes all of them. */
    close(): void {
      for (const { stream, forget } of [...waiting.values()].flat()) {
        forget();
        stream.destroy();
      }
    },
  };
}

export type IdleConnections = ReturnType<typeof createIdleConnections>;
