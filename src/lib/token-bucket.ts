import { MINUTE_MS, SECOND_MS } from './clock.ts';

/** What a bucket says after it was asked. */
export interface BucketReading {
  readonly allowed: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** The bucket's capacity, which is also what it regains in a minute. */
  readonly limit: number;
  /** Whole seconds until one token is there; 0 when one is there now. */
  readonly retryAfterSeconds: number;
}

interface Bucket {
  tokens: number;
  readAtMs: number;
}

/**
 * A family of token buckets, one per key, refilled continuously at `perMinute` tokens a minute.
 *
 * Memory is bounded by two generations of at most `keysMax` buckets each. A generation is dropped
 * when it is older than the time in which any bucket refills completely, so that forgetting it
 * changes no answer; only a flood of more than `keysMax` keys within that time drops live buckets.
 */
export class TokenBuckets {
  #young = new Map<string, Bucket>();
  #old = new Map<string, Bucket>();
  #youngSinceMs: number;
  readonly #perMinute: number;
  readonly #monotonicMs: () => number;
  readonly #keysMax: number;

  /** @param perMinute capacity and refill per minute, 1 or more */
  constructor(perMinute: number, monotonicMs: () => number, keysMax = 100_000) {
    this.#perMinute = perMinute;
    this.#monotonicMs = monotonicMs;
    this.#keysMax = keysMax;
    this.#youngSinceMs = monotonicMs();
  }

  /** Takes one token when one is there. */
  take(key: string): BucketReading {
    const bucket = this.#refilled(key);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    return this.#reading(bucket.tokens, allowed);
  }

  /** What {@link take} would find, taking nothing and remembering nothing. */
  peek(key: string): BucketReading {
    const bucket = this.#young.get(key) ?? this.#old.get(key);
    const tokens = bucket ? this.#tokensNow(bucket, this.#monotonicMs()) : this.#perMinute;
    return this.#reading(tokens, tokens >= 1);
  }

  /** Buckets in memory: at most twice `keysMax`. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #refilled(key: string): Bucket {
    const now = this.#monotonicMs();
    let bucket = this.#young.get(key);
    if (bucket === undefined) {
      this.#turnGenerations(now);
      bucket = this.#old.get(key) ?? { tokens: this.#perMinute, readAtMs: now };
      this.#young.set(key, bucket);
    }
    bucket.tokens = this.#tokensNow(bucket, now);
    bucket.readAtMs = now;
    return bucket;
  }

  #tokensNow(bucket: Bucket, now: number): number {
    return Math.min(this.#perMinute, bucket.tokens + ((now - bucket.readAtMs) * this.#perMinute) / MINUTE_MS);
  }

  #turnGenerations(now: number): void {
    if (this.#young.size < this.#keysMax && now - this.#youngSinceMs < MINUTE_MS) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngSinceMs = now;
  }

  #reading(tokens: number, allowed: boolean): BucketReading {
    return {
      allowed,
      remaining: Math.floor(tokens),
      limit: this.#perMinute,
      retryAfterSeconds:
        tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * MINUTE_MS) / this.#perMinute / SECOND_MS),
    };
  }
}
