import { isHostileCommand } from '../command.ts';
import { ORIGIN, POSITIONS } from '../origin.ts';
import { installsHiddenJob } from '../shell-commands.ts';
import type { Signal } from '../signal.ts';
import { judgeScriptTag } from './addresses.ts';
import { noteCommand } from './cover-up.ts';
import { PHP } from './signals.ts';
import { storedCode } from './stored-code.ts';
import { originsOf, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Shorter code has no effect. */
const LAYER_CHARS_MIN = 8;
/** Cost of a layer in the decoding budget, in addition to its length. */
const LAYER_COST_CHARS = 4_000;

const by = (origins: number, table: readonly (readonly [number, Signal])[]): Signal | undefined =>
  table.find(([bits]) => origins & bits)?.[1];

/** Whether a top-level variable is unset, so that the request can set it where PHP allows that (register_globals, until 5.4). */
const isUnset = (walk: Walk, { text }: Value): boolean =>
  text === '' && walk.scope === '' && !walk.calls.has('extract');

/** Code with an effect: a call, a command, a file, output, or an assembled name. */
const ACTS = /[(`]|\$\$|\$\{|\b(?:include|require|echo|print|new|exit|die|goto)(?:_once)?\b|\$_|<\?|\?>/i;

/** Judges a value that is run as PHP. */
export function runCode(walk: Walk, value: Value, at: number): void {
  walk.noteAction();
  const origins = originsOf(value);
  walk.noteParameter('code', origins);
  walk.note('runsCode', at);
  const isExpression = value.text !== undefined && !ACTS.test(value.text);
  const signal = by(origins, [
    [ORIGIN.request | ORIGIN.cleaned, PHP.evalRequest],
    [ORIGIN.remote, PHP.evalRemote],
    [isExpression ? ORIGIN.none : ORIGIN.decoded | ORIGIN.disguised, PHP.evalDecoded],
    [ORIGIN.file, PHP.evalFile],
  ]);
  const otherwise = isUnset(walk, value) ? PHP.evalUnset : (storedCode(walk) ?? PHP.evalComputed);
  walk.report(signal ?? otherwise, at);
  readLayer(walk, value, at);
}

/** Analyses code that a program runs or writes, within the budget. */
export function readLayer(walk: Walk, { text }: Value, at: number): void {
  if (!walk.reporting || text === undefined || text.length < LAYER_CHARS_MIN) return;
  if (walk.spend(text.length + LAYER_COST_CHARS)) walk.shared.readLayer(text, walk.whereOf(at));
}

const OF_CALLER = ORIGIN.parameter | POSITIONS | ORIGIN.assembled | ORIGIN.partial;

/** Judges a value that is run as a command of the operating system. */
export function runCommand(walk: Walk, value: Value, at: number): void {
  walk.noteAction();
  const origins = originsOf(value);
  walk.noteParameter('command', origins);
  if (walk.scope === '' || value.text !== undefined || origins & ~OF_CALLER) walk.note('runsOwnCommand', at);
  const signal = by(origins, [
    [ORIGIN.request | ORIGIN.cleaned, PHP.execRequest],
    [ORIGIN.decoded | ORIGIN.disguised | ORIGIN.remote, PHP.execDecoded],
    [ORIGIN.file, origins & ORIGIN.partial ? PHP.execConstant : PHP.execFile],
  ]);
  walk.report(signal ?? (isUnset(walk, value) ? PHP.execUnset : PHP.execConstant), at);
  judgeCommand(walk, value, at);
  walk.calls.set('system', (walk.calls.get('system') ?? 0) + 1);
}

/** Maximum number of characters of a command that are searched. */
export const COMMAND_CHARS_MAX = 4_000;

/** Judges the effects of a command. */
function judgeCommand(walk: Walk, { text }: Value, at: number): void {
  if (text === undefined || !walk.reporting) return;
  const command = text.slice(0, COMMAND_CHARS_MAX);
  noteCommand(walk, command, at);
  if (isHostileCommand(command) || walk.commands.runsFetched(command)) walk.report(PHP.execHostile, at);
  if (installsHiddenJob(command)) walk.report(PHP.persistence, at);
}

/** Names of the streams and arguments of a command line. */
export const OF_TERMINAL = new Set(['argv', 'argc', 'stdin', 'stdout', 'stderr']);

/** Whether it is a command-line program, whose output is not a page. */
function isForTerminal({ tokens, observed, facts }: Walk): boolean {
  observed.isForTerminal ??=
    tokens[0]?.text.startsWith('#!') ||
    tokens.some(({ kind, text }) => kind !== 'string' && OF_TERMINAL.has(text));
  return observed.isForTerminal && !facts.has('readsRequest') && !facts.has('readsVisitor');
}

/** Judges a value that is printed into the page. */
export function print(walk: Walk, value: Value, at: number): void {
  walk.noteAction();
  walk.observed.printed |= value.origins & ORIGIN.escaped ? 0 : value.origins;
  judgeScriptTag(walk, value, at);
  if (value.origins & ORIGIN.file && walk.isHere('readsSettings') && walk.guards.size === 0)
    walk.report(PHP.settingsShown, at);
  if (value.origins & ORIGIN.file) walk.note('showsFile', at);
  if (!(value.origins & ORIGIN.remote) || value.origins & ORIGIN.escaped || walk.facts.has('answersData'))
    return;
  if (isForTerminal(walk)) return;
  walk.note('showsRemote');
  // A field of a response within a line of text.
  if (value.origins & ORIGIN.partial && !(value.origins & ORIGIN.markup)) return;
  walk.report(PHP.echoRemote, at);
}
