import { ORIGIN } from '../origin.ts';
import { GUARDED_BY, isDangerousName } from './functions.ts';
import { originsOf, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Checks of what a value may be, with the position of the value among the arguments. */
const CHECKS: ReadonlyMap<string, number> = new Map([
  ['in_array', 0],
  ['array_key_exists', 0],
  ['ctype_alnum', 0],
  ['ctype_alpha', 0],
  ['ctype_digit', 0],
  ['is_numeric', 0],
  ['preg_match', 1],
]);

const STATEMENT_BEGINS = new Set([';', '{', '}', '@']);
const ANCHORED = /^[~#/@!%({]\^.*\$[~#/@!%)}][a-zA-Z]*$/s;

/**
 * Notes that a call checks a variable, or an item of one, which the request sets: by a list, by what its characters may be or
 * by a pattern for the whole. Only in a condition: what a statement throws away restricts nothing. Read from the tokens,
 * because a value does not say where it stood.
 *
 * @param start where the arguments begin, with their parenthesis
 */
export function noteCheck(walk: Walk, name: string, start: number, args: readonly Value[]): void {
  const position = CHECKS.get(name);
  const value = position === undefined ? undefined : args[position];
  if (value === undefined || !(originsOf(value) & ORIGIN.request)) return;
  if (STATEMENT_BEGINS.has(walk.tokens[start - 2]?.text ?? ';')) return;
  if (name === 'preg_match' && !ANCHORED.test(args[0]?.text ?? '')) return;
  // The first argument of `preg_match` is one text here, so the value stands behind it and a comma.
  const place = placeAt(walk, start + (position === 0 ? 1 : 3));
  if (place !== undefined) walk.checked.set(place, restrictionOf(walk.itemsOf(args[1])));
}

const ENDS = new Set(['die', 'exit', 'wp_die']);

/** The position behind a statement that ends the request, with its braces; undefined when there is none. */
function behindEnding({ tokens }: Walk, position: number): number | undefined {
  const hasBraces = tokens[position]?.text === '{';
  const start = hasBraces ? position + 1 : position;
  const { kind, text = '' } = tokens[start] ?? {};
  if (kind !== 'name' || !ENDS.has(text)) return undefined;
  const end = tokens.findIndex((token, at) => at > start && token.text === ';' && token.kind === 'operator');
  return end < 0 ? undefined : end + (hasBraces ? 2 : 1);
}

/** Tokens of the longest beginning that is looked at before a check that refuses. */
const BEFORE_TOKENS = 9;
const BEGINS_STATEMENT = /(?:^|[;}] )if \( !$/;

/**
 * Notes that the file ends for whoever may not do what it does: `if (!current_user_can(...)) die`, outside of functions. In a
 * block it must be that of a check whether WordPress is there, and what ends without it as well.
 *
 * @param start where the arguments begin, with their parenthesis; the walk stands behind them
 */
export function noteRefusal(walk: Walk, name: string, start: number): void {
  if (walk.scope !== '' || GUARDED_BY.get(name) !== 'capability' || walk.functions.has(name)) return;
  const behind = walk.isOperator(')') ? behindEnding(walk, walk.position + 1) : undefined;
  if (behind === undefined) return;
  const nameAt = start - 1;
  const before = walk.tokens
    .slice(Math.max(0, nameAt - BEFORE_TOKENS), nameAt)
    .map(({ text }) => text)
    .join(' ');
  const endsWithout =
    walk.tokens[behind + 1]?.text === 'else' && behindEnding(walk, behind + 2) !== undefined;
  walk.refusesOthers =
    walk.branches === 0
      ? BEGINS_STATEMENT.test(before)
      : before === `function_exists ( ${name} ) ) { if ( !` && endsWithout;
  walk.noteChecks();
}

/** A list of harmless names says what may be called; any other check, only that a path is not the caller's alone. */
function restrictionOf(names: readonly Value[]): number {
  const isHarmless =
    names.length > 0 && names.every(({ text }) => text !== undefined && !isDangerousName(text));
  return isHarmless ? ORIGIN.partial | ORIGIN.prefixed : ORIGIN.partial;
}

function placeAt(walk: Walk, position: number): string | undefined {
  const [variable, opening, key, closing] = walk.tokens.slice(position, position + 4);
  if (variable?.kind !== 'variable') return undefined;
  const hasKey = opening?.text === '[' && key?.kind === 'string' && closing?.text === ']';
  return walk.placeKey(variable.text, hasKey ? key.text : undefined);
}
