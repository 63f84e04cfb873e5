import type { Findings, Signal } from '../signal.ts';
import type { JsToken } from './lexer.ts';
import { BRACKETS } from './scopes.ts';

/** Minimum number of tokens in a block, which ends with a statement. */
const BLOCK_TOKENS_MIN = 600;
/** Shorter scripts are one block. */
const SCRIPT_TOKENS_MIN = 800;
const BLOCKS_MAX = 400;
/** Longer lines are not written by hand. */
const LONG_LINE_CHARS = 500;

/**
 * Splits a script at top-level statements into blocks that are large enough to judge their style. Long lines are blocks of their
 * own, to find code injected into a script.
 *
 * @returns the offsets of all boundaries; empty if the script is one block
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

/** Whether a token after a brace can begin a statement. */
const beginsStatement = (token: JsToken | undefined): boolean =>
  token?.kind === 'name'
    ? !/^(?:in|of|instanceof|else|catch|finally|while)$/.test(token.text)
    : token?.text === '!';

/** Returns a test whether an offset is in a long line; offsets must be ascending. */
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

/** Signals about the style of one block, with their offsets. */
export type Style = ReadonlyMap<Signal, number>;

const weightOf = (style: Style): number => [...style.keys()].reduce((sum, { weight }) => sum + weight, 0);

/**
 * Reports the style of the most suspicious block. Signals against malice count only for the style of their block, not for other
 * findings or blocks.
 */
export function reportStyle(
  styles: readonly Style[],
  findings: Findings,
  where: (at: number) => string,
): void {
  const most = styles.reduce<Style>((a, b) => (weightOf(b) > weightOf(a) ? b : a), new Map());
  for (const [signal, at] of most) findings.add(signal, where(at));
}
