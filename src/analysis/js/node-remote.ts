import { setOf } from '../words.ts';
import type { Report } from './calls.ts';
import type { JsToken } from './lexer.ts';
import { JS } from './signals.ts';

/** Functions that register a handler for received data. */
const LISTENS = new Set(['on', 'once', 'addListener', 'addEventListener']);
/** Libraries for connections; servers use some of them too. */
const CONNECTS = /^(?:node:)?net$|^(?:node:)?tls$|^ws$|^socket\.io-client$|^websocket$/;
const HANDLER_TOKENS_MAX = 80;
const RUNNERS = setOf('exec execSync eval Function execFile execFileSync spawn spawnSync');

/** Reports programs that run data received over a connection. */
export function judgeRemoteCommands(
  tokens: readonly JsToken[],
  texts: ReadonlySet<string>,
  report: Report,
): void {
  if (![...texts].some((text) => CONNECTS.test(text))) return;
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as JsToken;
    if (kind !== 'name' || !LISTENS.has(text) || tokens[at + 1]?.text !== '(') continue;
    if (tokens[at + 2]?.kind !== 'string' || tokens[at + 3]?.text !== ',') continue;
    const sent = parameterAt(tokens, at + 4);
    const runAt = sent === undefined ? undefined : runOf(tokens, at + 4, sent);
    if (runAt !== undefined) report(JS.nodeShell, runAt);
  }
}

/** The first parameter of a function that begins at an index. */
function parameterAt(tokens: readonly JsToken[], start: number): string | undefined {
  let at = start;
  while (['async', 'function', '('].includes(tokens[at]?.text ?? '')) at++;
  const token = tokens[at];
  return token?.kind === 'name' ? token.text : undefined;
}

/** Offset of a call that runs a command or code beginning with a name; undefined if there is none. */
function runOf(tokens: readonly JsToken[], start: number, name: string): number | undefined {
  for (let at = start; at < Math.min(tokens.length, start + HANDLER_TOKENS_MAX); at++) {
    const { kind, text, at: place } = tokens[at] as JsToken;
    if (kind !== 'name' || !RUNNERS.has(text) || tokens[at + 1]?.text !== '(') continue;
    const given = tokens.slice(at + 2, at + 6).filter((token) => token.kind === 'name');
    if (given.some((token) => token.text === name)) return place;
  }
  return undefined;
}

const MAKES_RUNNABLE = new Set(['chmod', 'chmodSync']);
const STORES = new Set(['createWriteStream', 'writeFile', 'writeFileSync']);
const STARTS = new Set(['execFile', 'execFileSync', 'spawn', 'spawnSync', 'exec', 'execSync']);

/** Reports programs that make a download executable and start it without verification. */
export function judgeDownloads(
  tokens: readonly JsToken[],
  names: ReadonlyMap<string, unknown>,
  report: Report,
): void {
  if (
    names.has('createHash') ||
    names.has('createVerify') ||
    ![...MAKES_RUNNABLE].some((name) => names.has(name))
  )
    return;
  const stored = new Set<string>();
  for (let at = 0; at < tokens.length - 2; at++) {
    const { kind, text, at: place } = tokens[at] as JsToken;
    if (kind !== 'name' || tokens[at + 1]?.text !== '(') continue;
    const given = tokens[at + 2]?.text ?? '';
    if (STORES.has(text)) stored.add(given);
    else if (STARTS.has(text) && stored.has(given)) report(JS.nodeFetched, place);
  }
}
