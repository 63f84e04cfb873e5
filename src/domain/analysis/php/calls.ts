import { ORIGIN } from '../origin.ts';
import { readArguments } from './expressions.ts';
import { DECODERS, foldCall } from './fold.ts';
import {
  DECODES,
  FETCHES,
  isDangerousName,
  isHiddenName,
  PASSES_ON,
  READS_FILE,
  REQUEST_FUNCTIONS,
  RUNS_CODE,
  RUNS_COMMAND,
  TAKES_CALLBACK,
  TOUCHES_FILE,
  WRITES_FILE,
} from './functions.ts';
import { PHP } from './signals.ts';
import { include, print, runCode, runCommand, writeFile } from './sinks.ts';
import { from, originsOf, originsOfAll, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

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
    walk.report(PHP.callRequest, at);
    return from(originsOfAll(args));
  }
  if (origins & ORIGIN.parameter) walk.current?.reaches.add('callback');
  if (name === undefined) {
    if (origins & (ORIGIN.decoded | ORIGIN.disguised)) walk.report(PHP.callDecoded, at);
    return from(originsOfAll(args));
  }
  if (name === '{closure}') return from(originsOfAll(args));
  reportHidden(walk, callee, name, at, isVariable);
  return callFunction(walk, name, args, at);
}

function reportHidden(walk: Walk, callee: Value, name: string, at: number, isVariable: boolean): void {
  if (callee.origins & (ORIGIN.disguised | ORIGIN.assembled) && isHiddenName(name)) {
    walk.report(PHP.hiddenFunction, at, name);
  } else if (!isDangerousName(name)) {
    if (callee.origins & ORIGIN.disguised) walk.report(PHP.callDecoded, at);
  } else if (isVariable) walk.report(PHP.aliasedFunction, at, name);
}

/** A call of a function by its name: what it means for the file, and what it returns. */
export function callFunction(walk: Walk, name: string, args: readonly Value[], at: number): Value {
  if (walk.reporting) walk.calls.set(name, (walk.calls.get(name) ?? 0) + 1);
  const own = walk.functions.get(name);
  if (own) return callOwn(walk, name, args, at);

  judgeCall(walk, name, args, at);
  const folded = fold(walk, name, args);
  if (folded) return folded;
  const origins = resultOrigins(name, args);
  // An open file is as good as its path.
  const path = name === 'fopen' ? args[0]?.text : undefined;
  return path === undefined ? from(origins) : { text: path, origins };
}

/** What a call takes from the decoding budget besides the length of its arguments. */
const CALL_COST_CHARS = 16;
const INFLATE_COST_CHARS = 2_000;

function fold(walk: Walk, name: string, args: readonly Value[]): Value | undefined {
  if (args.length === 0) return undefined;
  let chars = CALL_COST_CHARS + (name.startsWith('gz') ? INFLATE_COST_CHARS : 0);
  for (const { text, items } of args) chars += (text?.length ?? 0) + (items?.size ?? 0);
  if (!walk.spend(chars)) return undefined;
  const folded = foldCall(name, args);
  if (folded?.text !== undefined && !walk.spend(folded.text.length)) return undefined;
  return folded;
}

/** Origins of a result that cannot be computed. */
function resultOrigins(name: string, args: readonly Value[]): number {
  const passed = originsOfAll(args) & ~ORIGIN.assembled;
  if (DECODES.has(name) || Object.hasOwn(DECODERS, name)) {
    const decodes =
      name !== 'strtr' &&
      name !== 'pack' &&
      name !== 'html_entity_decode' &&
      name !== 'htmlspecialchars_decode';
    return decodes ? passed | ORIGIN.decoded : passed;
  }
  if (REQUEST_FUNCTIONS.has(name)) return ORIGIN.request;
  if (FETCHES.has(name)) return ORIGIN.remote;
  if (READS_FILE.has(name)) return passed | fileOrigin(args[0]);
  if (name === 'ini_get' || name === 'getenv') return getenvOrigin(args[0]);
  return PASSES_ON.has(name) ? passed : ORIGIN.none;
}

const getenvOrigin = (name: Value | undefined): number =>
  /^(?:HTTP_|QUERY_STRING)/.test(name?.text ?? '') ? ORIGIN.request : ORIGIN.none;

