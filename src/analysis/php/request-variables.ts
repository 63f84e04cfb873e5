import { ORIGIN } from '../origin.ts';
import { tokensFrom } from './arguments.ts';
import { PHP } from './signals.ts';
import { from, originsOf, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Reports variables that are set from the request. */
export function takeVariables(walk: Walk, _: readonly Value[], at: number): void {
  walk.report(PHP.extractRequest, at);
  walk.takesRequestVariables = true;
}

/** An array literal has constant names. */
const isWrittenList = (walk: Walk): boolean => ['[', 'array'].includes(tokensFrom(walk, 0)[0]?.text ?? '');

/** Judges `extract`, which turns all items of an array into variables. */
export function judgeExtract(walk: Walk, args: readonly Value[], at: number): void {
  const isFromRequest = ((args[0]?.origins ?? 0) & ORIGIN.request) !== 0;
  if (isFromRequest && !isWrittenList(walk)) takeVariables(walk, args, at);
}

/**
 * Judges `parse_str`, which turns a query string into variables. A second argument receives all of them; it is the token before
 * the parenthesis.
 */
export function judgeParse(walk: Walk, args: readonly Value[], at: number): void {
  const result = walk.peek(-2);
  if (args.length < 2) judgeExtract(walk, args, at);
  else if (result?.kind === 'variable') walk.assign(result.text, from(originsOf(args[0] ?? UNKNOWN)));
}
