import { ORIGIN } from '../origin.ts';
import { tokensFrom } from './arguments.ts';
import { PHP } from './signals.ts';
import { from, originsOf, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** The request sets variables of its own. */
export function takeVariables(walk: Walk, _: readonly Value[], at: number): void {
  walk.report(PHP.extractRequest, at);
  walk.takesRequestVariables = true;
}

/** Names that stand in a list are the program's own. */
const isWrittenList = (walk: Walk): boolean => ['[', 'array'].includes(tokensFrom(walk, 0)[0]?.text ?? '');

/** All items of an array become variables. */
export function judgeExtract(walk: Walk, args: readonly Value[], at: number): void {
  const isFromRequest = ((args[0]?.origins ?? 0) & ORIGIN.request) !== 0;
  if (isFromRequest && !isWrittenList(walk)) takeVariables(walk, args, at);
}

/** A query string becomes variables. With a second argument it sets that one alone, which then stands right before the parenthesis. */
export function judgeParse(walk: Walk, args: readonly Value[], at: number): void {
  const result = walk.peek(-2);
  if (args.length < 2) judgeExtract(walk, args, at);
  else if (result?.kind === 'variable') walk.assign(result.text, from(originsOf(args[0] ?? UNKNOWN)));
}
