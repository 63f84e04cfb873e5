import type { PhpToken } from './token.ts';
import type { Walk } from './walk.ts';

const TOKENS_MAX = 200;

/** Index of an argument of the last call; undefined if it is missing. */
function argumentAt(walk: Walk, position: number): number | undefined {
  const end = Math.min(walk.position, walk.argumentsAt + TOKENS_MAX);
  let left = position;
  let depth = 0;
  for (let at = walk.argumentsAt; at < end; at++) {
    const { kind, text } = walk.tokens[at] as PhpToken;
    if (left === 0 && depth === 1) return at;
    if (kind !== 'operator') continue;
    if (text === '(' || text === '[') depth++;
    else if (text === ')' || text === ']') depth--;
    else if (text === ',' && depth === 1) left--;
  }
  return undefined;
}

/** The tokens of the last call from an argument on; empty if it is missing. */
export function tokensFrom(walk: Walk, position: number): readonly PhpToken[] {
  const at = argumentAt(walk, position);
  return at === undefined ? [] : walk.tokens.slice(at, Math.min(walk.position, at + TOKENS_MAX));
}

const ENDING_CHARS_MAX = 80;

/** Whether an argument of the last call ends with a text that matches. */
export function argumentEnds(walk: Walk, position: number, pattern: RegExp): boolean {
  const last = walk.tokens[(argumentAt(walk, position + 1) ?? walk.position) - 2];
  return (
    (last?.kind === 'string' || last?.kind === 'template') && pattern.test(last.text.slice(-ENDING_CHARS_MAX))
  );
}

/** The variable that is the whole argument of the last call; undefined for other arguments. */
export function argumentVariable(walk: Walk, position: number): string | undefined {
  const at = argumentAt(walk, position) ?? walk.tokens.length;
  const next = walk.tokens[at + 1]?.text;
  const token = walk.tokens[at];
  return token?.kind === 'variable' && (next === ',' || next === ')') ? token.text : undefined;
}

/** The variable to which the result of the last call is assigned directly. */
export function resultVariable({ tokens, argumentsAt }: Walk): string | undefined {
  let at = argumentsAt - 2;
  // Skip the object of a method call.
  if (tokens[at]?.text === '->') at -= 2;
  if (tokens[at]?.text === '@') at--;
  const target = tokens[at - 1];
  return tokens[at]?.text === '=' && target?.kind === 'variable' ? target.text : undefined;
}
