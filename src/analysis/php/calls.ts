import { endsAsLog, ORIGIN, POSITIONS, positionOf } from '../origin.ts';
import { reportHidden } from './callbacks.ts';
import { FOLDED, foldCall, SLOW } from './fold.ts';
import { GUARDED_BY, RUNS_COMMAND } from './functions.ts';
import { include } from './includes.ts';
import { judgeCall } from './judges.ts';
import { isUrl, joinFormat } from './operators.ts';
import { INFLATE_COST_CHARS, ITEM_COST_CHARS } from './reader.ts';
import { resultOrigins } from './results.ts';
import { PHP } from './signals.ts';
import { runCode, runCommand } from './sinks.ts';
import type { Sink } from './summary.ts';
import { touchFile } from './touches.ts';
import { storeUpload } from './uploads.ts';
import { from, originsOfAll, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Evaluates a call through a variable or expression. */
export function callValue(
  walk: Walk,
  callee: Value,
  args: readonly Value[],
  at: number,
  isVariable: boolean,
): Value {
  walk.noteAction();
  const origins = callee.origins;
  const name = callee.text?.toLowerCase();
  if (origins & ORIGIN.request) {
    walk.report(origins & ORIGIN.prefixed ? PHP.callRequestPart : PHP.callRequest, at);
    return from(originsOfAll(args));
  }
  walk.noteParameter('callback', origins);
  if (name === undefined) {
    if (origins & (ORIGIN.decoded | ORIGIN.disguised)) walk.report(PHP.callDecoded, at);
    return walk.functions.has('__invoke') ? callOwn(walk, '__invoke', args, at) : from(originsOfAll(args));
  }
  // Hiding a fixed command has no purpose.
  const isFixed = RUNS_COMMAND.has(name) && args.every(({ text }) => text !== undefined);
  reportHidden(walk, callee, name, at, isVariable && !isFixed);
  return callFunction(walk, name, args, at);
}

/** Calls that only guard definitions. */
const OF_DEFINITIONS = new Set(['defined', 'define', 'class_exists', 'function_exists', 'dirname']);

/** Judges and evaluates a call of a named function. */
export function callFunction(walk: Walk, name: string, args: readonly Value[], at: number): Value {
  if (!OF_DEFINITIONS.has(name)) walk.noteAction();
  if (walk.reporting) walk.calls.set(name, (walk.calls.get(name) ?? 0) + 1);
  const own = walk.functions.get(name);
  if (own) return callOwn(walk, name, args, at);
  if (name === 'constant') return walk.constants.get(args[0]?.text?.toLowerCase() ?? '') ?? UNKNOWN;
  const guard = GUARDED_BY.get(name);
  if (guard) walk.addGuards([guard]);

  judgeCall(walk, name, args, at);
  const folded = fold(walk, name, args);
  if (folded) return folded;
  const joined = name === 'sprintf' ? joinFormat(args) : undefined;
  if (joined) return joined;
  const origins = resultOrigins(walk, name, args);
  if (origins & ORIGIN.request && !(originsOfAll(args) & ORIGIN.request)) walk.noteCallerRead();
  // An open file is represented by its path.
  if (name !== 'fopen') return from(origins);
  const [{ text: path, origins: ofPath } = UNKNOWN] = args;
  return path === undefined
    ? from(endsAsLog(ofPath) ? origins | ORIGIN.logEnding : origins)
    : { text: path, origins };
}

/** Cost of a call in the decoding budget, in addition to the length of its arguments. */
const CALL_COST_CHARS = 16;

/** Functions whose time does not depend on the length of the text. */
const MEASURES = new Set(['strlen', 'ord', 'chr', 'count']);

/** Constants with the program's own path and names. */
const OWN_NAMES = new Set(['__FILE__', '__CLASS__', '__FUNCTION__', '__METHOD__']);
const CUTS = new Set(
  'substr basename explode strrev str_replace rtrim ltrim trim preg_replace pathinfo strstr strtok'.split(
    ' ',
  ),
);

/** Evaluates a function called through call_user_func. */
function foldCalled(walk: Walk, [callee, ...others]: readonly Value[], isArray: boolean): Value | undefined {
  const called = callee?.text?.toLowerCase();
  if (called === undefined) return undefined;
  return fold(walk, called, isArray ? walk.itemsOf(others[0]) : others);
}

function fold(walk: Walk, name: string, args: readonly Value[]): Value | undefined {
  if (name === 'call_user_func' || name === 'call_user_func_array')
    return foldCalled(walk, args, name === 'call_user_func_array');
  if (CUTS.has(name) && args.some(({ text }) => text !== undefined && OWN_NAMES.has(text))) return UNKNOWN;
  if (args.length === 0 || !FOLDED.has(name)) return undefined;
  let chars = CALL_COST_CHARS + (/^(?:gz|zlib)/.test(name) ? INFLATE_COST_CHARS : 0);
  if (MEASURES.has(name)) return foldCall(name, args);
  for (const { text, items } of args) chars += (text?.length ?? 0) + (items?.size ?? 0) * ITEM_COST_CHARS;
  if (SLOW.has(name)) chars *= 2;
  if (!walk.spend(chars)) return undefined;
  const folded = foldCall(name, args);
  if (folded?.text !== undefined && !walk.spend(folded.text.length)) return undefined;
  return folded;
}

/** Origins of the arguments at some positions. */
const originsAt = (walk: Walk, args: readonly Value[], positions: number): number =>
  originsOfAll(args.filter((_, position) => walk.namesArguments || positions & positionOf(position)));

/** Applies the summary of a function defined in the file. */
export function callOwn(walk: Walk, name: string, args: readonly Value[], at: number): Value {
  const summary = walk.functions.get(name);
  if (summary === undefined) return UNKNOWN;
  const { reaches, reachesWhole, stores, returns, guards } = summary;
  if (guards.size > 0) walk.addGuards(guards);
  if (summary.readsCaller) walk.noteCallerRead();
  for (const [sink, positions] of reaches)
    reachSink(walk, sink, reachesWhole.has(sink), originsAt(walk, args, positions), at);
  // Another method may run the stored value.
  for (const [property, positions] of stores) walk.store(property, originsAt(walk, args, positions));
  const own = (returns & ~(ORIGIN.parameter | POSITIONS)) | fetchedBy(returns, args);
  return from(returns & ORIGIN.parameter ? own | (originsAt(walk, args, returns) & ~ORIGIN.assembled) : own);
}

/** If a function reads the file at a path parameter and is called with a URL, it returns remote content. */
const fetchedBy = (returns: number, args: readonly Value[]): number =>
  returns & ORIGIN.file && returns & ORIGIN.parameter && args.some(isUrl)
    ? ORIGIN.remote | ORIGIN.markup
    : ORIGIN.none;

/** Judges arguments that reach a sink inside the called function. */
function reachSink(walk: Walk, sink: Sink, isWhole: boolean, origins: number, at: number): void {
  const isFromRequest = (origins & ORIGIN.request) !== 0;
  const isNamed = isFromRequest && !(origins & ORIGIN.upload);
  switch (sink) {
    case 'code':
      if (origins & ~(ORIGIN.assembled | ORIGIN.parameter | POSITIONS | ORIGIN.file))
        runCode(walk, from(origins), at);
      break;
    case 'command':
      if (isFromRequest) runCommand(walk, from(origins), at);
      break;
    case 'include':
      if (isFromRequest) include(walk, from(isWhole ? origins : origins | ORIGIN.partial), at);
      break;
    case 'file':
      if (isNamed) touchFile(walk, 'file', at, origins & ~ORIGIN.partial);
      break;
    case 'callback':
      if (isFromRequest) walk.report(PHP.callbackRequest, at);
      break;
    case 'upload':
      if (isNamed || walk.scope === '') storeUpload(walk, from(origins), at);
  }
}
