import type { Shared } from './summary.ts';
import type { PhpToken } from './token.ts';
import type { Value } from './value.ts';

/** Deeper nesting is not followed. */
const DEPTH_MAX = 60;
const SHORT_TEXT_CHARS = 64;
/** What a look at an item takes from the decoding budget. */
export const ITEM_COST_CHARS = 16;
/** What unfolding takes from it in addition to the lengths before and afterwards. */
export const INFLATE_COST_CHARS = 2_000;

/** Where the reading of a file is among its tokens, and what it may still spend. */
export class Reader {
  position = 0;
  depth = 0;
  /** Where the statement being read begins. */
  statementAt = 0;
  readonly tokens: readonly PhpToken[];
  readonly shared: Shared;

  constructor(tokens: readonly PhpToken[], shared: Shared) {
    this.tokens = tokens;
    this.shared = shared;
  }

  get token(): PhpToken | undefined {
    return this.tokens[this.position];
  }

  peek(ahead: number): PhpToken | undefined {
    return this.tokens[this.position + ahead];
  }

  isOperator(text: string, ahead = 0): boolean {
    const token = this.tokens[this.position + ahead];
    return token !== undefined && token.text === text && token.kind === 'operator';
  }

  isName(text: string): boolean {
    const token = this.tokens[this.position];
    return token !== undefined && token.kind === 'name' && token.text === text;
  }

  /** Steps over an operator if it stands here. */
  accept(text: string): boolean {
    const token = this.tokens[this.position];
    if (token === undefined || token.text !== text || token.kind !== 'operator') return false;
    this.position++;
    return true;
  }

  /** Goes one level down; false, and one token on, when that is too deep. */
  enter(): boolean {
    if (this.depth >= DEPTH_MAX) {
      this.position++;
      return false;
    }
    this.depth++;
    return true;
  }

  leave(): void {
    this.depth--;
  }

  spend(chars: number): boolean {
    return this.shared.spend(chars);
  }

  /** A value to be looked at: without its text when that is long and too many such have been looked at. */
  recall(value: Value): Value {
    const chars = value.text?.length ?? 0;
    if (chars <= SHORT_TEXT_CHARS || this.shared.recall(chars)) return value;
    const { text: _, ...others } = value;
    return others;
  }

  /** The items of an array; none when too many have been looked at. */
  itemsOf(value: Value | undefined): readonly Value[] {
    const items = value?.items;
    return items && this.spend(items.size * ITEM_COST_CHARS) ? [...items.values()] : [];
  }
}
