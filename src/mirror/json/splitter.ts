import { malformed, truncated } from '../feed-refused.ts';
import type { FeedLimits } from '../limits.ts';
import { JsonToken } from './token.ts';

/**
 * Location of the records in a JSON document: `values` = each top-level value, one or several (NDJSON); `elements` = the elements
 * of the top-level array; `entries` = the values of the top-level object; `{ within }` = the elements of the array at this key of
 * the top-level object, whose other entries are reported too.
 */
export type Layout = 'values' | 'elements' | 'entries' | { readonly within: string };

/** Receives the JSON text of a member, which may be malformed inside; `key` is set for entries of objects, else null. */
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
 * Finds the records of a JSON document in one pass over its bytes, however large it is. Parses only the container; consumers
 * parse the records.
 */
export class JsonSplitter {
  readonly #layout: Layout;
  readonly #onMember: OnMember;
  readonly #token: JsonToken;
  /** Closing brackets of the current containers, at most two. */
  readonly #containers: number[] = [];
  #expected: Expected = 'begin';
  #key: string | null = null;
  #bomBytes = 0;

  constructor(layout: Layout, onMember: OnMember, limits: Pick<FeedLimits, 'recordBytes' | 'depth'>) {
    this.#layout = layout;
    this.#onMember = onMember;
    this.#token = new JsonToken(limits);
  }

  /** Whether the top-level container is closed; always false for `values`. */
  get isClosed(): boolean {
    return this.#expected === 'nothing';
  }

  /** Reads the next bytes; throws a FeedRefused for malformed JSON, another layout, or a record beyond the limits. */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (!this.#token.isOpen) at = this.#skipStructure(chunk, at);
      if (at === chunk.length) return;
      const start = at;
      at = this.#token.read(chunk, at);
      if (this.#token.isOpen) this.#token.keep(chunk.subarray(start, at));
      else this.#finish(chunk.subarray(start, at));
    }
  }

  /** Ends the document; throws a FeedRefused if it is incomplete. */
  end(): void {
    const isStream = this.#layout === 'values';
    if (isStream && this.#token.isBare) this.#finish(new Uint8Array(0));
    if (this.#token.isOpen || !(this.isClosed || (isStream && this.#expected === 'value')))
      throw truncated('a record');
  }

  /** Skips white space and structural characters; returns the offset of the next value or key. */
  #skipStructure(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      if (this.#expected === 'begin' && byte === BOM[this.#bomBytes]) {
        this.#bomBytes += 1;
        continue;
      }
      if (this.#isStructure(byte)) continue;
      if (byte === COMMA || byte === COLON || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) throw notJson();
      if (this.#isKey && byte !== QUOTE) throw notJson();
      this.#token.begin(byte);
      return at;
    }
    return chunk.length;
  }

  get #isKey(): boolean {
    return this.#expected === 'key' || this.#expected === 'key or end';
  }

  /** Handles a structural character; false = a value or key begins here. */
  #isStructure(byte: number): boolean {
    const closing = this.#containers.at(-1);
    switch (this.#expected) {
      case 'begin':
        return this.#enterRoot(byte);
      case 'colon':
        if (byte !== COLON) throw notJson();
        this.#expected = 'value';
        return true;
      case 'comma or end':
        if (byte === closing) return this.#leave();
        if (byte !== COMMA) throw notJson();
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
        throw notJson();
    }
  }

  #enterRoot(byte: number): boolean {
    if (this.#bomBytes % BOM.length !== 0) throw malformed('The feed is not UTF-8');
    this.#expected = 'value';
    if (this.#layout === 'values') return false;
    const isArray = this.#layout === 'elements';
    if (byte !== (isArray ? OPEN_ARRAY : OPEN_OBJECT)) throw notJson();
    return this.#enter(isArray ? CLOSE_ARRAY : CLOSE_OBJECT);
  }

  /** Whether the array with the records begins here. */
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

/** Parses JSON; throws a FeedRefused if it is malformed. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

const notJson = () => malformed('The feed is not JSON');
