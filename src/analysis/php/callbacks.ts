import { ORIGIN } from '../origin.ts';
import { callFunction } from './calls.ts';
import {
  changesText,
  isDangerousName,
  isHiddenName,
  RUNS_CODE,
  RUNS_COMMAND,
  TAKES_CALLBACK,
} from './functions.ts';
import { PHP } from './signals.ts';
import { from, originsOf, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** A function is reached by what a value holds: says so if that hides it. */
export function reportHidden(walk: Walk, callee: Value, name: string, at: number, isVariable: boolean): void {
  if (callee.origins & (ORIGIN.disguised | ORIGIN.assembled) && isHiddenName(name)) {
    // Checkers of themes refuse some names; whoever hides from more than them decodes the name.
    const isHarmless = !(callee.origins & ORIGIN.disguised) && changesText(name);
    walk.report(isHarmless ? PHP.joinedName : PHP.hiddenFunction, at, name);
  } else if (!isDangerousName(name)) {
    if (callee.origins & ORIGIN.disguised) walk.report(PHP.callDecoded, at);
  } else if (isVariable) walk.report(PHP.aliasedFunction, at, name);
}

/** Looks at what a function is given to call back, and follows it there. */
export function judgeCallback(walk: Walk, name: string, args: readonly Value[], at: number): void {
  const position = TAKES_CALLBACK[name] ?? 0;
  const given = args.at(position);
  const callback = given?.items?.get('options') ?? given;
  if (callback === undefined) return;
  // Its callbacks stand in an array, by tag.
  const byTag = name === 'yaml_parse' ? walk.itemsOf(callback) : [];
  if (byTag.some(({ text }) => isDangerousName(text?.toLowerCase() ?? ''))) walk.report(PHP.codeCallback, at);
  const others = args.filter((arg) => arg !== given);
  if (callback.items === undefined && callback.origins & ORIGIN.request) {
    walk.report(callback.origins & ORIGIN.prefixed ? PHP.callRequestPart : PHP.callbackRequest, at);
    return;
  }
  if (callback.items === undefined) walk.noteParameter('callback', callback.origins);
  const called = callback.text?.toLowerCase();
  if (called === undefined) {
    if (callback.origins & (ORIGIN.decoded | ORIGIN.disguised)) walk.report(PHP.callDecoded, at);
    return;
  }
  reportHidden(walk, callback, called, at, false);
  if (RUNS_CODE.has(called) || RUNS_COMMAND.has(called) || walk.functions.get(called)?.reaches.has('code')) {
    walk.report(PHP.codeCallback, at);
  }
  if (RUNS_CODE.has(called) || RUNS_COMMAND.has(called) || walk.functions.has(called)) {
    callFunction(
      walk,
      called,
      others.map((arg) => (arg.items ? from(originsOf(arg)) : arg)),
      at,
    );
  }
}
