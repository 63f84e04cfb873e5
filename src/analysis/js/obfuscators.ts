import type { Report } from './calls.ts';
import type { JsToken } from './lexer.ts';
import { JS } from './signals.ts';
import type { Words } from './words.ts';

// Detects obfuscators independently of their names.

const NEAR_TOKENS = 120;
const ORDER = /^\d{1,3}(?:\|\d{1,3}){2,200}$/;
const SWITCH_TOKENS = 40;

/** Names that `judgeObfuscators` examines. */
export const OBFUSCATOR_WORDS = ['switch', 'function', 'parseInt', 'shift'];

/** Reports obfuscated scripts by their string array or their shuffled statements. */
export function judgeObfuscators(tokens: readonly JsToken[], { telling }: Words, report: Report): void {
  let shiftAt = Number.NEGATIVE_INFINITY;
  let parseAt = Number.NEGATIVE_INFINITY;
  let orderAt = Number.NEGATIVE_INFINITY;
  for (const at of telling) {
    const token = tokens[at] as JsToken;
    const { kind, text } = token;
    if (kind === 'string' && tokens[at + 2]?.text === 'split' && ORDER.test(text)) orderAt = at;
    if (kind !== 'name') continue;
    if (text === 'switch' && at - orderAt < SWITCH_TOKENS) report(JS.obfuscator, token.at);
    if (text === 'function' && isHiddenList(tokens, at)) report(JS.obfuscator, token.at);
    if (text === 'parseInt') parseAt = at;
    // words.push(words.shift()): rotates the string array until a checksum matches.
    if (
      text === 'shift' &&
      tokens[at - 4]?.text === 'push' &&
      tokens[at - 2]?.text === tokens[at - 6]?.text
    ) {
      if (at - shiftAt < 30 && at - parseAt < NEAR_TOKENS) report(JS.obfuscator, token.at);
      shiftAt = at;
    }
  }
}

/** Minimum number of strings in the array. */
const LIST_MIN = 8;
const LIST_TOKENS_MAX = 8_000;

/** Whether a function builds a string array and then replaces itself by a function that returns it. */
function isHiddenList(tokens: readonly JsToken[], at: number): boolean {
  const name = tokens[at + 1]?.text;
  let place = at + 5;
  if (/^(?:var|let|const)$/.test(tokens[place]?.text ?? '')) place++;
  const list = tokens[place]?.text;
  if (tokens[place + 1]?.text !== '=' || tokens[place + 2]?.text !== '[') return false;
  const first = place + 3;
  place = first;
  while (tokens[place]?.kind === 'string' && place - first < LIST_TOKENS_MAX) place += 2;
  if (place - first < LIST_MIN * 2 || tokens[place - 1]?.text !== ']') return false;
  const rest = tokens.slice(place, place + 16).map(({ text }) => text);
  const own = rest.indexOf('function');
  return rest[own - 1] === '=' && rest[own - 2] === name && rest.indexOf(list ?? '') > own;
}
