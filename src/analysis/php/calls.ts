import { ORIGIN, POSITIONS, positionOf } from '../origin.ts';
import { judgeCallback, judgeRows, reportHidden } from './callbacks.ts';
import { readsCardByMethod } from './cards.ts';
import { foldCall, isFolded, SLOW } from './fold.ts';
import { GUARDED_BY, isDangerousName, RUNS_CODE, RUNS_COMMAND, TAKES_CALLBACK } from './functions.ts';
import { noteSearch } from './injections.ts';
import { asOne, judgeCall, touchFile } from './judges.ts';
import { noteAddressee } from './mails.ts';
import { isUrl } from './operators.ts';
import { readArguments } from './primaries.ts';
import { resultOrigins } from './results.ts';
import { PHP } from './signals.ts';
import { include, runCode, runCommand } from './sinks.ts';
import { storeUpload } from './uploads.ts';
import { from, originsOfAll, UNKNOWN, type Value } from './value.ts';
import { INFLATE_COST_CHARS, ITEM_COST_CHARS, type Sink, type Walk } from './walk.ts';

/** A call of what a variable or an expression names. */
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
    return from(originsOfAll(args));
  }
  // A command that nobody can change is not worth hiding.
  const isFixed = RUNS_COMMAND.has(name) && args.every(({ text }) => text !== undefined);
  reportHidden(walk, callee, name, at, isVariable && !isFixed);
  return callFunction(walk, name, args, at);
}

/** Calls that stand around definitions and do nothing else. */
const OF_DEFINITIONS = new Set(['defined', 'define', 'class_exists', 'function_exists', 'dirname']);

/** A call of a function by its name: what it means for the file, and what it returns. */
export function callFunction(walk: Walk, name: string, args: readonly Value[], at: number): Value {
  if (!OF_DEFINITIONS.has(name)) walk.noteAction();
  if (walk.reporting) walk.calls.set(name, (walk.calls.get(name) ?? 0) + 1);
  const own = walk.functions.get(name);
  if (own) return callOwn(walk, name, args, at);
  const guard = GUARDED_BY[name];
  if (guard) walk.addGuards([guard]);

  judgeCall(walk, name, args, at);
  const folded = fold(walk, name, args);
  if (folded) return folded;
  const origins = resultOrigins(walk, name, args);
  // An open file is as good as its path.
  if (name !== 'fopen') return from(origins);
  const [{ text: path, origins: ofPath } = UNKNOWN] = args;
  return path === undefined ? from(origins | (ofPath & ORIGIN.logEnding)) : { text: path, origins };
}

/** What a call takes from the decoding budget besides the length of its arguments. */
const CALL_COST_CHARS = 16;

function fold(walk: Walk, name: string, args: readonly Value[]): Value | undefined {
  if (args.length === 0 || !isFolded(name)) return undefined;
  let chars = CALL_COST_CHARS + (/^(?:gz|zlib)/.test(name) ? INFLATE_COST_CHARS : 0);
  for (const { text, items } of args) chars += (text?.length ?? 0) + (items?.size ?? 0) * ITEM_COST_CHARS;
  if (SLOW.has(name)) chars *= 2;
  if (!walk.spend(chars)) return undefined;
  const folded = foldCall(name, args);
  if (folded?.text !== undefined && !walk.spend(folded.text.length)) return undefined;
  return folded;
}

/** What a method or constructor is given may be kept in a property, and another method run it. */
function keepInProperties(walk: Walk, passed: Value, at: number): void {
  if (walk.propertyReaches.has('code')) runCode(walk, passed, at);
  if (walk.propertyReaches.has('command')) runCommand(walk, passed, at);
}

/** Origins of the arguments at some positions. */
const originsAt = (walk: Walk, args: readonly Value[], positions: number): number =>
  originsOfAll(args.filter((_, position) => walk.namesArguments || positions & positionOf(position)));

/** A function that the file itself defines. */
function callOwn(walk: Walk, name: string, args: readonly Value[], at: number): Value {
  const summary = walk.functions.get(name);
  if (summary === undefined) return UNKNOWN;
  const { reaches, reachesWhole, returns, guards } = summary;
  if (guards.size > 0) walk.addGuards(guards);
  for (const [sink, positions] of reaches)
    reachSink(walk, sink, reachesWhole.has(sink), originsAt(walk, args, positions), at);
  if (originsOfAll(args) & ORIGIN.request) keepInProperties(walk, from(originsOfAll(args)), at);
  const own = (returns & ~(ORIGIN.parameter | POSITIONS)) | fetchedBy(returns, args);
  return from(returns & ORIGIN.parameter ? own | (originsAt(walk, args, returns) & ~ORIGIN.assembled) : own);
}

