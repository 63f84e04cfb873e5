/** The other end of a connection, unique at any moment. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** When to answer a request: now; now, closing its connection afterwards; or in a later turn of the event loop. */
export type Place = 'now' | 'last' | 'later';

/** How long requests may occupy one turn of the event loop, in milliseconds. A started request is finished. */
const TURN_MS_MAX = 25;

/**
 * Shares the turns of the event loop among connections. In one turn, Bun answers all requests in the half megabyte that
 * it reads from a connection, reads again while there is more, and does the same for connections that it accepts
 * meanwhile. Without a budget, one client can keep all others waiting for as long as it likes.
 */
export class TurnBudget {
  readonly #monotonicMs: () => number;
  readonly #afterTurn: (task: () => void) => void;
  /** In order of arrival. */
  readonly #waiting = new Set<() => void>();
  #endsAtMs: number | undefined;
  /** The connection answered last in this turn. Requests of one connection are consecutive. */
  #last: Peer | undefined;

  /** @param afterTurn calls a task once, before the next turn of the event loop */
  constructor(monotonicMs: () => number, afterTurn: (task: () => void) => void) {
    this.#monotonicMs = monotonicMs;
    this.#afterTurn = afterTurn;
  }

  /** Decides when to answer a request that was just read. */
  placeOf(peer: Peer): Place {
    if (this.#endsAtMs === undefined) this.#beginTurn();
    if (this.#waiting.size === 0 && !this.#isOver()) {
      this.#last = peer;
      return 'now';
    }
    const last = this.#last;
    return last?.port === peer.port && last.address === peer.address ? 'last' : 'later';
  }

  /** Runs a task in a later turn, after all tasks that are already waiting. */
  later<Value>(task: () => Value | Promise<Value>): Promise<Value> {
    return new Promise((resolve) => {
      this.#waiting.add(() => resolve(task()));
    });
  }

  #isOver(): boolean {
    return this.#endsAtMs !== undefined && this.#monotonicMs() >= this.#endsAtMs;
  }

  #beginTurn(): void {
    this.#endsAtMs = this.#monotonicMs() + TURN_MS_MAX;
    this.#afterTurn(() => {
      this.#endsAtMs = undefined;
      this.#last = undefined;
      if (this.#waiting.size > 0) this.#serveWaiting();
    });
  }

  #serveWaiting(): void {
    this.#beginTurn();
    for (const task of this.#waiting) {
      this.#waiting.delete(task);
      task();
      if (this.#isOver()) return;
    }
  }
}
