import { MINUTE_MS } from './clock.ts';
import { openFiles } from './open-files.ts';

/** The limit of open connections. */
export interface ConnectionBounds {
  readonly max: number;
  /** Called at most once a minute when the limit is exceeded. */
  readonly onCrowded: (counts: ConnectionCounts) => void;
}

export interface ConnectionCounts {
  /** Open connections: open files minus the process's own. */
  readonly open: number;
  /** How often the limit was exceeded. */
  readonly crowded: number;
}

/**
 * Counts open connections as files opened since the service began to listen, because the runtime reports a connection only at
 * its first request.
 */
export class Crowd {
  readonly #monotonicMs: () => number;
  readonly #ownFiles = openFiles();
  #bounds: ConnectionBounds;
  #crowded = 0;
  #reportedAtMs = Number.NEGATIVE_INFINITY;

  constructor(bounds: ConnectionBounds, monotonicMs: () => number) {
    this.#bounds = bounds;
    this.#monotonicMs = monotonicMs;
  }

  get counts(): ConnectionCounts {
    return { open: Math.max(0, openFiles() - this.#ownFiles), crowded: this.#crowded };
  }

  bound(bounds: ConnectionBounds): void {
    this.#bounds = bounds;
  }

  isTooMany(): boolean {
    return this.counts.open > this.#bounds.max;
  }

  /** Records that the limit is exceeded. */
  note(): void {
    this.#crowded += 1;
    const now = this.#monotonicMs();
    if (now - this.#reportedAtMs < MINUTE_MS) return;
    this.#reportedAtMs = now;
    this.#bounds.onCrowded(this.counts);
  }
}