/** A function that gives what a file holds gives what another host sends when an address is passed for the path. */
const fetchedBy = (returns: number, args: readonly Value[]): number =>
  returns & ORIGIN.file && returns & ORIGIN.parameter && args.some(isUrl)
    ? ORIGIN.remote | ORIGIN.markup
    : ORIGIN.none;

/** What a function is given reaches something dangerous in it. */
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

/** Methods of Windows objects that run a command; elsewhere such names mean anything. */
const RUNS_OF_COM = new Set(['exec', 'run', 'shellexecute']);
const SORTS = new Set(['uasort', 'uksort', 'usort']);

/** Methods by which a route of WordPress reads what it is sent. */
const OF_REST = new Set([
  'get_param',
  'get_params',
  'get_json_params',
  'get_body_params',
  'get_query_params',
  'get_body',
]);

/** Methods of WordPress that tell why a request failed, which the other host does not say. */
const TELLS_ERRORS = new Set(['get_error_message', 'get_error_messages', 'get_error_code']);

/** A call of a method, by its name alone. */
export function callMethod(
  walk: Walk,
  name: string,
  args: readonly Value[],
  at: number,
  object: Value,
): Value {
  walk.noteAction();
  if (walk.functions.has(name)) return callOwn(walk, name, args, at);
  // Constants read by reflection: names that stand nowhere near the call.
  if (name === 'getconstants' || name === 'getconstant' || name === 'getdoccomment')
    return from(ORIGIN.disguised);
  if (Object.hasOwn(TAKES_CALLBACK, name)) judgeCallback(walk, name, args, at);
  if (SORTS.has(name) && RUNS_CODE.has(args[0]?.text?.toLowerCase() ?? '')) walk.report(PHP.codeCallback, at);
  if (object.origins & ORIGIN.request && object.text === undefined) walk.report(PHP.variableRequest, at);
  if (walk.calls.has('com') && RUNS_OF_COM.has(name) && originsOfAll(args) & ORIGIN.request)
    runCommand(walk, asOne(args), at);
  if (name === 'addaddress' || name === 'addbcc') noteAddressee(walk, args, at);
  else if (name === 'fetchall') judgeRows(walk, args, at);
  if (name === 'eval' && walk.calls.has('perl')) runCode(walk, asOne(args), at);
  if (TELLS_ERRORS.has(name)) return UNKNOWN;
  if (readsCardByMethod(walk, name, args)) return from(ORIGIN.request);
  return from((object.origins & (ORIGIN.remote | ORIGIN.markup)) | (OF_REST.has(name) ? ORIGIN.cleaned : 0));
}

/** `new ...`: the class and its arguments. */
export function construct(walk: Walk, at: number): Value {
  walk.noteAction();
  const { token } = walk;
  if (token === undefined) return UNKNOWN;
  if (token.kind === 'name' && token.text !== 'class') {
    walk.position++;
    const args = walk.isOperator('(') ? readArguments(walk) : [];
    if (walk.functions.has('__construct')) callOwn(walk, '__construct', args, at);
    if (token.text === 'reflectionfunction' && originsOfAll(args) & ORIGIN.request)
      walk.report(PHP.callbackRequest, at);
    if (token.text === 'reflectionfunction' && isDangerousName(args[0]?.text?.toLowerCase() ?? ''))
      walk.report(PHP.codeCallback, at);
    noteSearch(walk, token.text);
    if (token.text === 'directoryiterator' && originsOfAll(args) & ORIGIN.request)
      touchFile(walk, 'opendir', at);
    if (token.text === 'perl') walk.calls.set('perl', 1);
    if (token.text === 'com') for (const name of ['com', 'system']) walk.calls.set(name, 1);
    return UNKNOWN;
  }
  if (token.kind === 'variable') {
    if (walk.variable(token.text).origins & ORIGIN.request) walk.report(PHP.variableRequest, at);
    walk.position++;
  }
  return UNKNOWN;
}
