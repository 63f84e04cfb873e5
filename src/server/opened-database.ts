import type { Awaitable } from '../lib/awaitable.ts';
import type { ClockWork } from '../storage/engine/clock-work.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Generations } from '../storage/engine/generations.ts';
import type { Room } from '../storage/engine/room.ts';
import type { DatabasePlace } from '../storage/engine/threads.ts';
import type { SharedLimits } from './shared-limits.ts';

/** What an engine's database is, to a server. */
export interface OpenedDatabase {
  /** Of the installation. */
  readonly secret: Uint8Array;
  /** Where a storage thread finds it. */
  readonly place: DatabasePlace;
  readonly db: Database;
  /** For reads that belong together. */
  readonly apart: Database;
  /** Whether it can be read, and is the one that was opened. */
  readonly isReadable: () => boolean;
  /** Whether the database was not heard for so long that asking it is in vain. */
  readonly isAway: () => boolean;
  /** The counters of what is remembered; that of licenses is NaN while they may have changed without a word of it. */
  readonly generations: () => Generations;
  /** The counters of this moment or a later one. */
  readonly freshGenerations: () => Awaitable<Generations>;
  /** Has what was committed here seen in the counters. */
  readonly afterCommit: () => Awaitable<void>;
  /** Waits, after the commit of an act, until no process answers from the state before it. */
  readonly cachesExpired: () => Awaitable<void>;
  readonly clockWork: ClockWork;
  /** What all nodes draw from; undefined where there is one. */
  readonly sharedDraws: SharedLimits | undefined;
  /** Forgets what is of no use any more, beside what is kept for tenants. */
  readonly tidy: () => Awaitable<void>;
  readonly room: Room;
}
