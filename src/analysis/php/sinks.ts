import { isHostileCommand } from '../command.ts';
import { endsAsLog, endsAsPicture, ORIGIN, POSITIONS } from '../origin.ts';
import { installsHiddenJob } from '../shell-commands.ts';
import type { Signal } from '../signal.ts';
import { judgeScriptTag } from './addresses.ts';
import { argumentEnds, argumentVariable } from './arguments.ts';
import { endsAsPhp, keptCode, PHP_NAME, programWritten } from './kept.ts';
import { isOwnStream } from './loading.ts';
import { isUrl, LOG_ENDING } from './operators.ts';
import { PHP } from './signals.ts';
import { originsOf, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Code shorter than this says nothing by itself. */
const LAYER_CHARS_MIN = 8;
/** What reading a layer takes from the decoding budget besides its length. */
const LAYER_COST_CHARS = 4_000;

const by = (origins: number, table: readonly (readonly [number, Signal])[]): Signal | undefined =>
  table.find(([bits]) => origins & bits)?.[1];

/** Outside of functions, what is still empty is set by the request where PHP allows that (register_globals, until 5.4). */
const isUnset = (walk: Walk, { text }: Value): boolean =>
  text === '' && walk.scope === '' && !walk.calls.has('extract');

/** A value is run as PHP. */
export function runCode(walk: Walk, value: Value, at: number): void {
  walk.noteAction();
  const origins = originsOf(value);
  walk.noteParameter('code', origins);
  if (value.text === undefined || origins & (ORIGIN.disguised | ORIGIN.assembled)) walk.runs.isWanted = true;
  walk.runsCode = true;
  const signal = by(origins, [
    [ORIGIN.request | ORIGIN.cleaned, PHP.evalRequest],
    [ORIGIN.remote, PHP.evalRemote],
    [ORIGIN.self, PHP.evalSelf],
    [ORIGIN.decoded | ORIGIN.disguised, PHP.evalDecoded],
    [ORIGIN.file, PHP.evalFile],
  ]);
  const otherwise = isUnset(walk, value) ? PHP.evalUnset : (keptCode(walk) ?? PHP.evalComputed);
  walk.report(signal ?? otherwise, at);
  readLayer(walk, value, at);
}

function readLayer(walk: Walk, { text }: Value, at: number): void {
  if (!walk.reporting || text === undefined || text.length < LAYER_CHARS_MIN) return;
  if (walk.spend(text.length + LAYER_COST_CHARS)) walk.shared.readLayer(text, walk.whereOf(at));
}

const OF_CALLER = ORIGIN.parameter | POSITIONS | ORIGIN.assembled | ORIGIN.partial;

/** A value is run as a command of the operating system. */
export function runCommand(walk: Walk, value: Value, at: number): void {
  walk.noteAction();
  const origins = originsOf(value);
  walk.noteParameter('command', origins);
  if (walk.scope === '' || value.text !== undefined || origins & ~OF_CALLER) walk.runsOwnCommand = true;
  const signal = by(origins, [
    [ORIGIN.request | ORIGIN.cleaned, PHP.execRequest],
    [ORIGIN.decoded | ORIGIN.disguised | ORIGIN.remote, PHP.execDecoded],
    [ORIGIN.file, origins & ORIGIN.partial ? PHP.execConstant : PHP.execFile],
  ]);
  walk.report(signal ?? (isUnset(walk, value) ? PHP.execUnset : PHP.execConstant), at);
  judgeCommand(walk, value, at);
  walk.calls.set('system', (walk.calls.get('system') ?? 0) + 1);
}

const COMMAND_CHARS_MAX = 4_000;

/** A command that makes an account of Windows or lets one administer it, or a second root. */
const MAKES_ACCOUNT =
  /\bnet1?(?:\.exe)?\s{1,4}(?:user|localgroup)\s[^\n]{1,120}\/add\b|\buseradd\b[^\n]{0,80}\s-(?:ou|u)\s{0,4}0\b/i;

/** Looks at what a command does, whoever gives it. */
function judgeCommand(walk: Walk, { text }: Value, at: number): void {
  if (text === undefined || !walk.reporting) return;
  const command = text.slice(0, COMMAND_CHARS_MAX);
  if (isHostileCommand(command) || walk.commands.runsFetched(command)) walk.report(PHP.execHostile, at);
  if (installsHiddenJob(command)) walk.report(PHP.persistence, at);
  if (MAKES_ACCOUNT.test(command)) walk.report(PHP.systemAccount, at);
}

const IMAGE =
  /\.(?:ico|jpe?g|png|gif|bmp|css|txt|pdf|zip|log|dat|tmp|svg|ttf|woff)$|\/\.(?!(?:php\d?|inc|html?|tpl)$)[a-z0-9_-]+$/i;
const IN_ARCHIVE =
  /^(?:zip|phar|compress\.\w{2,5}):\/\/[^#]*\.(?:ico|jpe?g|png|gif|bmp|css|txt|pdf|log|dat|tmp|svg)(?:[#/]|$)/i;
const STREAM =
  /^(?:php:\/\/input|data:|expect:|php:\/\/filter|\/proc\/(?:self|\d{1,7})\/(?:environ|fd|cmdline))/i;

/** Whether a file is included that the program has written: by its path, or by the variable that stands before the end. */
function isWritten(walk: Walk, path: string): boolean {
  if (walk.written.size === 0) return false;
  const last = walk.tokens[walk.position - 1];
  return walk.written.has(path) || (last?.kind === 'variable' && walk.written.has(`$${last.text}`));
}

/** By which a page learns its own host, and asks that for a part of itself. */
const OF_OWN_HOST = new Set(['HTTP_HOST', 'SERVER_NAME', 'home_url', 'site_url', 'get_bloginfo', 'base_url']);
const namesOwnHost = ({ tokens, noted }: Walk): boolean => {
  noted.namesOwnHost ??= tokens.some(({ text }) => OF_OWN_HOST.has(text));
  return noted.namesOwnHost;
};
const ADDRESS_TOKENS_MAX = 24;
const OWN_MACHINE = /^https?:\/\/(?:localhost|127\.)/i;
const BEGINS_ADDRESS = /^(?:https?|ftp):\/\//i;

/** Whether an address on another host is included, which may have only its beginning in the source. */
function isOfOtherHost(walk: Walk, value: Value): boolean {
  if (!isUrl(value)) return false;
  if (value.text !== undefined) return !OWN_MACHINE.test(value.text);
  const before = walk.tokens.slice(Math.max(0, walk.position - ADDRESS_TOKENS_MAX), walk.position);
  const begins = before[before.findLastIndex(({ kind, text }) => kind === 'name' && INCLUDES.test(text)) + 1];
  const first = begins?.text === '(' ? before[before.indexOf(begins) + 1] : begins;
  return BEGINS_ADDRESS.test(first?.text ?? '') && !namesOwnHost(walk);
}
const INCLUDES = /^(?:include|require)(?:_once)?$/;

/** A file is included, and so run. */
export function include(walk: Walk, value: Value, at: number): void {
  walk.noteAction();
  const origins = originsOf(value);
  walk.noteParameter('include', origins);
  const text = value.text ?? '';
  if (isWritten(walk, text)) walk.report(PHP.includeWritten, at);
  if (origins & ORIGIN.request) {
    const isPart = origins & ORIGIN.partial && !(origins & ORIGIN.leading);
    walk.report(isPart ? PHP.includeRequestPart : PHP.includeRequest, at);
  } else if (STREAM.test(text) || isOwnStream(walk, text)) walk.report(PHP.includeStream, at);
  else if (isOfOtherHost(walk, value)) walk.report(PHP.includeRemote, at);
  else if (isHidden(value)) walk.report(PHP.includeHidden, at);
  else if (IMAGE.test(text) || IN_ARCHIVE.test(text) || origins & ORIGIN.imageEnding)
    walk.report(PHP.includeDisguised, at);
}

/** Whether a path was decoded or fetched, or is a constant that nobody can read; an item of a list that is not known is neither. */
const isHidden = ({ text, origins }: Value): boolean =>
  (origins & (ORIGIN.decoded | ORIGIN.remote)) !== 0 ||
  (text !== undefined && (origins & ORIGIN.disguised) !== 0);

/** A value becomes part of the page. */
export function print(walk: Walk, value: Value, at: number): void {
  walk.noteAction();
  walk.noted.printed |= value.origins & ORIGIN.escaped ? 0 : value.origins;
  judgeScriptTag(walk, value, at);
  if (value.origins & ORIGIN.file && walk.noted.settingsScopes.has(walk.scope) && walk.guards.size === 0)
    walk.report(PHP.settingsShown, at);
  if (value.origins & ORIGIN.file) walk.noted.showsFileAt ??= at;
  if (!(value.origins & ORIGIN.remote) || value.origins & ORIGIN.escaped || !walk.answersPage) return;
  walk.remoteUses++;
  // A line of text that holds a field of an answer.
  if (value.origins & ORIGIN.partial && !(value.origins & ORIGIN.markup)) return;
  walk.report(walk.checksHosts ? PHP.echoKnown : PHP.echoRemote, at);
}

/** Whether data cannot be run from a file: without tags, or JSON in a file that is known not to be PHP. */
const isInert = (source: number, path: Value | undefined): boolean =>
  (source & ORIGIN.escaped) !== 0 || ((source & ORIGIN.json) !== 0 && path?.text !== undefined);

const PICTURE = /\.(?:ico|jpe?g|png|gif|bmp|webp|woff2?|ttf|swf|mp3)$|(?:^|\/)\.[a-z0-9_-]+$/i;
const OF_PAGES = /\.(?:css|js|svg)$/i;

/** Whether what a form brings goes to where nobody looks for it: a file with the name of a picture, or of a part of a page. */
function isDisguised({ noted, secretReads }: Walk, source: number, path: Value | undefined): boolean {
  if (source & (ORIGIN.upload | ORIGIN.decoded)) return false;
  const text = path?.text ?? '';
  if (OF_PAGES.test(text)) return (source & ORIGIN.encoded) !== 0;
  const isPicture = PICTURE.test(text) || endsAsPicture(path?.origins ?? 0);
  const isTaken = (source & (ORIGIN.encoded | ORIGIN.json)) !== 0 || noted.wholeReads > 0 || secretReads > 0;
  return isPicture && isTaken;
}

/** Whether data that were sent as text become a picture, as what was drawn in a page does. */
const isPicture = (source: number, path: Value | undefined): boolean =>
  (source & ORIGIN.decoded) !== 0 && endsAsPicture(path?.origins ?? 0);

/** Whether a file that was searched for gets code beside what it has. */
const putsIntoFound = ({ noted, findsPhp }: Walk, source: number, isPhp: boolean): boolean =>
  (source & ORIGIN.file) !== 0 &&
  noted.findsFiles &&
  (noted.injects || ((findsPhp || isPhp) && (source & ORIGIN.remote) !== 0));

const namesPhp = (walk: Walk): boolean => argumentEnds(walk, 0, PHP_NAME) || argumentEnds(walk, 1, PHP_NAME);

/** A setting that has every page of a site run a file first, which is named as none with code is. */
const INCLUDES_HIDDEN =
  /\bauto_(?:pre|ap)pend_file["'\s=]{1,8}[^\s"']{0,200}(?:\.(?:png|jpe?g|gif|ico|css|txt|log|dat)\b|\/\.[\w-]{1,60}(?:["'\s]|$))|\bauto_(?:pre|ap)pend_file["'\s=]{1,8}(?:\/tmp\/|\/dev\/shm\/|\/var\/tmp\/)/i;

/** Endings of what programs fetch: translations, pictures, fonts, tables. */
const DATA_ENDING = /\.(?:mo|po|png|jpe?g|gif|webp|svg|woff2?|ttf|mmdb|csv|json|xml|pdf)$/i;

/** Text is written to a file. */
export function writeFile(walk: Walk, path: Value | undefined, data: Value | undefined, at: number): void {
  const target = path ? originsOf(path) : 0;
  const source = data ? originsOf(data) : 0;
  const toShell = programWritten(walk);
  if (toShell !== undefined) {
    if (toShell && data !== undefined && source & ORIGIN.request) runCommand(walk, data, at);
    return;
  }
  // Code in one literal is read where it stands; here it is put together.
  if (data?.text?.includes('<?') && source & ORIGIN.assembled) readLayer(walk, data, at);
  const { text } = path ?? {};
  if (source & (ORIGIN.request | ORIGIN.remote | ORIGIN.decoded | ORIGIN.disguised)) {
    const variable = argumentVariable(walk, 0);
    if (text) walk.written.add(text);
    if (variable !== undefined) walk.written.add(`$${variable}`);
  }
  if (text !== undefined && source & ORIGIN.remote) walk.commands.noteFetched(text);
  if (data?.text !== undefined && installsHiddenJob(data.text.slice(0, COMMAND_CHARS_MAX)))
    walk.report(PHP.persistence, at);
  if (INCLUDES_HIDDEN.test(data?.text?.slice(0, COMMAND_CHARS_MAX) ?? ''))
    walk.report(PHP.includeDisguised, at);
  const isPhp =
    PHP_NAME.test(path?.text ?? '') ||
    ((source & ORIGIN.markup) !== 0 && !(source & ORIGIN.partial) && endsAsPhp(walk, 0));
  const isKept = (source & (ORIGIN.decoded | ORIGIN.disguised | ORIGIN.file | ORIGIN.remote)) !== 0;
  if (isKept && (isPhp || endsAsPhp(walk, 0))) walk.noted.writesPhpAt ??= at;
  if (source & ORIGIN.request) {
    if (target & ORIGIN.request) walk.report(PHP.writeRequest, at);
    else if (source & ORIGIN.upload && walk.checksUploads) walk.report(PHP.uploadChecked, at);
    else if (isPhp) walk.report(PHP.writeRequestPhp, at);
    else if (walk.noted.cardScopes.has(walk.scope)) walk.report(PHP.cardWritten, at);
    else if (isDisguised(walk, source, path)) walk.report(PHP.hoardDisguised, at);
    else if (source & ORIGIN.encoded && (walk.noted.wholeReads > 0 || walk.secretReads > 0))
      walk.report(PHP.hoardEncoded, at);
    else if (walk.secretReads > 0) walk.report(PHP.writeSecrets, at);
    else if (source & ORIGIN.address || endsAsLog(target) || LOG_ENDING.test(path?.text ?? ''))
      walk.report(PHP.writeRequestLog, at);
    else if (!isInert(source, path))
      walk.report(isPicture(source, path) ? PHP.writePicture : PHP.writeRequestData, at);
  } else if (source & ORIGIN.file && endsAsPicture(source) && (isPhp || namesPhp(walk)))
    walk.report(PHP.writeFromPicture, at);
  else if (putsIntoFound(walk, source, isPhp)) walk.report(PHP.writeFound, at);
  else if (isPhp && source & (ORIGIN.decoded | ORIGIN.disguised | ORIGIN.remote))
    walk.report(PHP.writeDecodedPhp, at);
  else if (source & ORIGIN.remote) {
    // A library's caller names the file, a dropper does it itself.
    const isNamedHere = path?.text !== undefined || walk.scope === '' || target & ORIGIN.parameter;
    const isData =
      endsAsLog(target) || LOG_ENDING.test(path?.text ?? '') || argumentEnds(walk, 0, DATA_ENDING);
    walk.report(
      isNamedHere && !isData && !(source & ORIGIN.partial) ? PHP.writeRemote : PHP.writeRemoteThere,
      at,
    );
  }
}
