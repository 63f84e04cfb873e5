import { malformed, truncated } from '../feed-refused.ts';
import type { FeedLimits } from '../limits.ts';
import { JsonToken } from './token.ts';

/**
 * The place of the records in a JSON document: `values` = each value of the document, one or many (NDJSON); `elements` = those
 * of its array; `entries` = those of its object; `{ within }` = those of the array at this key of its object, which has further
 * entries.
 */
export type Layout = 'values' | 'elements' | 'entries' | { readonly within: string };

/** Takes a piece of JSON text, which may still be malformed inside; `key` is that of an object's entry, else null. */
export type OnMember = (text: string, key: string | null) => void;

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BOM = [0xef, 0xbb, 0xbf];

type Expected =
  | 'begin'
  | 'value'
  | 'value or end'
  | 'key'
  | 'key or end'
  | 'colon'
  | 'comma or end'
  | 'nothing';

/**
 * Finds the records of a JSON document that may be far too large to parse, in one pass over its bytes. Interprets only the
 * container; the consumer of a record parses it.
 */
export class JsonSplitter {
  readonly #layout: Layout;
  readonly #onMember: OnMember;
  readonly #token: JsonToken;
  /** The brackets that close the containers we are in, at most two. */
  readonly #containers: number[] = [];
  #expected: Expected = 'begin';
  #key: string | null = null;
  #bomBytes = 0;

  constructor(layout: Layout, onMember: OnMember, limits: Pick<FeedLimits, 'recordBytes' | 'depth'>) {
    this.#layout = layout;
    this.#onMember = onMember;
    this.#token = new JsonToken(limits);
  }

  /** Whether the container was closed; never of `values`. */
  get isClosed(): boolean {
    return this.#expected === 'nothing';
  }

  /** Takes the next bytes; throws a FeedRefused for what is no JSON of this layout, or too large. */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (!this.#token.isOpen) at = this.#between(chunk, at);
      if (at === chunk.length) return;
      const start = at;
      at = this.#token.read(chunk, at);
      if (this.#token.isOpen) this.#token.keep(chunk.subarray(start, at));
      else this.#finish(chunk.subarray(start, at));
    }
  }

  /** Tells that no bytes follow; throws a FeedRefused when some should. */
  end(): void {
    const isStream = this.#layout === 'values';
    if (isStream && this.#token.isBare) this.#finish(new Uint8Array(0));
    if (this.#token.isOpen || !(this.isClosed || (isStream && this.#expected === 'value')))
      throw truncated('a record');
  }

  /** Goes to where the next value or key begins, over white space and what holds the container together. */
  #between(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      if (this.#expected === 'begin' && byte === BOM[this.#bomBytes]) {
        this.#bomBytes += 1;
        continue;
      }
      if (this.#isStructure(byte)) continue;
      if (byte === COMMA || byte === COLON || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) throw noJson();
      if (this.#isKey && byte !== QUOTE) throw noJson();
      this.#token.begin(byte);
      return at;
    }
    return chunk.length;
  }

  get #isKey(): boolean {
    return this.#expected === 'key' || this.#expected === 'key or end';
  }

  /** Takes a byte of the container itself; false = a value or key begins here. */
  #isStructure(byte: number): boolean {
    const closing = this.#containers.at(-1);
    switch (this.#expected) {
      case 'begin':
        return this.#enterRoot(byte);
      case 'colon':
        if (byte !== COLON) throw noJson();
        this.#expected = 'value';
        return true;
      case 'comma or end':
        if (byte === closing) return this.#leave();
        if (byte !== COMMA) throw noJson();
        this.#expected = closing === CLOSE_OBJECT ? 'key' : 'value';
        return true;
      case 'key or end':
      case 'value or end':
        return byte === closing && this.#leave();
      case 'value':
        return this.#isList(byte) && this.#enter(CLOSE_ARRAY);
      case 'key':
        return false;
      case 'nothing':
        throw noJson();
    }
  }

  #enterRoot(byte: number): boolean {
    if (this.#bomBytes % BOM.length !== 0) throw malformed('The feed is not UTF-8');
    this.#expected = 'value';
    if (this.#layout === 'values') return false;
    const isArray = this.#layout === 'elements';
    if (byte !== (isArray ? OPEN_ARRAY : OPEN_OBJECT)) throw noJson();
    return this.#enter(isArray ? CLOSE_ARRAY : CLOSE_OBJECT);
  }

  /** Whether the array begins here in which the layout has its records. */
  #isList(byte: number): boolean {
    const isWithin = typeof this.#layout === 'object' && this.#key === this.#layout.within;
    return isWithin && this.#containers.length === 1 && byte === OPEN_ARRAY;
  }

  #enter(closing: number): true {
    this.#containers.push(closing);
    this.#key = null;
    this.#expected = closing === CLOSE_ARRAY ? 'value or end' : 'key or end';
    return true;
  }

  #leave(): true {
    this.#containers.pop();
    this.#expected = this.#containers.length === 0 ? 'nothing' : 'comma or end';
    return true;
  }

  #finish(last: Uint8Array): void {
    const text = this.#token.take(last);
    if (this.#isKey) {
      this.#key = String(parsed(text));
      this.#expected = 'colon';
      return;
    }
    const key = this.#key;
    this.#key = null;
    this.#expected = this.#containers.length === 0 ? 'value' : 'comma or end';
    this.#onMember(text, key);
  }
}

/** The value of a JSON text; throws a FeedRefused when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw noJson();
  }
}

const noJson = () => malformed('The feed is not JSON');
