import { lexPhp } from './lexer.ts';
import type { PhpToken } from './token.ts';
import { isUntaggedPhp } from './untagged.ts';

// Detects text that PHP cannot compile: scripts that only mention PHP, such as highlighters, parsers and lists of attacks.

/** A PHP opening tag, or a text that looks like one. */
export const PHP_TAG = /<\?(?:php\b|=|\s|$)|<\?(?!xml)[a-z$@]|<script[^>]{1,40}language[^>]{1,8}php/i;
const LONG_TAG = /^<\?(?:php|=)/i;
const SCRIPT =
  /\b(?:var|let|const)\s+[\w$[{]|=>\s*[({\w]|\b(?:window|module|exports)\b\s*[.=[]|\bfunction\s*\w*\(\s*\w/;
/** Typical beginnings of scripts. */
const COMMENT = /^\s*(?:\/[*/]|["']use strict)/;
/** Operators that a value must follow, never a brace. */
const BEFORE_VALUE = new Set(['=', '(', '[', ',', '=>', '?', '&&', '||', '===', '!==']);

const BEFORE_STATEMENT = new Set([';', '{', '*']);

/** Whether the tokens are JavaScript syntax, which PHP would refuse to compile. */
function isScriptSyntax(tokens: readonly PhpToken[]): boolean {
  for (let at = 1; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as PhpToken;
    const before = tokens[at - 1] as PhpToken;
    // The rest is data.
    if (text === '__halt_compiler') return false;
    if (kind === 'operator') {
      if (before.kind !== 'operator') continue;
      if (text === '{' && BEFORE_VALUE.has(before.text)) return true;
      // Comment lines in scripts that show PHP begin like this.
      if (text === '*' && BEFORE_STATEMENT.has(before.text)) return true;
    } else if (kind === 'name' && before.kind === 'name') {
      const isSet = tokens[at + 1]?.kind === 'operator' && tokens[at + 1]?.text === '=';
      if (isSet && (before.text === 'let' || before.text === 'var')) return true;
      if (before.text === 'typeof') return true;
    }
  }
  return false;
}

/** Whether code that looks like PHP without an opening tag is a script, such as a table with names like `$a`. */
export const isUntaggedScript = (content: string): boolean => isScriptSyntax(lexPhp(content, true).tokens);

/**
 * Whether a script contains a PHP tag only within a text, so that PHP could not run the rest. One error is enough: PHP compiles
 * the whole file before it runs any of it.
 */
export function onlyNamesPhp(content: string): boolean {
  const tag = PHP_TAG.exec(content);
  if (tag === null || tag.index === 0 || tag[0].startsWith('<s') || /^\s*</.test(content)) return false;
  const before = content.slice(0, tag.index);
  if (!(COMMENT.test(before) || SCRIPT.test(before)) || isUntaggedPhp(before)) return false;
  const code = content.slice(tag.index);
  // With short tags disabled, PHP begins at the first long tag.
  if (!LONG_TAG.test(tag[0]) && /<\?(?:php\b|=)/i.test(code)) return false;
  return isScriptSyntax(lexPhp(code).tokens);
}
