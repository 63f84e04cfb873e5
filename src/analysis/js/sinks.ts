import type { Report } from './calls.ts';
import type { JsToken } from './lexer.ts';
import { packedAt } from './packer.ts';
import { isCompared } from './pieces.ts';
import { expressionEnd, type Scopes } from './scopes.ts';
import { JS } from './signals.ts';
import { VALUE, type Values } from './values.ts';
import type { Words } from './words.ts';

const RUNS = new Set(['eval', 'Function', 'execScript', 'constructor']);
const HANDS_OVER = new Set(['function', '=>']);
const TIMERS = new Set(['setTimeout', 'setInterval']);
const RUNNERS = [...RUNS, ...TIMERS];
const WRITES = new Set(['write', 'writeln', 'insertAdjacentHTML', 'createContextualFragment']);
const MARKUP = new Set(['innerHTML', 'outerHTML', 'srcdoc']);
const CODE = new Set(['text', 'textContent', 'innerText', 'innerHTML']);
const OF_PAGE = new Set(['window', 'self', 'globalThis', 'this', 'top', 'parent']);
/** Names of sinks, in addition to aliases that the script itself defines. */
export const SINK_WORDS = [
  ...RUNS,
  ...TIMERS,
  ...WRITES,
  ...MARKUP,
  ...CODE,
  ...OF_PAGE,
  'createTextNode',
  'ActiveXObject',
];
/** Maximum distance in tokens between creating a script element and setting its text. */
const ELEMENT_TOKENS = 60;

/** Reports where decoded values are run or written to the page. */
export function judgeSinks(
  tokens: readonly JsToken[],
  { names, telling }: Words,
  scopes: Scopes,
  values: Values,
  report: Report,
): void {
  const { closing, variableOf } = scopes;
  const given = (open: number) => {
    // eval('(' + ... + ')') parsed JSON before JSON.parse existed.
    if (tokens[open + 1]?.kind === 'string' && tokens[open + 1]?.text === '(') return 0;
    const end = expressionEnd(tokens, closing, open + 1);
    // A function passed to a timer is not a text.
    const last = TIMERS.has(tokens[open - 1]?.text ?? '') ? end : open + 2;
    for (let at = open + 1; at < last; at++) if (HANDS_OVER.has(tokens[at]?.text ?? '')) return 0;
    return values.of(open + 1, end);
  };
  const assigned = (at: number) => values.of(at + 2, expressionEnd(tokens, closing, at + 2));
  let scriptAt = Number.NEGATIVE_INFINITY;
  const isEverywhere = names.has('eval') || (values.all & VALUE.runs) !== 0;
  for (const at of isEverywhere ? tokens.keys() : telling) {
    const { kind, text, at: place } = tokens[at] as JsToken;
    const after = tokens[at + 1];
    const next = after?.text;
    // this[name](text), where the name is assembled.
    if (next === '[' && after?.kind !== 'name' && OF_PAGE.has(text) && mayRun(tokens[at + 2])) {
      const call = (closing[at + 1] as number) + 1;
      if (tokens[call]?.text === '(') judgeRun(given(call) & VALUE.decoded, after?.at ?? place, report);
    }
    if (kind === 'string' && text.toLowerCase() === 'script' && !isCompared(tokens, at)) scriptAt = at;
    if (kind !== 'name') {
      // (0, eval)(text), or eval in an array.
      if (text === '(' && isClosing(tokens[at - 1]) && isRunnerInside(tokens, at - 2))
        judgeRun(given(at), place, report);
      continue;
    }
    const isMember = tokens[at - 1]?.text === '.';
    const isAlias = !isMember && ((values.known[variableOf[at] as number] ?? 0) & VALUE.runs) !== 0;
    if (next === '(' && tokens[at - 1]?.text !== 'function') {
      const isRun = RUNS.has(text) && (isMember ? isOfPage(tokens[at - 2]) : text !== 'constructor');
      const isMade = isMember && text === 'constructor';
      if (text === 'eval' && packedAt(tokens, at)) continue;
      if (isRun || isMade || isAlias || TIMERS.has(text)) judgeRun(given(at + 1), place, report);
      if (WRITES.has(text)) judgeWrite(given(at + 1), place, report);
      if (text === 'createTextNode' && at - scriptAt < ELEMENT_TOKENS) judgeRun(given(at + 1), place, report);
      if (text === 'ActiveXObject') judgeObject(tokens, at + 2, given(at + 1), report);
    } else if (next === '.' && (text === 'eval' || text === 'Function') && tokens[at + 3]?.text === '(') {
      // eval.call(window, text)
      const open = at + 3;
      judgeRun(values.of(open + 1, closing[open] as number), place, report);
    } else if (next === '=' || next === '+=') {
      const isScript = isMember && CODE.has(text) && at - scriptAt < ELEMENT_TOKENS;
      if (isScript) judgeRun(assigned(at), place, report);
      else if (isMember && MARKUP.has(text)) judgeWrite(assigned(at), place, report);
    }
  }
}

/** Whether an assembled name, by its beginning, may be a function that runs a text. */
const mayRun = (first: JsToken | undefined): boolean =>
  first?.kind !== 'string' ||
  RUNNERS.some((name) => name.startsWith(first.text) || first.text.startsWith(name));

const isClosing = (before: JsToken | undefined): boolean => before?.text === ')' || before?.text === ']';

const isOfPage = (owner: JsToken | undefined): boolean => OF_PAGE.has(owner?.text ?? '');

function judgeRun(value: number, place: number, report: Report): void {
  if (value & VALUE.decoded) report(JS.runsOwnDecoded, place);
  else if (value & VALUE.answer) report(JS.runsAnswer, place);
}

function judgeWrite(value: number, place: number, report: Report): void {
  if (value & VALUE.ownDecoded) report(JS.writesOwnDecoded, place);
}

const LIST_TOKENS_MAX = 6;
function isRunnerInside(tokens: readonly JsToken[], end: number): boolean {
  for (let at = end; at > Math.max(0, end - LIST_TOKENS_MAX); at--) {
    const text = tokens[at]?.text;
    if (text === 'eval' && tokens[at]?.kind === 'name') return tokens[at + 1]?.text !== '(';
    if (text === '(' || text === ';') return false;
  }
  return false;
}

const PROGRAM_IDS = /msxml|microsoft\.xml|flash|pdf|quicktime|silverlight|agcontrol|real/i;

/** Reports Windows objects whose names are hidden. */
function judgeObject(tokens: readonly JsToken[], first: number, value: number, report: Report): void {
  const token = tokens[first];
  if (token === undefined || token.text === ')') return;
  const isAdded =
    tokens[first + 1]?.text === '+' || (token.kind === 'name' && tokens[first + 1]?.text === '(');
  if (value & VALUE.decoded || (isAdded && !PROGRAM_IDS.test(token.text))) report(JS.hiddenObject, token.at);
}
