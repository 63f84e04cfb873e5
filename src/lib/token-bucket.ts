import { type After, MINUTE_MS, SECOND_MS, systemAfter } from './clock.ts';

/** The state of a bucket. */
export interface BucketReading {
  readonly allowed: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** The capacity, which is also the number of tokens refilled per period. */
  readonly limit: number;
  /** Whole seconds until the refused tokens, or otherwise one token, are available; 0 = now. */
  readonly retryAfterSeconds: number;
}

/** Tolerance for rounding errors in sums of parts of a minute. */
const ROUNDING_MS = 1e-6;
/** Random buckets compared to choose one to evict. */
const LOOKED_AT_MAX = 8;
/** The share of buckets checked per second, so that each is checked within a minute at little cost. */
const SWEPT_PART = 1 / 32;
const SWEPT_MIN = 1_000;

/** A family of buckets, as {@link BucketRoom} uses it. */
interface Family {
  readonly size: number;
  /** Deletes full buckets among the next `lookedAtMax`. */
  forgetFull(lookedAtMax: number): void;
  /** Deletes the fullest of a few random buckets. */
  forgetFullest(): void;
}

/**
 * Limits the number of buckets of several families together. Full buckets are deleted regularly, which changes no result. At the
 * limit, the largest family deletes the fullest of a few random buckets. So a flood of callers mostly evicts its own buckets,
 * which are nearly full, and a caller cannot evict its empty bucket by such a flood. No request is refused for lack of space.
 */
export class BucketRoom {
  readonly monotonicMs: () => number;
  readonly #bucketsMax: number;
  readonly #after: After;
  readonly #families: Family[] = [];
  #isSweeping = false;

  constructor(monotonicMs: () => number, bucketsMax = 100_000, after: After = systemAfter) {
    this.monotonicMs = monotonicMs;
    this.#bucketsMax = bucketsMax;
    this.#after = after;
  }

  /** The number of buckets in memory, at most `bucketsMax`. */
  get size(): number {
    return this.#families.reduce((sum, { size }) => sum + size, 0);
  }

  /** Adds a family. */
  join(family: Family): void {
    this.#families.push(family);
  }

  /** Makes space for one more bucket. */
  makeRoom(): void {
    if (this.size >= this.#bucketsMax) {
      this.#families
        .reduce((largest, family) => (family.size > largest.size ? family : largest))
        .forgetFullest();
    }
    this.#sweepLater();
  }

  #sweepLater(): void {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    this.#after(SECOND_MS, () => {
      this.#isSweeping = false;
      for (const family of this.#families) {
        family.forgetFull(Math.max(SWEPT_MIN, Math.ceil(family.size * SWEPT_PART)));
      }
      if (this.size > 0) this.#sweepLater();
    });
  }
}

/** Token buckets by key, refilled continuously by the capacity per period. */
export class TokenBuckets {
  /** The index of each bucket in the two arrays. */
  readonly #places = new Map<string, number>();
  readonly #keys: string[] = [];
  /** When each bucket will be full, which is its entire state. */
  readonly #fullAtMs: number[] = [];
  /** The index at which the next check starts. */
  #sweptTo = 0;
  readonly #capacity: number;
  readonly #room: BucketRoom;
  readonly #periodMs: number;

  /**
   * @param capacity tokens refilled per period, 1 or more
   * @param periodMs a minute by default
   */
  constructor(capacity: number, room: BucketRoom, periodMs = MINUTE_MS) {
    this.#capacity = capacity;
    this.#room = room;
    this.#periodMs = periodMs;
    room.join(this);
  }

  get size(): number {
    return this.#keys.length;
  }

  /**
   * Takes tokens: all of them, or none if there are too few.
   *
   * @param count at most the capacity
   * @param again tokens that a refused caller needs for a retry, for which tokens already taken count again
   */
  take(key: string, count = 1, again = count): BucketReading {
    const now = this.#room.monotonicMs();
    const place = this.#places.get(key) ?? this.#add(key, now);
    const fullAtMs = Math.max(now, this.#fullAtMs[place] ?? now);
    const takenMs = fullAtMs + (count * this.#periodMs) / this.#capacity;
    const allowed = takenMs - now <= this.#periodMs + ROUNDING_MS;
    if (allowed) this.#fullAtMs[place] = takenMs;
    return this.#reading(allowed ? takenMs - now : fullAtMs - now, allowed, again);
  }

  /** The result that {@link take} would have, without taking tokens or storing a bucket. */
  peek(key: string): BucketReading {
    const now = this.#room.monotonicMs();
    const fullInMs = Math.max(0, (this.#fullAtMs[this.#places.get(key) ?? -1] ?? now) - now);
    return this.#reading(
      fullInMs,
      fullInMs + this.#periodMs / this.#capacity <= this.#periodMs + ROUNDING_MS,
    );
  }

  /**
   * Replaces the state of a bucket by that of a shared one.
   *
   * @param fullAtMs when it will be full, on the room's clock
   * @param allowed whether the shared bucket granted the tokens
   * @param again see {@link take}
   */
  correct(key: string, fullAtMs: number, allowed: boolean, again = 1): BucketReading {
    const now = this.#room.monotonicMs();
    this.#fullAtMs[this.#places.get(key) ?? this.#add(key, now)] = fullAtMs;
    return this.#reading(Math.max(0, fullAtMs - now), allowed, again);
  }

  forgetFull(lookedAtMax: number): void {
    const now = this.#room.monotonicMs();
    for (let left = Math.min(lookedAtMax, this.size); left > 0; left--) {
      if (this.#sweptTo >= this.size) this.#sweptTo = 0;
      if ((this.#fullAtMs[this.#sweptTo] ?? now) <= now) this.#forget(this.#sweptTo);
      else this.#sweptTo += 1;
    }
  }

  forgetFullest(): void {
    let fullest = 0;
    for (let tries = 0; tries < LOOKED_AT_MAX; tries++) {
      const place = Math.floor(Math.random() * this.size);
      if (tries === 0 || (this.#fullAtMs[place] ?? 0) < (this.#fullAtMs[fullest] ?? 0)) fullest = place;
    }
    this.#forget(fullest);
  }

  #add(key: string, fullAtMs: number): number {
    this.#room.makeRoom();
    const place = this.#keys.push(key) - 1;
    this.#fullAtMs.push(fullAtMs);
    this.#places.set(key, place);
    return place;
  }

  /** Deletes a bucket and moves the last one to its index. */
  #forget(place: number): void {
    const forgotten = this.#keys[place];
    const lastKey = this.#keys.pop();
    const lastFullAtMs = this.#fullAtMs.pop();
    if (forgotten === undefined || lastKey === undefined || lastFullAtMs === undefined) return;
    this.#places.delete(forgotten);
    if (place === this.#keys.length) return;
    this.#keys[place] = lastKey;
    this.#fullAtMs[place] = lastFullAtMs;
    this.#places.set(lastKey, place);
  }

  #reading(fullInMs: number, allowed: boolean, again = 1): BucketReading {
    const wanted = allowed ? 1 : again;
    const tokens = ((this.#periodMs + ROUNDING_MS - fullInMs) * this.#capacity) / this.#periodMs;
    const missingMs = fullInMs + (wanted * this.#periodMs) / this.#capacity - this.#periodMs;
    return {
      allowed,
      remaining: Math.floor(tokens),
      limit: this.#capacity,
      retryAfterSeconds: tokens >= wanted ? 0 : Math.ceil((missingMs - ROUNDING_MS) / SECOND_MS),
    };
  }
}
