import { isHostileCommand } from '../command.ts';
import type { Report } from './calls.ts';
import type { JsToken } from './lexer.ts';
import { JS } from './signals.ts';

const RUNS_COMMAND = new Set(['exec', 'execSync', 'spawn', 'spawnSync', 'execFile', 'execFileSync']);
/** What a server is given by whoever calls it. */
const OF_REQUEST = new Set(['url', 'query', 'body', 'params', 'headers', 'searchParams', 'cookies']);
const CONNECTS = new Set(['connect', 'createConnection', 'Socket']);
const FETCHES = new Set(['get', 'request', 'fetch']);
const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|k|da)?sh$|^cmd(?:\.exe)?$|^powershell(?:\.exe)?$/;
const NEAR_TOKENS = 80;

/** Judges what a program for Node.js does with commands and with its environment. */
export function judgeNode(tokens: readonly JsToken[], names: ReadonlySet<string>, report: Report): void {
  const isOfNode = tokens.some(
    ({ kind, text }) => kind !== 'sign' && (text === 'process' || text.endsWith('child_process')),
  );
  if (!isOfNode) return;
  const texts = new Set<string>();
  for (const { kind, text } of tokens) if (kind === 'string') texts.add(text.replace('node:', ''));
  const isServer = names.has('createServer') || texts.has('express') || texts.has('fastify');
  const isClient = (texts.has('https') || texts.has('http') || names.has('fetch')) && !isServer;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < tokens.length; index++) {
    const { kind, text, at } = tokens[index] as JsToken;
    if (kind !== 'name') continue;
    const isCall = tokens[index + 1]?.text === '(';
    if (isCall && FETCHES.has(text)) fetchedAt = index;
    if (isCall && RUNS_COMMAND.has(text) && texts.has('child_process')) {
      const given = argumentsOf(tokens, index + 1);
      if (given.some((token) => token.kind === 'string' && isHostileCommand(token.text)))
        report(JS.nodeHostile, at);
      if (
        isServer &&
        given.some((token, place) => OF_REQUEST.has(token.text) && given[place - 1]?.text === '.')
      )
        report(JS.nodeShell, at);
      if (
        SHELL.test(given[0]?.text ?? '') &&
        [...CONNECTS].some((name) => names.has(name)) &&
        texts.has('net')
      )
        report(JS.nodeShell, at);
      const isWhole = given.length === 1 || given[1]?.text === ',';
      if (isClient && isWhole && given[0]?.kind === 'name' && index - fetchedAt < NEAR_TOKENS)
        report(JS.nodeFetched, at);
    }
    const isWholeEnvironment =
      text === 'env' &&
      tokens[index - 2]?.text === 'process' &&
      /^[,)}]$/.test(tokens[index + 1]?.text ?? '');
    if (
      isWholeEnvironment &&
      isClient &&
      names.has('stringify') &&
      (names.has('hostname') || names.has('homedir'))
    )
      report(JS.nodeSecrets, at);
  }
}

const ARGUMENT_TOKENS_MAX = 24;

function argumentsOf(tokens: readonly JsToken[], open: number): readonly JsToken[] {
  let depth = 0;
  for (let at = open; at < tokens.length && at < open + ARGUMENT_TOKENS_MAX; at++) {
    const { kind, text } = tokens[at] as JsToken;
    if (kind === 'sign' && text === '(') depth++;
    else if (kind === 'sign' && text === ')' && --depth === 0) return tokens.slice(open + 1, at);
  }
  return tokens.slice(open + 1, open + ARGUMENT_TOKENS_MAX);
}
