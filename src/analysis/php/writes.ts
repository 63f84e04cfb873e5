import { endsAsLog, endsAsPicture, ORIGIN } from '../origin.ts';
import { installsHiddenJob } from '../shell-commands.ts';
import { argumentEnds, argumentVariable, tokensFrom } from './arguments.ts';
import { LOG_ENDING } from './operators.ts';
import { PHP } from './signals.ts';
import { COMMAND_CHARS_MAX, OF_TERMINAL, readLayer, runCommand } from './sinks.ts';
import { endsAsPhp, PHP_NAME, programWritten } from './stored-code.ts';
import { originsOf, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Whether the first argument of the last call is a standard stream. */
const isStream = (walk: Walk): boolean => {
  const [first] = tokensFrom(walk, 0);
  return first?.kind === 'name' && OF_TERMINAL.has(first.text);
};

/** Whether data cannot run from a file: it has no tags, or is JSON in a file that is not PHP. */
const isInert = (source: number, path: Value | undefined): boolean =>
  (source & ORIGIN.escaped) !== 0 || ((source & ORIGIN.json) !== 0 && path?.text !== undefined);

/** Whether the file is a log in a constant folder with a constant extension and a sanitised name from the request. */
const isOwnLog = (target: number, source: number): boolean => {
  const cleaned = ORIGIN.flat | ORIGIN.partial;
  return (target & cleaned) === cleaned && endsAsLog(target) && !(source & (ORIGIN.upload | ORIGIN.decoded));
};

const PICTURE = /\.(?:ico|jpe?g|png|gif|bmp|webp|woff2?|ttf|swf|mp3)$|(?:^|\/)\.[a-z0-9_-]+$/i;
const OF_PAGES = /\.(?:css|js|svg)$/i;

/** Whether request data is stored in disguise: in a file named like a picture or a page asset. */
function isDisguised({ facts }: Walk, source: number, path: Value | undefined): boolean {
  if (source & (ORIGIN.upload | ORIGIN.decoded)) return false;
  const text = path?.text ?? '';
  if (OF_PAGES.test(text)) return (source & ORIGIN.encoded) !== 0;
  const isPicture = PICTURE.test(text) || endsAsPicture(path?.origins ?? 0);
  const isTaken =
    (source & (ORIGIN.encoded | ORIGIN.json)) !== 0 || facts.has('readsWhole') || facts.has('readsSecret');
  return isPicture && isTaken;
}

/** Whether data sent as text is stored as a picture, such as a drawing in a canvas. */
const isPicture = (source: number, path: Value | undefined): boolean =>
  (source & ORIGIN.decoded) !== 0 && endsAsPicture(path?.origins ?? 0);

/** Whether code is added to a file that was found by a search. */
const putsIntoFound = (walk: Walk, source: number, isPhp: boolean): boolean =>
  (source & ORIGIN.file) !== 0 &&
  walk.facts.has('searchesFolders') &&
  (walk.facts.has('injectsCode') ||
    ((walk.facts.has('searchesPhp') || isPhp) && (source & ORIGIN.remote) !== 0));

/** Whether a download is stored unchanged by a program that verifies its checksum. */
const isVerified = (walk: Walk, source: number): boolean =>
  walk.facts.has('checksSum') && !(source & (ORIGIN.decoded | ORIGIN.disguised));

/** A setting that runs a disguised file before every page. */
const INCLUDES_HIDDEN =
  /\bauto_(?:pre|ap)pend_file["'\s=]{1,8}[^\s"']{0,200}(?:\.(?:png|jpe?g|gif|ico|css|txt|log|dat)\b|\/\.[\w-]{1,60}(?:["'\s]|$))|\bauto_(?:pre|ap)pend_file["'\s=]{1,8}(?:\/tmp\/|\/dev\/shm\/|\/var\/tmp\/)/i;

/** Extensions of legitimate downloads: translations, pictures, fonts, tables. */
const DATA_ENDING = /\.(?:mo|po|png|jpe?g|gif|webp|svg|woff2?|ttf|mmdb|csv|json|xml|pdf)$/i;

/** The end of an unknown path: a page in a folder that was found. */
export const ENDS_AS_PAGE = /^\/?[\w-]{1,40}\.(?:html?|php\d?)$/i;
/** A text that begins with a script or frame of another host. */
const FOREIGN_TAG =
  /^\s*<(?:script\b[^>]{0,100}\bsrc\s{0,4}=\s{0,4}\\?["']?(?:https?:)?\/\/|iframe\b|script\b[^>]{0,60}>[^<]{0,200}createElement\(["']script)/i;
const EMPTY_PAGE_CHARS = 60;

/** Notes a page written into a folder that was found, and foreign tags written into files that were. */
function notePage(walk: Walk, path: Value | undefined, data: Value | undefined, at: number): void {
  if (path?.text !== undefined) return;
  // Index files against directory listings are empty, or a comment.
  const isEmpty =
    data?.text !== undefined && data.text.length < EMPTY_PAGE_CHARS && !data.text.includes('<h');
  if (!isEmpty && argumentEnds(walk, 0, ENDS_AS_PAGE) && !walk.calls.has('mkdir'))
    walk.note('writesPage', at);
  if (walk.facts.has('searchesFolders') && FOREIGN_TAG.test(data?.text ?? ''))
    walk.report(PHP.writeFound, at);
}

/** Judges data written to a file. */
export function writeFile(walk: Walk, path: Value | undefined, data: Value | undefined, at: number): void {
  const target = path ? originsOf(path) : 0;
  const source = data ? originsOf(data) : 0;
  if (isStream(walk)) return;
  notePage(walk, path, data, at);
  const toShell = programWritten(walk);
  if (toShell !== undefined) {
    if (toShell && data !== undefined && source & ORIGIN.request) runCommand(walk, data, at);
    return;
  }
  // Code in one literal is analysed separately; here it is assembled.
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
  if (source & ORIGIN.request) {
    if (walk.facts.has('readsWhole') && !(source & ORIGIN.upload)) walk.note('forwardsForm', at);
    if (target & ORIGIN.request)
      walk.report(isOwnLog(target, source) ? PHP.writeRequestLog : PHP.writeRequest, at);
    else if (source & ORIGIN.upload && walk.facts.has('checksUploads')) return;
    else if (isPhp) walk.report(PHP.writeRequestPhp, at);
    else if (isDisguised(walk, source, path)) walk.report(PHP.hoardDisguised, at);
    else if (source & ORIGIN.encoded && (walk.facts.has('readsWhole') || walk.facts.has('readsSecret')))
      walk.report(PHP.hoardEncoded, at);
    else if (walk.facts.has('readsSecret')) walk.report(PHP.writeSecrets, at);
    else if (source & ORIGIN.address || endsAsLog(target) || LOG_ENDING.test(path?.text ?? ''))
      walk.report(PHP.writeRequestLog, at);
    else if (!isInert(source, path) && !isPicture(source, path)) walk.report(PHP.writeRequestData, at);
  } else if (putsIntoFound(walk, source, isPhp)) walk.report(PHP.writeFound, at);
  else if (isPhp && source & (ORIGIN.decoded | ORIGIN.disguised | ORIGIN.remote) && !isVerified(walk, source))
    walk.report(PHP.writeDecodedPhp, at);
  else if (source & ORIGIN.remote) {
    // In a library the caller names the file; a dropper names it itself.
    const isNamedHere = path?.text !== undefined || walk.scope === '' || target & ORIGIN.parameter;
    const isData =
      endsAsLog(target) || LOG_ENDING.test(path?.text ?? '') || argumentEnds(walk, 0, DATA_ENDING);
    const isPlain = isData || (source & ORIGIN.partial) !== 0 || isVerified(walk, source);
    walk.report(isNamedHere && !isPlain ? PHP.writeRemote : PHP.writeRemoteThere, at);
  }
}
