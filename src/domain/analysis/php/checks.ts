import { ORIGIN } from '../origin.ts';
import { isDangerousName } from './functions.ts';
import { originsOf, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Checks of what a value may be, with the position of the value among the arguments. */
const CHECKS: Readonly<Record<string, number>> = {
  in_array: 0,
  array_key_exists: 0,
  ctype_alnum: 0,
  ctype_alpha: 0,
  ctype_digit: 0,
  is_numeric: 0,
  preg_match: 1,
};

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
  const position = CHECKS[name];
  const value = position === undefined ? undefined : args[position];
  if (value === undefined || !(originsOf(value) & ORIGIN.request)) return;
  if (STATEMENT_BEGINS.has(walk.tokens[start - 2]?.text ?? ';')) return;
  if (name === 'preg_match' && !ANCHORED.test(args[0]?.text ?? '')) return;
  // The first argument of `preg_match` is one text here, so the value stands behind it and a comma.
  const place = placeAt(walk, start + (position === 0 ? 1 : 3));
  if (place !== undefined) walk.checked.set(place, restrictionOf(walk.itemsOf(args[1])));
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
