import { firstIndex } from '../../lib/first-index.ts';
import type { Shared } from './summary.ts';
import type { PhpToken } from './token.ts';
import type { Value } from './value.ts';

/** A parameter of a function that the file defines. */
export interface Parameter {
  readonly name: string;
  readonly isReference: boolean;
  /** What it is when no argument is given. */
  otherwise?: Value;
}

/** The body of a function, and what it is given. */
export interface Body {
  /** Offset of its opening brace in the source. */
  readonly at: number;
  readonly parameters: readonly Parameter[];
}

const DEPTH_MAX = 6;
const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);
/** What ends the last statement of a file. */
const LAST = { kind: 'operator', text: ';' };

/**
 * What a file would do with what is known: its loops, and calls of its own functions with constant arguments. How a script
 * hides names and code in its own way cannot be told from the outside, but it can be worked out. Nothing is run: the same
 * reading goes through the same tokens again, as often as the steps of one analysis allow.
 */
export class Runs {
  /** Whether the file calls or runs anything that the text does not name, so that it is worth working out. */
  isWanted: boolean;
  /** How a statement that was read left what it stands in. */
  leaving: 'return' | 'break' | 'continue' | 'unknown' | undefined;
  returned: Value | undefined;
  readonly bodies: Map<string, Body>;
  #depth = 0;
  #closings: Int32Array | undefined;
  readonly #tokens: readonly PhpToken[];
  readonly #shared: Shared;

  constructor(tokens: readonly PhpToken[], shared: Shared, first: Runs | undefined) {
    this.#tokens = tokens;
    this.#shared = shared;
    this.bodies = first?.bodies ?? new Map();
    this.isWanted = first?.isWanted ?? false;
  }

  /** Whether what is read now is what would happen, in its order, and not all that may happen. */
  get isRunning(): boolean {
    return this.#depth > 0;
  }

  /** Takes steps for tokens that are about to be read again. */
  spend(tokens: number): boolean {
    return this.#shared.step(tokens + 1);
  }

  enter(): boolean {
    if (this.#depth >= DEPTH_MAX) return false;
    this.#depth++;
    return true;
  }

  leave(): void {
    this.#depth--;
  }

  /** Begins with a function's body. */
  begin(): void {
    this.leaving = undefined;
    this.returned = undefined;
  }

  /** What a body has given back, and whether it could not be gone through to its end. */
  result(): { readonly returned: Value | undefined; readonly isUnknown: boolean } {
    const isUnknown = this.leaving === 'unknown';
    return { returned: isUnknown ? undefined : this.returned, isUnknown };
  }

  /** Reads a definition, which does not run; gives back what to call when it has been read. */
  suspend(): () => void {
    const { leaving } = this;
    const depth = this.#depth;
    this.#depth = 0;
    this.leaving = undefined;
    return () => {
      this.#depth = depth;
      this.leaving = leaving;
    };
  }

  /** Where the body of a function begins among the tokens that are read, which may be those of a part of the file. */
  startOf({ at }: Body): number | undefined {
    const start = firstIndex(this.#tokens, (token) => token.at >= at);
    return this.#tokens[start]?.at === at ? start : undefined;
  }

  /** The position of what closes the bracket at a position; that of the last token when nothing does. */
  closing(position: number): number {
    this.#closings ??= closingsOf(this.#tokens);
    return this.#closings[position] ?? this.#tokens.length;
  }

  /** The position behind a statement that is not read. */
  behind(position: number): number {
    let at = position;
    for (;;) {
      const { kind, text } = this.#tokens[at] ?? LAST;
      if (kind !== 'operator') at++;
      else if (text === '{') return this.closing(at) + 1;
      else if (text === ';') return at + 1;
      else at = OPENING.has(text) ? this.closing(at) + 1 : at + 1;
    }
  }
}

function closingsOf(tokens: readonly PhpToken[]): Int32Array {
  const closings = new Int32Array(tokens.length).fill(tokens.length);
  const open: number[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as PhpToken;
    if (kind !== 'operator') continue;
    if (OPENING.has(text)) open.push(at);
    else if (CLOSING.has(text)) {
      const opening = open.pop();
      if (opening !== undefined) closings[opening] = at;
    }
  }
  return closings;
}
