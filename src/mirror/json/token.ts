import { FeedRefused, malformed } from '../feed-refused.ts';
import type { FeedLimits } from '../limits.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A number or a word, a string, or an object or array with all that is in it. */
type Kind = 'bare' | 'string' | 'nested';

/**
 * One JSON value as it comes in chunks: finds where it ends, without understanding it. Strings are jumped over by `indexOf`, each
 * byte is looked at a bounded number of times.
 */
export class JsonToken {
  readonly #limits: Pick<FeedLimits, 'recordBytes' | 'depth'>;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #kind: Kind | undefined;
  #depth = 0;
  #inString = false;
  /** Whether the next byte of the string is escaped by one of the chunk before. */
  #isEscaped = false;
  #parts: Uint8Array[] = [];
  #partsBytes = 0;

  constructor(limits: Pick<FeedLimits, 'recordBytes' | 'depth'>) {
    this.#limits = limits;
  }

  /** Whether it has begun and its end was not seen yet. */
  get isOpen(): boolean {
    return this.#kind !== undefined;
  }

  /** Whether it is a number or a word, which also the end of the document ends. */
  get isBare(): boolean {
    return this.#kind === 'bare';
  }

  /** Begins with the byte that `read` gets first. */
  begin(byte: number): void {
    if (byte === QUOTE) this.#kind = 'string';
    else this.#kind = byte === OPEN_OBJECT || byte === OPEN_ARRAY ? 'nested' : 'bare';
    this.#depth = 0;
    this.#inString = false;
  }

  /** Reads on; gives the place after the last byte that belongs to it. Throws {@link FeedRefused} when it is too large. */
  read(chunk: Uint8Array, from: number): number {
    const to = this.#through(chunk, from);
    if (this.#partsBytes + to - from > this.#limits.recordBytes)
      throw new FeedRefused(
        'too_large',
        `A record of the feed is larger than ${this.#limits.recordBytes} bytes. Check that it is the right file.`,
      );
    return to;
  }

  /** Keeps a piece of it, because the chunk ends before it does. */
  keep(part: Uint8Array): void {
    this.#parts.push(part.slice());
    this.#partsBytes += part.length;
  }

  /** Its text, of which this is the last piece; ends it. */
  take(last: Uint8Array): string {
    this.#kind = undefined;
    const bytes = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#partsBytes = 0;
    try {
      return this.#utf8.decode(bytes);
    } catch {
      throw malformed('The feed is not UTF-8');
    }
  }

  #through(chunk: Uint8Array, from: number): number {
    if (this.#kind === 'bare') return this.#throughBare(chunk, from);
    let at = from;
    while (at < chunk.length) {
      if (this.#inString) {
        at = this.#throughString(chunk, at);
        if (this.#kind === 'string' && !this.#inString) return this.#close(at);
        continue;
      }
      const byte = chunk[at] as number;
      at += 1;
      if (byte === QUOTE) {
        this.#inString = true;
        this.#isEscaped = false;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#depth += 1;
        if (this.#depth > this.#limits.depth) throw malformed('A record of the feed is nested too deeply');
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#depth -= 1;
        if (this.#depth === 0) return this.#close(at);
      }
    }
    return at;
  }

  #throughBare(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte <= 0x20 || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT)
        return this.#close(at);
    }
    return chunk.length;
  }

  /** Jumps to behind the quote that ends the string: the first with an even number of backslashes before it. */
  #throughString(chunk: Uint8Array, from: number): number {
    for (let at = from; ; ) {
      const quote = chunk.indexOf(QUOTE, at);
      const stop = quote === -1 ? chunk.length : quote;
      let back = stop;
      while (back > at && chunk[back - 1] === BACKSLASH) back -= 1;
      const isEscaped = ((stop - back) % 2 === 1) !== (back === at && this.#isEscaped);
      this.#isEscaped = quote === -1 && isEscaped;
      if (quote === -1) return stop;
      at = quote + 1;
      if (!isEscaped) {
        this.#inString = false;
        return at;
      }
      if (at === chunk.length) return at;
    }
  }

  #close(at: number): number {
    this.#kind = undefined;
    return at;
  }
}
