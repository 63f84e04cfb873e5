import { ORIGIN } from '../origin.ts';
import { HIDES } from './functions.ts';
import { PHP } from './signals.ts';
import type { PhpToken } from './token.ts';
import type { Value } from './value.ts';
import type { Walk } from './walk.ts';

/** The markup before the URL of a script. */
const BEFORE_ADDRESS = /<script\b[^>]{0,100}\bsrc\s{0,4}=\s{0,4}\\?["']?\s{0,4}(?:https?:)?(?:\/\/)?$/i;
const BEFORE_CHARS_MAX = 260;
const SCRIPT = /<script\b[^>]{0,100}\bsrc\s{0,4}=\s{0,4}\\?["']?\s{0,4}((?:https?:)?\/\/[^\s"'>\\]{1,200})/i;
const LOADED = /\.src\s{0,4}=\s{0,4}["'`]((?:https?:)?\/\/[^\s"'`]{1,200})/;
const SCRIPT_CHARS_MAX = 1_000;
const HOST = /^(?:(?:https?|ftp|ssl|tcp):)?(?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,8}[a-z0-9-]{2,63})/i;
const CONSTRUCTED = ORIGIN.decoded | ORIGIN.disguised;
/** Limit of searches for hosts in the texts of one file. */
const LOOKS_MAX = 8;

/** Whether the host of a URL appears in no text of the file, so that readers cannot see it. */
function hidesHost(walk: Walk, address: string): boolean {
  const host = HOST.exec(address)?.[1]?.toLowerCase();
  if (host === undefined || walk.observed.hostSearches++ >= LOOKS_MAX) return false;
  const domain = host.split('.').slice(-2).join('.');
  return !walk.tokens.some(
    ({ kind, text, escaped }) =>
      (kind === 'string' || kind === 'template' || kind === 'html') &&
      !escaped &&
      text.toLowerCase().includes(domain),
  );
}

/** Judges a script tag completed by a URL that is assembled at run time or comes from another host. */
export function judgeScriptAddress(walk: Walk, before: string, address: Value, at: number): void {
  if (!walk.reporting || !(address.origins & (CONSTRUCTED | ORIGIN.remote))) return;
  if (!BEFORE_ADDRESS.test(before.slice(-BEFORE_CHARS_MAX))) return;
  if (address.text === undefined ? isConstructed(walk, address) : hidesHost(walk, address.text))
    walk.report(PHP.scriptHidden, at);
}

/** Whether an unknown value was decoded, rather than only joined from a list or looked up in one. */
const isConstructed = (walk: Walk, { origins }: Value): boolean =>
  (origins & ORIGIN.decoded) !== 0 ||
  (origins & ORIGIN.remote) !== 0 ||
  ((origins & ORIGIN.disguised) !== 0 && [...HIDES].some((name) => walk.calls.has(name)));

const TEXTS = new Set<PhpToken['kind']>(['string', 'template', 'html']);

/** Like {@link judgeScriptAddress}, if the tag is in the token before. */
export function judgeJoinedAddress(walk: Walk, before: PhpToken | undefined, right: Value, at: number): void {
  if (before && TEXTS.has(before.kind)) judgeScriptAddress(walk, before.text, right, at);
}

/** Judges constant output for script tags with a hidden host. */
export function judgeScriptTag(walk: Walk, { text, origins }: Value, at: number): void {
  if (!walk.reporting || text === undefined || !(origins & (CONSTRUCTED | ORIGIN.assembled))) return;
  const address = SCRIPT.exec(text.slice(0, SCRIPT_CHARS_MAX))?.[1];
  if (address !== undefined && hidesHost(walk, address)) walk.report(PHP.scriptHidden, at);
  // A script in the page may load it.
  const loaded =
    address === undefined && text.includes('<script')
      ? LOADED.exec(text.slice(0, SCRIPT_CHARS_MAX))?.[1]
      : undefined;
  if (loaded !== undefined && hidesHost(walk, loaded)) walk.report(PHP.scriptHidden, at);
}

/** Judges a request to a host whose name is decoded at run time. */
export function judgeFetch(walk: Walk, value: Value | undefined, at: number): void {
  if (!walk.reporting || value === undefined || !(value.origins & CONSTRUCTED)) return;
  const isHidden =
    value.text === undefined
      ? (value.origins & ORIGIN.url) !== 0 && isConstructed(walk, value)
      : hidesHost(walk, value.text);
  if (isHidden) walk.report(PHP.fetchHidden, at);
}