function fileOrigin(path: Value | undefined): number {
  const text = path?.text ?? '';
  if (/^php:\/\/(?:input|stdin)/i.test(text)) return ORIGIN.request;
  if (/^(?:https?|ftp):\/\//i.test(text)) return ORIGIN.remote;
  if (text === '__FILE__') return ORIGIN.self;
  return ORIGIN.file;
}

/** A function that the file itself defines. */
function callOwn(walk: Walk, name: string, args: readonly Value[], at: number): Value {
  const { reaches, returns } = walk.functions.get(name) ?? { reaches: new Set(), returns: 0 };
  const origins = originsOfAll(args);
  const passed = from(origins);
  if (origins !== 0) {
    if (reaches.has('code') && origins & ~(ORIGIN.assembled | ORIGIN.parameter | ORIGIN.file))
      runCode(walk, passed, at);
    if (reaches.has('command') && origins & ORIGIN.request) runCommand(walk, passed, at);
    if (reaches.has('include') && origins & ORIGIN.request) include(walk, passed, at);
    if (reaches.has('file') && origins & ORIGIN.request) touchFile(walk, 'file', at);
    if (reaches.has('callback') && originsOf(args[0] ?? UNKNOWN) & ORIGIN.request)
      walk.report(PHP.callbackRequest, at);
  }
  const own = returns & ~ORIGIN.parameter;
  return from(returns & ORIGIN.parameter ? own | (origins & ~ORIGIN.assembled) : own);
}

function touchFile(walk: Walk, name: string, at: number, origins: number = ORIGIN.request): void {
  walk.report(origins & ORIGIN.partial ? PHP.filesRequestPart : PHP.filesRequest, at);
  if (walk.reporting) walk.requestFiles.add(name);
}

/** Looks at what a built-in function is given. */
function judgeCall(walk: Walk, name: string, args: readonly Value[], at: number): void {
  const [first = UNKNOWN, second = UNKNOWN, third = UNKNOWN] = args;
  if (Object.hasOwn(TAKES_CALLBACK, name)) judgeCallback(walk, name, args, at);
  if (RUNS_COMMAND.has(name)) runCommand(walk, args.length > 0 ? asOne(args) : UNKNOWN, at);
  if (TOUCHES_FILE.has(name)) judgeFile(walk, name, args, at);
  if (WRITES_FILE.has(name)) writeFile(walk, first, second, at);
  switch (name) {
    case 'eval':
      return runCode(walk, first, at);
    case 'assert':
      if (
        first.text !== undefined
          ? /[($]/.test(first.text)
          : originsOf(first) & ~(ORIGIN.file | ORIGIN.assembled)
      )
        runCode(walk, first, at);
      return;
    case 'create_function':
      walk.report(
        /\b(?:eval|assert|system|exec|passthru|base64_decode)\b/.test(second.text ?? '')
          ? PHP.codeCallback
          : PHP.evalCreateFunction,
        at,
      );
      return runCode(walk, originsOf(second) === 0 && second.text === undefined ? first : second, at);
    case 'preg_replace':
    case 'preg_filter':
    case 'mb_ereg_replace':
    case 'mb_eregi_replace':
      return judgeReplace(walk, args, at);
    case 'include':
      return include(walk, first, at);
    case 'move_uploaded_file':
      return judgeUpload(walk, second, at);
    case 'copy':
      if (originsOf(first) & ORIGIN.upload) judgeUpload(walk, second, at);
      else if (/^https?:/i.test(first.text ?? '')) walk.report(PHP.writeRemote, at);
      else if (originsOf(first) & originsOf(second) & ORIGIN.request) walk.report(PHP.writeRequest, at);
      return;
    case 'unserialize':
      if (originsOf(first) & ORIGIN.request) walk.report(PHP.unserializeRequest, at);
      return;
    case 'wp_create_user':
    case 'wp_insert_user':
      if (
        second.text !== undefined ||
        [...(first.items?.values() ?? [])].some(({ text }) => text === 'administrator')
      )
        walk.report(PHP.administratorMade, at);
      return;
    case 'wp_set_auth_cookie':
    case 'wp_set_current_user':
      if (walk.requestReads > 0) walk.report(PHP.loginSkipped, at);
      return;
    case 'extract':
    case 'parse_str':
    case 'import_request_variables':
      if (name === 'import_request_variables' || originsOf(first) & ORIGIN.request) takeVariables(walk, at);
      return;
    case 'mail':
    case 'imap_mail':
      if (originsOf(first) & originsOf(third) & ORIGIN.request) walk.report(PHP.mailRequest, at);
      else if (originsOf(third) & ORIGIN.request) walk.report(PHP.mailForwarded, at);
      return;
    case 'mysql_query':
    case 'mysqli_query':
    case 'mssql_query':
    case 'pg_query':
      if (args.some((arg) => arg.text === undefined && arg.origins & ORIGIN.request))
        walk.report(PHP.queryRequest, at);
      return;
    case 'mysql_connect':
    case 'mysqli_connect':
    case 'mysql_pconnect':
    case 'fsockopen':
    case 'pfsockopen':
      if (originsOf(first) & ORIGIN.request) walk.report(PHP.connectRequest, at);
      return;
    case 'header':
      if (originsOf(first) & (ORIGIN.disguised | ORIGIN.remote) && !(originsOf(first) & ORIGIN.request))
        walk.report(PHP.headerHidden, at);
      return;
    case 'define':
      if (first.text !== undefined) walk.globals.set(`#${first.text.toLowerCase()}`, second);
      return;
    case 'printf':
    case 'print_r':
    case 'print':
      return print(walk, from(originsOfAll(args)), at);
    default:
  }
}

function takeVariables(walk: Walk, at: number): void {
  walk.report(PHP.extractRequest, at);
  walk.takesRequestVariables = true;
}

/** A command's arguments as one value. */
const asOne = ([first = UNKNOWN, ...others]: readonly Value[]): Value => ({
  ...first,
  origins: originsOf(first) | (originsOfAll(others) & ORIGIN.request),
});

function judgeUpload(walk: Walk, target: Value, at: number): void {
  walk.report(originsOf(target) & ORIGIN.request ? PHP.uploadOpen : PHP.uploadHere, at);
}

function judgeFile(walk: Walk, name: string, args: readonly Value[], at: number): void {
  const path =
    name === 'rename' || name === 'copy' || name === 'symlink' ? asOne(args) : (args[0] ?? UNKNOWN);
  const origins = originsOf(path);
  if (origins & ORIGIN.parameter) walk.current?.reaches.add('file');
  if (/^\/etc\/(?:passwd|shadow)$/.test(path.text ?? '')) walk.report(PHP.readsAccounts, at);
  if (origins & ORIGIN.request && !(origins & ORIGIN.upload)) touchFile(walk, name, at, origins);
}

function judgeCallback(walk: Walk, name: string, args: readonly Value[], at: number): void {
  const position = TAKES_CALLBACK[name] ?? 0;
  const given = args.at(position);
  const callback = given?.items?.get('options') ?? given;
  if (callback === undefined) return;
  const others = args.filter((arg) => arg !== given);
  if (callback.items === undefined && callback.origins & ORIGIN.request)
    return walk.report(PHP.callbackRequest, at);
  if (callback.origins & ORIGIN.parameter) walk.current?.reaches.add('callback');
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

/** Modifier e runs the replacement as PHP (removed in PHP 7); a pattern from the request can bring it along. */
function judgeReplace(walk: Walk, args: readonly Value[], at: number): void {
  const [pattern = UNKNOWN, replacement = UNKNOWN, subject = UNKNOWN, options = UNKNOWN] = args;
  if (pattern.origins & ORIGIN.request && pattern.text === undefined) return walk.report(PHP.pregRequest, at);
  const patterns = pattern.items ? [...pattern.items.values()] : [pattern];
  const isMultibyte = options.text?.includes('e') && /^[a-z]+$/.test(options.text);
  if (!isMultibyte && !patterns.some(({ text }) => text !== undefined && runsReplacement(text))) return;
  walk.report(PHP.pregEval, at);
  const run = { ...replacement, origins: originsOf(replacement) | originsOf(subject) };
  if (originsOf(run) !== 0 || run.text !== undefined) runCode(walk, run, at);
}

function runsReplacement(pattern: string): boolean {
  const opening = pattern.trimStart()[0] ?? '';
  const closing = { '(': ')', '{': '}', '[': ']', '<': '>' }[opening] ?? opening;
  if (/[\sA-Za-z0-9\\]/.test(closing)) return false;
  const modifiers = pattern.slice(pattern.lastIndexOf(closing) + 1);
  return /^[a-zA-Z\s]{1,12}$/.test(modifiers) && modifiers.includes('e') && pattern.length > 2;
}

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
  if (Object.hasOwn(TAKES_CALLBACK, name)) judgeCallback(walk, name, args, at);
  if (SORTS.has(name) && RUNS_CODE.has(args[0]?.text?.toLowerCase() ?? '')) walk.report(PHP.codeCallback, at);
  if (object.origins & ORIGIN.request && object.text === undefined) walk.report(PHP.variableRequest, at);
  if ((name === 'exec' || name === 'shellexecute' || name === 'run') && originsOfAll(args) & ORIGIN.request)
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
    if (token.text === 'reflectionfunction' && originsOfAll(args) & ORIGIN.request)
      walk.report(PHP.callbackRequest, at);
    if (token.text === 'reflectionfunction' && isDangerousName(args[0]?.text?.toLowerCase() ?? ''))
      walk.report(PHP.codeCallback, at);
    if (token.text === 'directoryiterator' && originsOfAll(args) & ORIGIN.request)
      touchFile(walk, 'opendir', at);
    if (token.text === 'com') walk.calls.set('system', 1);
    return UNKNOWN;
  }
  if (token.kind === 'variable') {
    if (walk.variable(token.text).origins & ORIGIN.request) walk.report(PHP.variableRequest, at);
    walk.position++;
  }
  return UNKNOWN;
}
