import { MINUTE_MS } from './clock.ts';
import { openFiles } from './open-files.ts';

/** How many connections may be open. */
export interface ConnectionBounds {
  readonly max: number;
  /** Told when there were too many, at most once a minute. */
  readonly onCrowded: (counts: ConnectionCounts) => void;
}

export interface ConnectionCounts {
  /** What this process has open beyond its own files. */
  readonly open: number;
  /** How often there were too many. */
  readonly crowded: number;
}

/**
 * Counts the open connections as the files that were opened since the service began to listen: the runtime does not tell of
 * a connection before its first request.
 */
export class Crowd {
  readonly #monotonicMs: () => number;
  readonly #ownFiles = openFiles();
  #bounds: ConnectionBounds;
  #crowded = 0;
  #toldAtMs = Number.NEGATIVE_INFINITY;

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

  /** Notes that there were too many. */
  note(): void {
    this.#crowded += 1;
    const now = this.#monotonicMs();
    if (now - this.#toldAtMs < MINUTE_MS) return;
    this.#toldAtMs = now;
    this.#bounds.onCrowded(this.counts);
  }
}
