import type { Awaitable } from '../lib/awaitable.ts';
import type { ClockWork } from '../storage/engine/clock-work.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Generations } from '../storage/engine/generations.ts';
import type { Room } from '../storage/engine/room.ts';
import type { DatabasePlace } from '../storage/engine/threads.ts';
import type { SharedLimits } from './shared-limits.ts';

/** An open database of either engine, as the server uses it. */
export interface OpenedDatabase {
  /** The secret of the installation. */
  readonly secret: Uint8Array;
  /** The location that storage threads open. */
  readonly place: DatabasePlace;
  readonly db: Database;
  /** A second connection, for reads in one transaction. */
  readonly apart: Database;
  /** Whether the database can be read and is still the one that was opened. */
  readonly isReadable: () => boolean;
  /** Whether the database has not responded for so long that requests to it would fail. */
  readonly isAway: () => boolean;
  /** The generations that caches depend on. That of licenses is NaN while changes of other nodes may be missed. */
  readonly generations: () => Generations;
  /** The current generations or newer ones. */
  readonly freshGenerations: () => Awaitable<Generations>;
  /** Updates the generations after a commit of this process. */
  readonly afterCommit: () => Awaitable<void>;
  /** Waits, after the commit of an act, until no process uses older cached data. */
  readonly cachesExpired: () => Awaitable<void>;
  readonly clockWork: ClockWork;
  /** The rate limits that all nodes share; undefined on a single node. */
  readonly sharedDraws: SharedLimits | undefined;
  /** Deletes internal rows that are no longer needed. Data of tenants is not affected. */
  readonly tidy: () => Awaitable<void>;
  readonly room: Room;
}
