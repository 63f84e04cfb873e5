import { isHostileCommand } from '../command.ts';
import { WHOLE } from '../place.ts';
import { setOf } from '../words.ts';
import type { Report } from './calls.ts';
import { FOREIGN } from './hosts.ts';
import type { JsToken } from './lexer.ts';
import { judgeDownloads, judgeRemoteCommands } from './node-remote.ts';
import { JS } from './signals.ts';
import type { Words } from './words.ts';

const RUNS_COMMAND = new Set(['exec', 'execSync', 'spawn', 'spawnSync', 'execFile', 'execFileSync']);
/** Properties of a server's request. */
const OF_REQUEST = new Set(['url', 'query', 'body', 'params', 'headers', 'searchParams', 'cookies']);
const CONNECTS = new Set(['connect', 'createConnection', 'Socket']);
const FETCHES = new Set(['get', 'request', 'fetch']);
const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|k|da)?sh$|^cmd(?:\.exe)?$|^powershell(?:\.exe)?$/;
/** Private files by kind. */
const SECRETS: readonly (readonly [string, RegExp])[] = [
  ['shell', /\.ssh\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b/],
  ['registry', /\.npmrc\b|\.yarnrc\b|\.pypirc\b/],
  ['cloud', /\.aws[/\\]|\.azure[/\\]|gcloud[/\\]|\.kube[/\\]config|\.docker[/\\]config/],
  ['source', /\.git-credentials|\.netrc\b|\.config[/\\]gh[/\\]/],
  [
    'wallet',
    /wallet\.dat\b|\.solana[/\\]|keystore[/\\]|Exodus[/\\]|Local Extension Settings|nkbihfbeogaeaoehlefnkodbefgpgknn/,
  ],
  ['browser', /Login Data\b|logins\.json|key[34]\.db|Cookies\.sqlite/i],
  ['chat', /\btdata$|discord(?:canary|ptb)?[/\\]|Local Storage[/\\]leveldb/i],
  ['system', /^\/etc\/(?:passwd|shadow)$|_history\b/],
];
/** Services that collect and display requests. */
const COLLECTORS =
  /\b(?:oastify\.com|burpcollaborator\.net|interact\.sh|oast\.(?:fun|pro|live|me|site|online)|requestbin|pipedream\.net|webhook\.site|requestrepo\.com|dnslog\.cn|canarytokens\.com|ngrok(?:-free)?\.(?:app|io)|discord(?:app)?\.com\/api\/webhooks|api\.telegram\.org\/bot)/i;
const OF_PERSON = new Set(['hostname', 'userInfo', 'homedir', 'env', 'networkInterfaces']);
/** Calls that identify the machine. A URL's `hostname` is a property, not a call. */
const OF_SYSTEM = new Set(['hostname', 'homedir']);
const SECRETS_MIN = 2;
const SENDS = setOf('request fetch post put write send get axios lookup resolve');
/** Secrets of other programs, which only those programs read. */
const OF_PROGRAMS = new Set(['browser', 'chat']);
const READS_FILES = ['readFileSync', 'readFile', 'createReadStream'];
const OF_NODE = /^(?:node:)?(?:child_process|fs|os|net|https?)$/;
const NEAR_TOKENS = 80;

