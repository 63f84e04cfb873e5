import { ORIGIN } from '../origin.ts';
import { HIDES } from './functions.ts';
import { PHP } from './signals.ts';
import type { PhpToken } from './token.ts';
import type { Value } from './value.ts';
import type { Walk } from './walk.ts';

/** What stands right before the address of a script. */
const BEFORE_ADDRESS = /<script\b[^>]{0,100}\bsrc\s{0,4}=\s{0,4}\\?["']?\s{0,4}(?:https?:)?(?:\/\/)?$/i;
const BEFORE_CHARS_MAX = 260;
const SCRIPT = /<script\b[^>]{0,100}\bsrc\s{0,4}=\s{0,4}\\?["']?\s{0,4}((?:https?:)?\/\/[^\s"'>\\]{1,200})/i;
const LOADED = /\.src\s{0,4}=\s{0,4}["'`]((?:https?:)?\/\/[^\s"'`]{1,200})/;
const SCRIPT_CHARS_MAX = 1_000;
const HOST = /^(?:(?:https?|ftp|ssl|tcp):)?(?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,8}[a-z0-9-]{2,63})/i;
const CONSTRUCTED = ORIGIN.decoded | ORIGIN.disguised;
/** Addresses that are looked for in the texts of one file. */
const LOOKS_MAX = 8;

/** Whether an address leads to a host whose name is in no text of the file, so that a reader cannot see it. */
function hidesHost(walk: Walk, address: string): boolean {
  const host = HOST.exec(address)?.[1]?.toLowerCase();
  if (host === undefined || walk.observed.lookedFor++ >= LOOKS_MAX) return false;
  const domain = host.split('.').slice(-2).join('.');
  return !walk.tokens.some(
    ({ kind, text, escaped }) =>
      (kind === 'string' || kind === 'template' || kind === 'html') &&
      !escaped &&
      text.toLowerCase().includes(domain),
  );
}

/** The address of a script is put behind its beginning: one that only the running program or another host knows. */
export function judgeScriptAddress(walk: Walk, before: string, address: Value, at: number): void {
  if (!walk.reporting || !(address.origins & (CONSTRUCTED | ORIGIN.remote))) return;
  if (!BEFORE_ADDRESS.test(before.slice(-BEFORE_CHARS_MAX))) return;
  if (address.text === undefined ? isConstructed(walk, address) : hidesHost(walk, address.text))
    walk.report(PHP.scriptHidden, at);
}

/** Whether what is not known was decoded, and not only joined from a list or looked up in one. */
const isConstructed = (walk: Walk, { origins }: Value): boolean =>
  (origins & ORIGIN.decoded) !== 0 ||
  (origins & ORIGIN.remote) !== 0 ||
  ((origins & ORIGIN.disguised) !== 0 && [...HIDES].some((name) => walk.calls.has(name)));

const TEXTS = new Set<PhpToken['kind']>(['string', 'template', 'html']);

/** The same where the beginning is a text of its own. */
export function judgeJoinedAddress(walk: Walk, before: PhpToken | undefined, right: Value, at: number): void {
  if (before && TEXTS.has(before.kind)) judgeScriptAddress(walk, before.text, right, at);
}

/** A page gets a constant text: says so when that brings a script from a host that cannot be read. */
export function judgeScriptTag(walk: Walk, { text, origins }: Value, at: number): void {
  if (!walk.reporting || text === undefined || !(origins & (CONSTRUCTED | ORIGIN.assembled))) return;
  const address = SCRIPT.exec(text.slice(0, SCRIPT_CHARS_MAX))?.[1];
  if (address !== undefined && hidesHost(walk, address)) walk.report(PHP.scriptHidden, at);
  // It may be loaded by a script that stands in the page.
  const loaded =
    address === undefined && text.includes('<script')
      ? LOADED.exec(text.slice(0, SCRIPT_CHARS_MAX))?.[1]
      : undefined;
  if (loaded !== undefined && hidesHost(walk, loaded)) walk.report(PHP.scriptHidden, at);
}

/** Another host is asked whose address is decoded first. */
export function judgeFetch(walk: Walk, value: Value | undefined, at: number): void {
  if (!walk.reporting || value === undefined || !(value.origins & CONSTRUCTED)) return;
  const isHidden =
    value.text === undefined
      ? (value.origins & ORIGIN.url) !== 0 && isConstructed(walk, value)
      : hidesHost(walk, value.text);
  if (isHidden) walk.report(PHP.fetchHidden, at);
}
