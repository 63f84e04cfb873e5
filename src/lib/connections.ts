import { MINUTE_MS } from './clock.ts';
import { Rounds } from './rounds.ts';
import type { Peer } from './turn-budget.ts';

/** How many connections may be open. */
export interface ConnectionBounds {
  readonly inAllMax: number;
  readonly perUnitMax: number;
  /** The unit in which an address counts; undefined for a proxy, which stands for many. */
  readonly unitOf: (address: string) => string | undefined;
  /** Told when there were too many, at most once a minute. */
  readonly onCrowded: (counts: ConnectionCounts) => void;
}

/** Connections that are open, and since the start those that were ended to make room and those that were refused. */
export interface ConnectionCounts {
  readonly open: number;
  readonly displaced: number;
  readonly refused: number;
}

/** An open connection, as far as it is bounded. */
export interface Connection<Socket> {
  readonly socket: Socket;
  readonly peer: Peer;
  readonly unit: string | undefined;
  /** Its requests that wait for their answers. */
  unanswered: number;
  /** Since its last answer, or since it was opened; on the monotonic clock. */
  silentSinceMs: number;
  /** Whether an answer that ends it was begun. What it asks after that is not answered. */
  isEnding: boolean;
  /** Notes that it was answered. */
  readonly answered: () => void;
}

/** Connections of which one can make room for another. */
class Group<Socket> {
  readonly members = new Set<Connection<Socket>>();
  readonly #rounds = new Rounds(this.members);

  /** The one of a few that has been silent longest and waits for no answer. */
  silent(): Connection<Socket> | undefined {
    let silent: Connection<Socket> | undefined;
    for (const connection of this.#rounds.next(LOOKED_AT_MAX)) {
      if (connection.unanswered > 0) continue;
      if (silent === undefined || connection.silentSinceMs < silent.silentSinceMs) silent = connection;
    }
    return silent;
  }
}

/** Connections that are looked at to find one that makes room, so that making room costs the same however many there are. */
const LOOKED_AT_MAX = 16;

/**
 * The open connections, bounded in all and by address. A newcomer takes the place of one that has been silent for long and
 * waits for no answer: of its own address when that has too many, else of anybody. It is refused only where none is found.
 */
export class Connections<Socket extends { destroy(): void }> {
  readonly #monotonicMs: () => number;
  #bounds: ConnectionBounds = { inAllMax: 0, perUnitMax: 0, unitOf: () => undefined, onCrowded: () => {} };
  readonly #all = new Group<Socket>();
  readonly #byUnit = new Map<string, Group<Socket>>();
  /** Ports are mostly different, and found sooner than texts. */
  readonly #byPort = new Map<number, Connection<Socket>[]>();
  #displaced = 0;
  #refused = 0;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  get counts(): ConnectionCounts {
    return { open: this.#all.members.size, displaced: this.#displaced, refused: this.#refused };
  }

  /** Sets the bounds, without which none is taken in; what is open already stays. */
  bound(bounds: ConnectionBounds): void {
    this.#bounds = bounds;
  }

  /** Takes a connection in or destroys it. @returns whether it stays */
  admit(socket: Socket, peer: Peer): boolean {
    const { inAllMax, perUnitMax, unitOf } = this.#bounds;
    const unit = unitOf(peer.address);
    const alike = unit === undefined ? undefined : this.#byUnit.get(unit);
    const isRoom =
      (alike === undefined || alike.members.size < perUnitMax || this.#makeRoom(alike)) &&
      (this.#all.members.size < inAllMax || this.#makeRoom(this.#all));
    if (!isRoom) {
      this.#refused += 1;
      this.#tell();
      socket.destroy();
      return false;
    }
    const connection: Connection<Socket> = {
      socket,
      peer,
      unit,
      unanswered: 0,
      silentSinceMs: this.#monotonicMs(),
      isEnding: false,
      answered: () => {
        connection.unanswered -= 1;
        connection.silentSinceMs = this.#monotonicMs();
      },
    };
    this.#add(connection);
    return true;
  }

  of({ address, port }: Peer): Connection<Socket> | undefined {
    for (const connection of this.#byPort.get(port) ?? []) {
      if (connection.peer.address === address) return connection;
    }
    return undefined;
  }

  /** Follows an answer until it is there. */
  answering(
    connection: Connection<Socket>,
    answer: Response | Promise<Response>,
  ): Response | Promise<Response> {
    connection.unanswered += 1;
    if (answer instanceof Promise) answer.then(connection.answered, connection.answered);
    else connection.answered();
    return answer;
  }

  /** Forgets a connection that is closed. */
  forget(peer: Peer): void {
    const connection = this.of(peer);
    if (connection !== undefined) this.#remove(connection);
  }

  #makeRoom(among: Group<Socket>): boolean {
    const silent = among.silent();
    if (silent === undefined) return false;
    this.#remove(silent);
    this.#displaced += 1;
    this.#tell();
    silent.socket.destroy();
    return true;
  }

  #tell(): void {
    const now = this.#monotonicMs();
    if (now - this.#toldAtMs < MINUTE_MS) return;
    this.#toldAtMs = now;
    this.#bounds.onCrowded(this.counts);
  }

  #add(connection: Connection<Socket>): void {
    const { unit, peer } = connection;
    this.#all.members.add(connection);
    this.#byPort.set(peer.port, [...(this.#byPort.get(peer.port) ?? []), connection]);
    if (unit === undefined) return;
    const alike = this.#byUnit.get(unit) ?? new Group();
    alike.members.add(connection);
    this.#byUnit.set(unit, alike);
  }

  #remove(connection: Connection<Socket>): void {
    const { unit, peer } = connection;
    this.#all.members.delete(connection);
    const others = this.#byPort.get(peer.port)?.filter((other) => other !== connection) ?? [];
    if (others.length > 0) this.#byPort.set(peer.port, others);
    else this.#byPort.delete(peer.port);
    if (unit === undefined) return;
    const alike = this.#byUnit.get(unit);
    alike?.members.delete(connection);
    if (alike?.members.size === 0) this.#byUnit.delete(unit);
  }
}
