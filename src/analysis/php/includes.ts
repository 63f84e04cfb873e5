import { ORIGIN } from '../origin.ts';
import { isUrl } from './operators.ts';
import { PHP } from './signals.ts';
import { originsOf, type Value } from './value.ts';
import type { Walk } from './walk.ts';

const IMAGE =
  /\.(?:ico|jpe?g|png|gif|bmp|pdf|zip|log|dat|tmp|ttf|woff)$|\/\.(?!(?:php\d?|inc|html?|tpl)$)[a-z0-9_-]+$/i;
/** Text files that pages include legitimately, except from folders that visitors can write to. */
const TEXT = /\.(?:css|txt|svg)$/i;
const OPEN_FOLDER =
  /(?:^|\/)(?:uploads?|tmp|te?mp|cache|files|media|images?|img)\/|^\.?\/(?:tmp|var|dev)\/|\\/i;
/** PHP in folders without code, or with a hidden name. */
const PLANTED =
  /^\/(?:tmp|var\/tmp|dev\/shm)\/|(?:^|\/)(?:uploads?|te?mp|cache|images?|img|css|fonts?)\/(?:[^/]{1,80}\/){0,4}\.[\w-]{1,60}\.(?:php\d?|phtml|inc)$/i;
const HIDDEN_PHP = /(?:^|\/)\.[\w-]{1,60}\.(?:php\d?|phtml)$/i;
const IN_ARCHIVE =
  /^(?:zip|phar|compress\.\w{2,5}):\/\/[^#]*\.(?:ico|jpe?g|png|gif|bmp|css|txt|pdf|log|dat|tmp|svg)(?:[#/]|$)/i;
const STREAM =
  /^(?:php:\/\/input|data:|expect:|php:\/\/filter|\/proc\/(?:self|\d{1,7})\/(?:environ|fd|cmdline))/i;

/** Whether the included file was written by the program, by its path or by the last variable. */
function isWritten(walk: Walk, path: string): boolean {
  if (walk.written.size === 0) return false;
  const last = walk.tokens[walk.position - 1];
  return walk.written.has(path) || (last?.kind === 'variable' && walk.written.has(`$${last.text}`));
}

/** Names through which a page learns its own host, to request a part of itself. */
const OF_OWN_HOST = new Set(['HTTP_HOST', 'SERVER_NAME', 'home_url', 'site_url', 'get_bloginfo', 'base_url']);
const namesOwnHost = ({ tokens, observed }: Walk): boolean => {
  observed.namesOwnHost ??= tokens.some(({ text }) => OF_OWN_HOST.has(text));
  return observed.namesOwnHost;
};
const ADDRESS_TOKENS_MAX = 24;
const OWN_MACHINE = /^https?:\/\/(?:localhost|127\.)/i;
const BEGINS_ADDRESS = /^(?:https?|ftp):\/\//i;

/** Whether a remote URL is included; only its beginning may be constant. */
function isOfOtherHost(walk: Walk, value: Value): boolean {
  if (!isUrl(value)) return false;
  if (value.text !== undefined) return !OWN_MACHINE.test(value.text);
  const before = walk.tokens.slice(Math.max(0, walk.position - ADDRESS_TOKENS_MAX), walk.position);
  const begins = before[before.findLastIndex(({ kind, text }) => kind === 'name' && INCLUDES.test(text)) + 1];
  const first = begins?.text === '(' ? before[before.indexOf(begins) + 1] : begins;
  return BEGINS_ADDRESS.test(first?.text ?? '') && !namesOwnHost(walk);
}
const INCLUDES = /^(?:include|require)(?:_once)?$/;

/** Judges the inclusion of a file. */
export function include(walk: Walk, value: Value, at: number): void {
  walk.noteAction();
  const origins = originsOf(value);
  walk.noteParameter('include', origins);
  const text = value.text ?? '';
  if (isWritten(walk, text)) walk.report(PHP.includeWritten, at);
  if (origins & ORIGIN.request) {
    const isPart = origins & ORIGIN.partial && !(origins & ORIGIN.leading);
    walk.report(isPart ? PHP.includeRequestPart : PHP.includeRequest, at);
  } else if (STREAM.test(text)) walk.report(PHP.includeStream, at);
  else if (isOfOtherHost(walk, value)) walk.report(PHP.includeRemote, at);
  else if (isHidden(value)) walk.report(PHP.includeHidden, at);
  else if (PLANTED.test(text) || (HIDDEN_PHP.test(text) && isSilent(walk)))
    walk.report(PHP.includeDisguised, at);
  else if (
    IMAGE.test(text) ||
    (TEXT.test(text) && isPlaced(walk, text)) ||
    IN_ARCHIVE.test(text) ||
    origins & ORIGIN.imageEnding
  )
    walk.report(PHP.includeDisguised, at);
}

/** Whether an included text file is planted: errors are suppressed, it is in a writable folder, or the file has no markup. */
const isPlaced = (walk: Walk, path: string): boolean =>
  isSilent(walk) ||
  (!/\.svg$/i.test(path) && (OPEN_FOLDER.test(path) || !walk.tokens.some(({ kind }) => kind === 'html')));

/** Whether errors of the last inclusion are suppressed. */
const isSilent = ({ tokens, position }: Walk): boolean =>
  tokens
    .slice(Math.max(0, position - 5), position)
    .some(({ text }, index, near) => text === '@' && INCLUDES.test(near[index + 1]?.text ?? ''));

/** Whether a path was decoded, fetched, or is a disguised constant. An unknown item of a list is none of these. */
const isHidden = ({ text, origins }: Value): boolean =>
  (origins & (ORIGIN.decoded | ORIGIN.remote)) !== 0 ||
  (text !== undefined && (origins & ORIGIN.disguised) !== 0);
