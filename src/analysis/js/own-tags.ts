import type { JsToken } from './lexer.ts';

/** A letter or digit that is encoded, or the address of another host. */
const HIDES = /%(?:u|3\d|[46][1-9a-f]|[57][0-9a])|(?:\/|%2f){2}/i;
const SCRIPT_TAG = /^\s*(?:<|%3C)script\s/i;
const TOKENS_MAX = 60;
const UNDOES = new Set(['unescape', 'decodeURIComponent', 'decodeURI']);

/**
 * Whether an encoded text is a script tag of the page's own host in which only signs are encoded, as those must be that would end the
 * script which writes it: whoever reads it sees all of it.
 */
export const isOwnTag = (encoded: string): boolean => SCRIPT_TAG.test(encoded) && !HIDES.test(encoded);

/** Whether a call, from its parenthesis on, is given such a tag and nothing else that is decoded. */
export function writesOwnTag(tokens: readonly JsToken[], open: number): boolean {
  let hasTag = false;
  let depth = 0;
  for (let at = open; at < open + TOKENS_MAX; at++) {
    const token = tokens[at];
    if (token === undefined) return false;
    const { kind, text } = token;
    if (kind === 'sign' && text === '(') depth++;
    else if (kind === 'sign' && text === ')' && --depth === 0) return hasTag;
    if (kind === 'name' && tokens[at + 1]?.text === '(' && !UNDOES.has(text)) return false;
    if (kind !== 'string' && kind !== 'template') continue;
    if (HIDES.test(text)) return false;
    hasTag ||= SCRIPT_TAG.test(text);
  }
  return false;
}