/** Reports malicious use of commands, files and the environment in programs for Node.js. */
export function judgeNode(tokens: readonly JsToken[], { names, telling }: Words, report: Report): void {
  const loadsNode = (at: number) => tokens[at]?.kind === 'string' && OF_NODE.test(tokens[at]?.text ?? '');
  if (!names.has('process') && !telling.some(loadsNode)) return;
  const texts = new Set<string>();
  for (const { kind, text } of tokens) if (kind === 'string') texts.add(text.replace('node:', ''));
  const isServer = names.has('createServer') || texts.has('express') || texts.has('fastify');
  const isClient = (texts.has('https') || texts.has('http') || names.has('fetch')) && !isServer;
  const secrets = new Set<string>();
  let sendsAt = -1;
  let environmentAt = -1;
  let asksSystem = false;
  let foreignAt = Number.NEGATIVE_INFINITY;
  let collectorAt = Number.NEGATIVE_INFINITY;
  let personAt = Number.NEGATIVE_INFINITY;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < tokens.length; index++) {
    const { kind, text, at } = tokens[index] as JsToken;
    if (kind === 'string') {
      if (FOREIGN.test(text)) foreignAt = index;
      if (COLLECTORS.test(text)) collectorAt = index;
      for (const [secret, pattern] of SECRETS) if (pattern.test(text)) secrets.add(secret);
      continue;
    }
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
      if (isDecoded(given)) report(JS.nodeHidden, at);
      const isWhole = given.length === 1 || given[1]?.text === ',';
      if (isClient && isWhole && given[0]?.kind === 'name' && index - fetchedAt < NEAR_TOKENS)
        report(JS.nodeFetched, at);
    }
    if (OF_PERSON.has(text)) personAt = index;
    if (index - Math.min(personAt, collectorAt) < NEAR_TOKENS) report(JS.nodeSecrets, at);
    const isEnvironmentSent =
      text === 'env' &&
      tokens[index - 4]?.text === 'stringify' &&
      index - foreignAt < NEAR_TOKENS &&
      !isServer;
    if (isEnvironmentSent) report(JS.nodeSecrets, at);
    if (SENDS.has(text) && isCall) sendsAt = at;
    if (OF_SYSTEM.has(text) && isCall) asksSystem = true;
    const isWholeEnvironment =
      text === 'env' &&
      tokens[index - 2]?.text === 'process' &&
      /^[,)}]$/.test(tokens[index + 1]?.text ?? '') &&
      !isAsked(tokens, index - 3) &&
      !isHandedOn(tokens, index);
    if (isWholeEnvironment && isClient && names.has('stringify')) environmentAt = at;
  }
  if (asksSystem && environmentAt >= 0) report(JS.nodeSecrets, environmentAt);
  judgeRemoteCommands(tokens, texts, report);
  if (isClient) judgeDownloads(tokens, names, report);
  const isPiped = names.has('stdin') && names.has('pipe') && texts.has('net') && !isServer;
  if (isPiped && texts.has('child_process') && [...texts].some((text) => SHELL.test(text)))
    report(JS.nodeShell, WHOLE);
  const reads = READS_FILES.some((name) => names.has(name));
  if (reads && sendsAt >= 0 && [...secrets].some((secret) => OF_PROGRAMS.has(secret)))
    report(JS.nodeKeys, sendsAt);
  const readsKeys = names.has('readFileSync') || names.has('readFile');
  if (readsKeys && sendsAt >= 0 && secrets.size >= SECRETS_MIN) report(JS.nodeKeys, sendsAt);
}

/** Operators that test whether `process.env` exists, as in code that also runs in browsers. */
const ASKS = new Set(['&&', '||', '!', '===', '!==', '==', '!=', '?', 'typeof']);
const isAsked = (tokens: readonly JsToken[], before: number): boolean =>
  ASKS.has(tokens[before]?.text ?? '') || (tokens[before]?.text === '(' && tokens[before - 1]?.text === 'if');

/** Other options of a started program. */
const OF_PROGRAM = setOf('execArgv cwd stdio silent shell detached NODE_OPTIONS workerData');
const OPTIONS_TOKENS = 24;
/** Whether an environment is passed to a started program. */
const isHandedOn = (tokens: readonly JsToken[], at: number): boolean =>
  tokens
    .slice(Math.max(0, at - OPTIONS_TOKENS), at + OPTIONS_TOKENS)
    .some(({ text }) => OF_PROGRAM.has(text));

/** Whether a command is decoded in the call that runs it. */
const isDecoded = (given: readonly JsToken[]): boolean =>
  given.some(
    ({ kind, text }, at) =>
      (kind === 'name' && text === 'atob') ||
      (kind === 'string' && (text === 'base64' || text === 'hex') && given[at - 1]?.text === ','),
  );

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
