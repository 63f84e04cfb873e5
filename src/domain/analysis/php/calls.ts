import { OF_WHOLE, ORIGIN } from '../origin.ts';
import { judgeCallback, reportHidden } from './callbacks.ts';
import { DECODERS, foldCall, isFolded, SLOW } from './fold.ts';
import {
  DECODES,
  FETCHES,
  GUARDED_BY,
  isDangerousName,
  LOOKS_FOR,
  PASSES_ON,
  READS_FILE,
  REQUEST_FUNCTIONS,
  RUNS_CODE,
  RUNS_COMMAND,
  TAKES_CALLBACK,
} from './functions.ts';
import { asOne, judgeCall, touchFile } from './judges.ts';
import { readArguments } from './primaries.ts';
import { PHP } from './signals.ts';
import { include, runCode, runCommand } from './sinks.ts';
import { from, originsOf, originsOfAll, UNKNOWN, type Value } from './value.ts';
import { INFLATE_COST_CHARS, ITEM_COST_CHARS, type Walk } from './walk.ts';

/** A call of what a variable or an expression names. */
export function callValue(
  walk: Walk,
  callee: Value,
  args: readonly Value[],
  at: number,
  isVariable: boolean,
): Value {
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

/** A call of a function by its name: what it means for the file, and what it returns. */
export function callFunction(walk: Walk, name: string, args: readonly Value[], at: number): Value {
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
  const path = name === 'fopen' ? args[0]?.text : undefined;
  return path === undefined ? from(origins) : { text: path, origins };
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

/** Origins of a result that cannot be computed. */
function resultOrigins(walk: Walk, name: string, args: readonly Value[]): number {
  const searched = LOOKS_FOR[name];
  const kept = searched === undefined ? args : args.filter((_, position) => position !== searched);
  const passed = originsOfAll(kept) & ~(ORIGIN.assembled | OF_WHOLE);
  if (DECODES.has(name) || Object.hasOwn(DECODERS, name)) {
    const decodes =
      name !== 'strtr' &&
      name !== 'pack' &&
      name !== 'html_entity_decode' &&
      name !== 'htmlspecialchars_decode';
    return decodes ? passed | ORIGIN.decoded : passed;
  }
  // In a function these are its own.
  if (name === 'get_defined_vars' && walk.scope !== '') return passed;
  if (REQUEST_FUNCTIONS.has(name)) return ORIGIN.request;
  if (FETCHES.has(name)) return ORIGIN.remote;
  if (READS_FILE.has(name)) return passed | fileOrigin(args[0]);
  if (name === 'ini_get' || name === 'getenv') return getenvOrigin(args[0]);
  if (name === 'json_encode') return passed | ORIGIN.json;
  if (ESCAPES.has(name)) return passed | ORIGIN.escaped;
  if (name === 'preg_replace' && KEEPS_ONLY.test(args[0]?.text ?? '')) return passed | ORIGIN.flat;
  return PASSES_ON.has(name) ? passed : ORIGIN.none;
}

const ESCAPES = new Set(['htmlentities', 'htmlspecialchars', 'esc_html', 'esc_attr', 'esc_textarea']);
/** Takes everything but some characters out, and no separators of paths are among them. */
const KEEPS_ONLY = /^([/#~@])\[\^[^\]/.]+\]\+?\1[a-z]*$/;

const getenvOrigin = (name: Value | undefined): number =>
  /^(?:HTTP_|QUERY_STRING)/.test(name?.text ?? '') ? ORIGIN.request : ORIGIN.none;

function fileOrigin(path: Value | undefined): number {
  const text = path?.text ?? '';
  if (/^php:\/\/(?:input|stdin)/i.test(text)) return ORIGIN.request;
  if (/^(?:https?|ftp):\/\//i.test(text)) return ORIGIN.remote;
  if (text === '__FILE__') return ORIGIN.self;
  return ORIGIN.file;
}

/** What a method or constructor is given may be kept in a property, and another method run it. */
function keepInProperties(walk: Walk, passed: Value, at: number): void {
  if (walk.propertyReaches.has('code')) runCode(walk, passed, at);
  if (walk.propertyReaches.has('command')) runCommand(walk, passed, at);
}

/** A function that the file itself defines. */
function callOwn(walk: Walk, name: string, args: readonly Value[], at: number): Value {
  const summary = walk.functions.get(name);
  if (summary === undefined) return UNKNOWN;
  const { reaches, reachesWhole, returns, guards } = summary;
  if (guards.size > 0) walk.addGuards(guards);
  const origins = originsOfAll(args);
  const passed = from(origins);
  if (origins !== 0) {
    if (reaches.has('code') && origins & ~(ORIGIN.assembled | ORIGIN.parameter | ORIGIN.file))
      runCode(walk, passed, at);
    if (reaches.has('command') && origins & ORIGIN.request) runCommand(walk, passed, at);
    if (reaches.has('include') && origins & ORIGIN.request)
      include(walk, reachesWhole.has('include') ? passed : from(origins | ORIGIN.partial), at);
    if (reaches.has('file') && origins & ORIGIN.request)
      touchFile(walk, 'file', at, origins & ~ORIGIN.partial);
    if (reaches.has('callback') && originsOf(args[0] ?? UNKNOWN) & ORIGIN.request)
      walk.report(PHP.callbackRequest, at);
  }
  if (origins & ORIGIN.request) keepInProperties(walk, passed, at);
  const own = returns & ~ORIGIN.parameter;
  return from(returns & ORIGIN.parameter ? own | (origins & ~ORIGIN.assembled) : own);
}

/** Methods of Windows objects that run a command; elsewhere such names mean anything. */
const RUNS_OF_COM = new Set(['exec', 'run', 'shellexecute']);
const SORTS = new Set(['uasort', 'uksort', 'usort']);

/** A call of a method, by its name alone. */
export function callMethod(
  walk: Walk,
  name: string,
  args: readonly Value[],
  at: number,
  object: Value,
): Value {
  if (walk.functions.has(name)) return callOwn(walk, name, args, at);
  // Constants read by reflection: names that stand nowhere near the call.
  if (name === 'getconstants' || name === 'getconstant' || name === 'getdoccomment')
    return from(ORIGIN.disguised);
  if (Object.hasOwn(TAKES_CALLBACK, name)) judgeCallback(walk, name, args, at);
  if (SORTS.has(name) && RUNS_CODE.has(args[0]?.text?.toLowerCase() ?? '')) walk.report(PHP.codeCallback, at);
  if (object.origins & ORIGIN.request && object.text === undefined) walk.report(PHP.variableRequest, at);
  if (walk.calls.has('com') && RUNS_OF_COM.has(name) && originsOfAll(args) & ORIGIN.request)
    runCommand(walk, asOne(args), at);
  return from(object.origins & ORIGIN.remote);
}

/** `new ...`: the class and its arguments. */
export function construct(walk: Walk, at: number): Value {
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
    if (token.text === 'directoryiterator' && originsOfAll(args) & ORIGIN.request)
      touchFile(walk, 'opendir', at);
    if (token.text === 'com') for (const name of ['com', 'system']) walk.calls.set(name, 1);
    return UNKNOWN;
  }
  if (token.kind === 'variable') {
    if (walk.variable(token.text).origins & ORIGIN.request) walk.report(PHP.variableRequest, at);
    walk.position++;
  }
  return UNKNOWN;
}
