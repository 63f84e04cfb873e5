import { FeedRefused } from '../feed-refused.ts';
import type { FeedLimits } from '../limits.ts';

/** Counts the compressed and the expanded bytes of a feed, and rejects decompression bombs. */
export class Expansion {
  #expandedBytes = 0;
  #readBytes = 0;
  readonly #limits: FeedLimits;

  constructor(limits: FeedLimits) {
    this.#limits = limits;
  }

  get expandedBytes(): number {
    return this.#expandedBytes;
  }

  /** Counts bytes read from the file. */
  read(bytes: number): void {
    this.#readBytes += bytes;
  }

  /**
   * Passes uncompressed chunks through and counts them as both read and expanded; throws {@link FeedRefused} beyond the limits.
   */
  *plain(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
    for (const chunk of chunks) {
      this.read(chunk.length);
      this.expand(chunk.length);
      yield chunk;
    }
  }

  /** Counts expanded bytes; throws {@link FeedRefused} beyond the limits. */
  expand(bytes: number): void {
    const { expandedBytes, ratio, ratioFromBytes } = this.#limits;
    this.#expandedBytes += bytes;
    if (this.#expandedBytes > expandedBytes)
      throw new FeedRefused(
        'too_large',
        `The feed expands to more than ${expandedBytes} bytes. Import its parts one by one.`,
      );
    if (this.#expandedBytes > ratioFromBytes && this.#expandedBytes > ratio * this.#readBytes)
      throw new FeedRefused(
        'too_large',
        `The feed expands to more than ${ratio} times its size, which no real feed does. Do not use it.`,
      );
  }
}
