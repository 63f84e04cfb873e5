import type { Shared } from './summary.ts';
import type { PhpToken } from './token.ts';
import type { Value } from './value.ts';

/** Deeper nesting is not followed. */
const DEPTH_MAX = 60;
const SHORT_TEXT_CHARS = 64;
/** Cost of an item in the decoding budget. */
export const ITEM_COST_CHARS = 16;
/** Cost of decompression in the decoding budget, in addition to the lengths before and after. */
export const INFLATE_COST_CHARS = 2_000;

/** The position in the tokens of a file, and the budgets. */
export class Reader {
  position = 0;
  depth = 0;
  /** Index of the first token of the current statement. */
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

  /** Skips an operator; false if another token is next. */
  accept(text: string): boolean {
    const token = this.tokens[this.position];
    if (token === undefined || token.text !== text || token.kind !== 'operator') return false;
    this.position++;
    return true;
  }

  /** Increases the depth; if it is at the maximum, skips one token and returns false. */
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

  /** Charges the budget for reading a value; without its text if it is long and the budget is used up. */
  recall(value: Value): Value {
    const chars = value.text?.length ?? 0;
    if (chars <= SHORT_TEXT_CHARS || this.shared.recall(chars)) return value;
    const { text: _, ...others } = value;
    return others;
  }

  /** The items of an array; empty if the budget is used up. */
  itemsOf(value: Value | undefined): readonly Value[] {
    const items = value?.items;
    return items && this.spend(items.size * ITEM_COST_CHARS) ? [...items.values()] : [];
  }
}
