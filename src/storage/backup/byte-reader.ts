import type { Chunks } from '../../lib/age-file.ts';

const NOTHING = new Uint8Array(0);

/** Reads chunks of any length in requested lengths. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = NOTHING;

  constructor(chunks: Chunks) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Returns the next `length` bytes; undefined when fewer are left. */
  async take(length: number): Promise<Uint8Array | undefined> {
    const taken: Uint8Array[] = [];
    const isWhole = await this.pass(length, (chunk) => taken.push(Uint8Array.from(chunk)));
    return isWhole ? Buffer.concat(taken) : undefined;
  }

  /**
   * Passes the next bytes on, in pieces that are valid until `to` returns.
   *
   * @returns whether there were enough
   */
  async pass(length: number, to: (chunk: Uint8Array) => void): Promise<boolean> {
    for (let left = length; left > 0; ) {
      if (!(await this.hasMore())) return false;
      const piece = this.#rest.subarray(0, left);
      to(piece);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
    }
    return true;
  }

  async hasMore(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.#rest = value;
    }
    return true;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
