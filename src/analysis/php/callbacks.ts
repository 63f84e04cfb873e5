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

/** Reports a call through a value that hides the name of the function. */
export function reportHidden(walk: Walk, callee: Value, name: string, at: number, isVariable: boolean): void {
  if (callee.origins & (ORIGIN.disguised | ORIGIN.assembled) && isHiddenName(name)) {
    // Theme checkers refuse some names, so honest code joins them from pieces; only malware decodes names.
    const isHarmless = !(callee.origins & ORIGIN.disguised) && changesText(name);
    walk.report(isHarmless ? PHP.joinedName : PHP.hiddenFunction, at, `${name}()`);
  } else if (!isDangerousName(name)) {
    if (callee.origins & ORIGIN.disguised) walk.report(PHP.callDecoded, at);
  } else if (isVariable) walk.report(PHP.aliasedFunction, at, `${name}()`);
}

/** Judges session handlers: all arguments are callbacks, called with the session name sent by the caller. */
export function judgeHandlers(walk: Walk, args: readonly Value[], at: number): void {
  for (const { text, items, origins } of args) {
    if (items === undefined && origins & ORIGIN.request) walk.report(PHP.callbackRequest, at);
    else if (isDangerousName(text?.toLowerCase() ?? '')) walk.report(PHP.codeCallback, at);
  }
}

/** Tokens before the end of a call that are searched for its fetch mode. */
const KIND_TOKENS_MAX = 12;

/** Judges a database call that passes each row to a function. */
export function judgeRows(walk: Walk, args: readonly Value[], at: number): void {
  const before = walk.tokens.slice(Math.max(0, walk.position - KIND_TOKENS_MAX), walk.position);
  if (before.some(({ kind, text }) => kind === 'name' && text === 'fetch_func'))
    judgeHandlers(walk, args.slice(1), at);
}

/** The `options` callback of a filter, or of the first of several filters that has one. */
function optionsOf(filter: Value | undefined): Value | undefined {
  const options = filter?.items?.get('options');
  if (options !== undefined || filter?.items === undefined || filter.items.size > FILTERS_MAX) return options;
  for (const { items } of filter.items.values()) if (items?.has('options')) return items.get('options');
  return undefined;
}
const FILTERS_MAX = 20;

/** Follows a callback `[object, method]`, or an invokable object. */
function callMember(walk: Walk, { items }: Value, args: readonly Value[], at: number): void {
  const method = items?.size === 2 ? items.get('1')?.text?.toLowerCase() : '__invoke';
  if (method !== undefined && walk.functions.has(method)) callFunction(walk, method, args, at);
}

/** Judges the callback passed to a function, and follows it. */
export function judgeCallback(walk: Walk, name: string, args: readonly Value[], at: number): void {
  const position = TAKES_CALLBACK[name] ?? 0;
  const given = args.at(position);
  const callback = optionsOf(given) ?? given;
  if (callback === undefined) return;
  // Its callbacks are in an array, by tag.
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
    callMember(walk, callback, others, at);
    return;
  }
  reportHidden(walk, callback, called, at, false);
  const reaches = walk.functions.get(called)?.reaches;
  // Buffered output is not a list of commands.
  const runsPage = name === 'ob_start' && reaches?.has('command') === true;
  if (RUNS_CODE.has(called) || RUNS_COMMAND.has(called) || reaches?.has('code') || runsPage)
    walk.report(PHP.codeCallback, at);
  if (RUNS_CODE.has(called) || RUNS_COMMAND.has(called) || walk.functions.has(called)) {
    callFunction(
      walk,
      called,
      others.map((arg) => (arg.items ? from(originsOf(arg)) : arg)),
      at,
    );
  }
}
