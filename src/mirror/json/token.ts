import { FeedRefused, malformed } from '../feed-refused.ts';
import type { FeedLimits } from '../limits.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** `bare` = a number, true, false or null; `nested` = an object or array. */
type Kind = 'bare' | 'string' | 'nested';

/**
 * Finds the end of one JSON value in chunks of bytes, without parsing it. Skips strings with `indexOf` and reads each byte a
 * bounded number of times.
 */
export class JsonToken {
  readonly #limits: Pick<FeedLimits, 'recordBytes' | 'depth'>;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #kind: Kind | undefined;
  #depth = 0;
  #inString = false;
  /** Whether the previous chunk ended with an escaping backslash. */
  #isEscaped = false;
  #parts: Uint8Array[] = [];
  #partsBytes = 0;

  constructor(limits: Pick<FeedLimits, 'recordBytes' | 'depth'>) {
    this.#limits = limits;
  }

  /** Whether a value has begun and its end is not reached. */
  get isOpen(): boolean {
    return this.#kind !== undefined;
  }

  /** Whether it is a bare value, which the end of the document also terminates. */
  get isBare(): boolean {
    return this.#kind === 'bare';
  }

  /** Begins a value with its first byte, which is then passed to `read`. */
  begin(byte: number): void {
    if (byte === QUOTE) this.#kind = 'string';
    else this.#kind = byte === OPEN_OBJECT || byte === OPEN_ARRAY ? 'nested' : 'bare';
    this.#depth = 0;
    this.#inString = false;
  }

  /** Continues the value; returns the offset after its last byte. Throws {@link FeedRefused} if it is too large. */
  read(chunk: Uint8Array, from: number): number {
    const to = this.#scan(chunk, from);
    if (this.#partsBytes + to - from > this.#limits.recordBytes)
      throw new FeedRefused(
        'too_large',
        `A record of the feed is larger than ${this.#limits.recordBytes} bytes. Check that it is the right file.`,
      );
    return to;
  }

  /** Stores a copy of a part that does not end with this chunk. */
  keep(part: Uint8Array): void {
    this.#parts.push(part.slice());
    this.#partsBytes += part.length;
  }

  /** Ends the value with its last part and returns its text. */
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

  #scan(chunk: Uint8Array, from: number): number {
    if (this.#kind === 'bare') return this.#scanBare(chunk, from);
    let at = from;
    while (at < chunk.length) {
      if (this.#inString) {
        at = this.#scanString(chunk, at);
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

  #scanBare(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte <= 0x20 || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT)
        return this.#close(at);
    }
    return chunk.length;
  }

  /** Returns the offset after the closing quote: the first quote after an even number of backslashes. */
  #scanString(chunk: Uint8Array, from: number): number {
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
