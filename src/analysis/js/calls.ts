import { WHOLE } from '../place.ts';
import type { Signal } from '../signal.ts';
import { DECODERS } from './fold.ts';
import type { JsToken } from './lexer.ts';
import { packedAt } from './packer.ts';
import { JS } from './signals.ts';
import type { Words } from './words.ts';

/** Reports a finding at an offset of the script. */
export type Report = (signal: Signal, at: number) => void;

const RUNS = new Set(['eval', 'Function', 'execScript', 'setTimeout', 'setInterval']);
/** Tokens of a call's arguments that are searched. */
const ARGUMENTS_TOKENS_MAX = 400;

/** Names that `judgeCalls` examines. */
export const CALL_WORDS = [...RUNS, 'WScript'];

/** Judges calls by their arguments. */
export function judgeCalls(tokens: readonly JsToken[], { names, telling }: Words, report: Report): void {
  const decoders = [...DECODERS].some((name) => names.has(name)) ? nextDecoder(tokens) : NO_DECODERS;
  for (const index of telling) {
    const token = tokens[index] as JsToken;
    if (token.kind !== 'name') continue;
    const isCall = tokens[index + 1]?.text === '(';
    if (token.text === 'WScript') report(JS.hostScript, token.at);
    if (isCall && RUNS.has(token.text)) judgeRun(tokens, index, decoders, report);
  }
  if (
    names.has('ActiveXObject') &&
    (names.has('SaveToFile') || names.has('Run') || names.has('ShellExecute'))
  )
    report(JS.downloadAndRun, WHOLE);
}

const NO_DECODERS = new Uint32Array(0);

/** For each token, the distance to the next decoding function. Computed once, because calls are nested. */
function nextDecoder(tokens: readonly JsToken[]): Uint32Array {
  const distances = new Uint32Array(tokens.length);
  let distance = ARGUMENTS_TOKENS_MAX;
  for (let at = tokens.length - 1; at >= 0; at--) {
    const { kind, text } = tokens[at] as JsToken;
    distance = kind === 'name' && DECODERS.has(text) ? 0 : distance + 1;
    distances[at] = distance;
  }
  return distances;
}

/** Whether the arguments of a call contain a decoding function. */
function decodesInside(tokens: readonly JsToken[], open: number, decoders: Uint32Array): boolean {
  const distance = decoders[open] ?? ARGUMENTS_TOKENS_MAX;
  if (distance >= ARGUMENTS_TOKENS_MAX) return false;
  let depth = 0;
  for (let at = open; at < open + distance; at++) {
    const { kind, text } = tokens[at] as JsToken;
    if (kind === 'sign' && text === '(') depth++;
    else if (kind === 'sign' && text === ')' && --depth === 0) return false;
  }
  return true;
}

function judgeRun(tokens: readonly JsToken[], index: number, decoders: Uint32Array, report: Report): void {
  const { text, at } = tokens[index] as JsToken;
  const first = tokens[index + 2];
  const isTimer = text.startsWith('set');
  if (isTimer && first?.kind !== 'string') return;
  if (tokens[index - 1]?.text === 'function' || tokens[index - 1]?.text === '.') return;
  if (isMethod(tokens, index + 2)) return;
  const isPacked = packedAt(tokens, index) !== undefined;
  const argument = tokens[index + 4];
  const isOwnDecoder =
    first?.kind === 'name' &&
    tokens[index + 3]?.text === '(' &&
    argument?.kind === 'string' &&
    argument.text.length > 100;
  // eval("(" + ... + ")") parsed JSON before JSON.parse existed.
  const readsObject = first?.kind === 'string' && first.text === '(';
  if (isPacked) return;
  if (readsObject) report(JS.runComputed, at);
  else if (isOwnDecoder || decodesInside(tokens, index + 1, decoders)) report(JS.runDecoded, at);
  else if (!isTimer && first?.kind === 'name') {
    if (text !== 'Function') report(JS.runComputed, at);
    const before = tokens.slice(Math.max(0, index - ANSWER_TOKENS), index);
    if (before.some((token) => token.text === 'then') && tokens[index + 3]?.text === ')')
      report(JS.runsAnswer, at);
  }
}

/** Maximum distance between `then` and the call that runs the response. */
const ANSWER_TOKENS = 10;

const PARAMETER_TOKENS_MAX = 12;

/** Whether an apparent call is the definition of a method, such as `eval` in formula parsers: parameters and a body follow. */
function isMethod(tokens: readonly JsToken[], first: number): boolean {
  let at = first;
  while (at < first + PARAMETER_TOKENS_MAX && (tokens[at]?.kind === 'name' || tokens[at]?.text === ',')) at++;
  return tokens[at]?.text === ')' && tokens[at + 1]?.text === '{';
}
