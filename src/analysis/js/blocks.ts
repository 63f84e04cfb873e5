import type { Findings, Signal } from '../signal.ts';
import type { JsToken } from './lexer.ts';
import { BRACKETS } from './scopes.ts';

/** Tokens from which on a block ends with the statement. */
const BLOCK_TOKENS_MIN = 600;
/** Scripts of fewer are one block. */
const SCRIPT_TOKENS_MIN = 800;
const BLOCKS_MAX = 400;
/** From here on a line was not written by hand. */
const LONG_LINE_CHARS = 500;

/**
 * Where the blocks of a script begin and end: statements of the outermost level, together until they are enough to judge how they
 * are written, and apart where long lines begin or end, as with code injected into a script.
 *
 * @returns offsets, from the first to the last; none where the script is one block
 */
export function blocksOf(source: string, tokens: readonly JsToken[]): readonly number[] {
  if (tokens.length < SCRIPT_TOKENS_MIN) return [];
  const bounds = [0];
  const isLongLine = longLines(source);
  let depth = 0;
  let first = 0;
  let isLong = isLongLine(tokens[0]?.at ?? 0);
  for (let at = 0; at < tokens.length - 1 && bounds.length < BLOCKS_MAX; at++) {
    const { kind, text } = tokens[at] as JsToken;
    if (kind !== 'sign') continue;
    const bracket = BRACKETS[text.charCodeAt(0)];
    if (bracket === 1) depth++;
    else if (bracket === -1 && depth > 0) depth--;
    if (depth > 0 || (text !== ';' && (text !== '}' || !beginsStatement(tokens[at + 1])))) continue;
    const next = (tokens[at + 1] as JsToken).at;
    const isNextLong = isLongLine(next);
    if (at - first < BLOCK_TOKENS_MIN && isNextLong === isLong) continue;
    bounds.push(next);
    first = at + 1;
    isLong = isNextLong;
  }
  return bounds.length > 1 ? [...bounds, source.length] : [];
}

/** Whether a token behind a brace can begin a statement. */
const beginsStatement = (token: JsToken | undefined): boolean =>
  token?.kind === 'name'
    ? !/^(?:in|of|instanceof|else|catch|finally|while)$/.test(token.text)
    : token?.text === '!';

/** Tells whether a place is in a long line; places are to be asked for in their order. */
function longLines(source: string): (at: number) => boolean {
  let start = 0;
  let end = -1;
  return (at) => {
    while (at > end && end < source.length) {
      start = end + 1;
      const found = source.indexOf('\n', start);
      end = found < 0 ? source.length : found;
    }
    return end - start > LONG_LINE_CHARS;
  };
}

/** What was found of how one block is written. */
export type Style = ReadonlyMap<Signal, number>;

const weightOf = (style: Style): number => [...style.keys()].reduce((sum, { weight }) => sum + weight, 0);

/**
 * Reports how the most telling block is written. What speaks for a block speaks for its style only: it takes nothing from what was
 * found at a place, nor from another block.
 */
export function reportStyle(
  styles: readonly Style[],
  findings: Findings,
  where: (at: number) => string,
): void {
  const most = styles.reduce<Style>((a, b) => (weightOf(b) > weightOf(a) ? b : a), new Map());
  for (const [signal, at] of most) findings.add(signal, where(at));
}
