import { setOf } from '../words.ts';
import type { JsToken } from './lexer.ts';

/** Words before a bracket that begins an array, not a property access. */
const BEFORE_LIST = setOf('return case in of typeof delete void throw else do new');
const IDENTIFIER = /^[A-Za-z_$][\w$]{0,60}$/;

/** Rewrites property accesses to dot notation: `a['b' + 'c']` becomes `a.bc`. */
export function withPlainMembers(tokens: readonly JsToken[]): readonly JsToken[] {
  let plain: JsToken[] | undefined;
  let next = 0;
  for (let at = 0; at < tokens.length; at = next) {
    const token = tokens[at] as JsToken;
    next = at + 1;
    const member = token.text === '[' && token.kind === 'sign' ? memberAt(tokens, at) : undefined;
    if (member === undefined) plain?.push(token);
    else {
      plain ??= tokens.slice(0, at);
      const isOptional = tokens[at - 1]?.text === '?.';
      if (!isOptional) plain.push({ kind: 'sign', text: '.', at: token.at });
      plain.push({ kind: 'name', text: member.name, at: token.at });
      next = member.next;
    }
  }
  return plain ?? tokens;
}

function memberAt(tokens: readonly JsToken[], open: number): { name: string; next: number } | undefined {
  const owner = tokens[open - 1];
  const isOwned =
    owner !== undefined &&
    (owner.kind === 'name'
      ? !BEFORE_LIST.has(owner.text)
      : owner.kind === 'sign'
        ? /^(?:[)\]]|\?\.)$/.test(owner.text)
        : owner.kind !== 'number');
  if (!isOwned) return undefined;
  let name = '';
  for (let at = open + 1; tokens[at]?.kind === 'string'; at += 2) {
    name += tokens[at]?.text;
    if (tokens[at + 1]?.text === '+') continue;
    return tokens[at + 1]?.text === ']' && IDENTIFIER.test(name) ? { name, next: at + 2 } : undefined;
  }
  return undefined;
}
