import { setOf } from '../words.ts';
import type { Report } from './calls.ts';
import type { JsToken } from './lexer.ts';
import { JS } from './signals.ts';

/** Events at which a connection gives what the other side has sent, and what others are called. */
const LISTENS = new Set(['on', 'once', 'addListener', 'addEventListener']);
/** Libraries by which a program connects to a host; a server listens with some of them too. */
const CONNECTS = /^(?:node:)?net$|^(?:node:)?tls$|^ws$|^socket\.io-client$|^websocket$/;
const HANDLER_TOKENS_MAX = 80;
const RUNNERS = setOf('exec execSync eval Function execFile execFileSync spawn spawnSync');

/** Finds a program that runs what the other side of a connection sends. */
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

/** The first parameter of a function that begins at a token. */
function parameterAt(tokens: readonly JsToken[], start: number): string | undefined {
  let at = start;
  while (['async', 'function', '('].includes(tokens[at]?.text ?? '')) at++;
  const token = tokens[at];
  return token?.kind === 'name' ? token.text : undefined;
}

/** Where a command or code is run that begins with a name; undefined when it is not. */
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

/** Finds a program that makes what it downloads runnable and starts it, without a look at what came. */
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
