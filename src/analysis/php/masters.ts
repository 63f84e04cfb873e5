import { GIVES_PASSWORD } from './passwords.ts';
import { PHP } from './signals.ts';
import type { PhpToken } from './token.ts';
import type { Walk } from './walk.ts';

/** Filters of one file whose functions are looked up. */
const FILTERS_MAX = 8;
const FUNCTION_TOKENS_MAX = 300;
const PARAMETER_TOKENS_MAX = 24;
const WORD_CHARS_MIN = 4;
const HASHES = new Set(['md5', 'sha1', 'hash']);
const COMPARES = new Set(['===', '==']);

/** A plugin lets in who knows a password of its own, whoever that is. */
export function judgeMasters(walk: Walk, tokens: readonly PhpToken[]): void {
  if (!walk.calls.has('add_filter')) return;
  for (let at = 0, looked = 0; at < tokens.length && looked < FILTERS_MAX; at++) {
    if (tokens[at]?.text !== 'add_filter' || tokens[at + 3]?.text !== ',') continue;
    const position = GIVES_PASSWORD.get(tokens[at + 2]?.text ?? '');
    if (position === undefined) continue;
    looked++;
    const begins = functionAt(tokens, at + 4);
    if (begins !== undefined && comparesTo(tokens, begins, position)) {
      walk.report(PHP.masterPassword, tokens[at]?.at ?? 0);
      return;
    }
  }
}

/** Where the function begins that is given at a place: itself, or its name. */
function functionAt(tokens: readonly PhpToken[], at: number): number | undefined {
  const given = tokens[at];
  if (given?.text === 'function' || given?.text === 'fn') return at;
  if (given?.kind !== 'string') return undefined;
  const name = given.text.toLowerCase();
  const found = tokens.findIndex(
    ({ text }, index) => text === 'function' && tokens[index + 1]?.text === name,
  );
  return found < 0 ? undefined : found;
}

/** Whether a function compares its parameter at a position, or the hash of it, to a word that it holds. */
function comparesTo(tokens: readonly PhpToken[], begins: number, position: number): boolean {
  const head = tokens.slice(begins, begins + PARAMETER_TOKENS_MAX);
  const end = head.findIndex(({ text }) => text === ')');
  const password = head.slice(0, Math.max(0, end)).filter(({ kind }) => kind === 'variable')[position]?.text;
  if (password === undefined) return false;
  for (let at = begins + end; at < begins + FUNCTION_TOKENS_MAX; at++) {
    const token = tokens[at];
    if (token?.kind !== 'variable' || token.text !== password) continue;
    const isHashed = HASHES.has(tokens[at - 2]?.text ?? '') && tokens[at + 1]?.text === ')';
    const [left, right] = isHashed ? [at - 2, at + 1] : [at, at];
    const isWord = (word: number) =>
      tokens[word]?.kind === 'string' && (tokens[word]?.text.length ?? 0) >= WORD_CHARS_MIN;
    if (COMPARES.has(tokens[right + 1]?.text ?? '') && isWord(right + 2)) return true;
    if (COMPARES.has(tokens[left - 1]?.text ?? '') && isWord(left - 2)) return true;
  }
  return false;
}
