import { ORIGIN } from '../origin.ts';
import { judgeShopUser } from './accounts.ts';
import { judgeCallback, judgeRows } from './callbacks.ts';
import { callOwn } from './calls.ts';
import { readsCardByMethod } from './cards.ts';
import { isDangerousName, RUNS_CODE, TAKES_CALLBACK } from './functions.ts';
import { noteSearch } from './injections.ts';
import { noteAddressee } from './mails.ts';
import { SECRET } from './places.ts';
import { readArguments } from './primaries.ts';
import { PHP } from './signals.ts';
import { runCode } from './sinks.ts';
import { noteStored } from './stored-code.ts';
import { touchFile } from './touches.ts';
import { asOne, constant, from, originsOfAll, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Key that marks exceptions with request data in their message. */
const THROWN = '->{thrown}';
const SORTS = new Set(['uasort', 'uksort', 'usort']);

/** Methods of WordPress REST requests that read input. */
const OF_REST = new Set([
  'get_param',
  'get_params',
  'get_json_params',
  'get_body_params',
  'get_query_params',
  'get_body',
]);

/** Methods of shops and other systems that read a form field. */
const READS_FIELD = new Set(['getvalue', 'getvar', 'getpost', 'getstring']);

/** WordPress methods that return local error messages, not remote content. */
const RETURNS_ERRORS = new Set(['get_error_message', 'get_error_messages', 'get_error_code']);

const MAGIC = ['__call', '__callstatic'];

/** Calls the catch-all method of a class for an unknown method. */
function callMagic(walk: Walk, name: string, args: readonly Value[], at: number): void {
  const magic = MAGIC.find((method) => walk.functions.has(method));
  if (magic === undefined || !isDangerousName(name)) return;
  const items = new Map(args.map((arg, index) => [String(index), arg]));
  callOwn(walk, magic, [constant(name), { origins: originsOfAll(args), items }], at);
}

/** C functions that run a command, declared through FFI. */
const RUNS_NATIVELY = /\b(?:system|popen|exec[lv]p?e?)\s*\(/;

/** Evaluates a method call; the method is identified only by its name. */
export function callMethod(
  walk: Walk,
  name: string,
  args: readonly Value[],
  at: number,
  object: Value,
): Value {
  walk.noteAction();
  if (walk.functions.has(name)) return callOwn(walk, name, args, at);
  if (name === 'fromcallable' && args[0]) return args[0];
  callMagic(walk, name, args, at);
  // Constants read by reflection, which hides names far from the call.
  if (name === 'getconstants' || name === 'getconstant' || name === 'getdoccomment')
    return from(ORIGIN.disguised);
  if (Object.hasOwn(TAKES_CALLBACK, name)) judgeCallback(walk, name, args, at);
  if (SORTS.has(name) && RUNS_CODE.has(args[0]?.text?.toLowerCase() ?? '')) walk.report(PHP.codeCallback, at);
  // Texts and lists have no methods, so the request names a class or provides an object.
  const isCalled = walk.tokens[walk.argumentsAt - 2]?.text === '::' || walk.calls.has('unserialize');
  if (isCalled && object.origins & ORIGIN.request && object.text === undefined)
    walk.report(PHP.variableRequest, at);
  judgeShopUser(walk, name, args, at);
  noteStored(walk, name, args);
  if (name === 'isdir') walk.note('picksFolders', at);
  if (name === 'addaddress' || name === 'addbcc') noteAddressee(walk, args, at);
  else if (name === 'fetchall') judgeRows(walk, args, at);
  if (name === 'eval' && walk.calls.has('perl')) runCode(walk, asOne(args), at);
  if (name === 'cdef' && RUNS_NATIVELY.test(args[0]?.text ?? '')) walk.report(PHP.codeCallback, at);
  if (RETURNS_ERRORS.has(name)) return UNKNOWN;
  if (name === 'getmessage' && walk.earlier.has(THROWN)) return from(ORIGIN.cleaned);
  if (readsCardByMethod(walk, name, args)) return from(ORIGIN.request);
  if (READS_FIELD.has(name) && SECRET.test(args[0]?.text ?? '')) {
    walk.note('readsSecret');
    return from(ORIGIN.request);
  }
  return from((object.origins & (ORIGIN.remote | ORIGIN.markup)) | (OF_REST.has(name) ? ORIGIN.cleaned : 0));
}

/** Evaluates `new` with its class and arguments. */
export function construct(walk: Walk, at: number): Value {
  walk.noteAction();
  const { token } = walk;
  if (token === undefined) return UNKNOWN;
  const named = token.kind === 'variable' ? walk.variable(token.text).text?.toLowerCase() : undefined;
  const isNamed = named?.startsWith('reflection') === true;
  if ((token.kind === 'name' && token.text !== 'class') || isNamed) {
    walk.position++;
    const args = walk.isOperator('(') ? readArguments(walk) : [];
    if (isNamed) {
      walk.report(PHP.hiddenFunction, at);
      return UNKNOWN;
    }
    // All constructors have the same name.
    const isOwn = walk.classes.has(token.text) && walk.functions.has('__construct');
    if (isOwn) callOwn(walk, '__construct', args, at);
    if (token.text === 'reflectionfunction' && originsOfAll(args) & ORIGIN.request)
      walk.report(PHP.callbackRequest, at);
    if (token.text === 'reflectionfunction' && isDangerousName(args[0]?.text?.toLowerCase() ?? ''))
      walk.report(PHP.codeCallback, at);
    noteSearch(walk, token.text);
    if (token.text === 'directoryiterator' && originsOfAll(args) & ORIGIN.request)
      touchFile(walk, 'opendir', at);
    if (token.text === 'perl') walk.calls.set('perl', 1);
    // COM objects on Windows can run commands.
    if (token.text === 'com') walk.calls.set('system', 1);
    if (token.text.endsWith('exception') && originsOfAll(args) & ORIGIN.request && !walk.reporting)
      walk.earlier.set(THROWN, ORIGIN.request);
    return UNKNOWN;
  }
  if (token.kind === 'variable') {
    if (walk.variable(token.text).origins & ORIGIN.request) walk.report(PHP.variableRequest, at);
    walk.position++;
  }
  return UNKNOWN;
}
