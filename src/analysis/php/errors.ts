import { lexPhp } from './lexer.ts';
import type { PhpToken } from './token.ts';
import { isUntaggedPhp } from './untagged.ts';

// What PHP cannot compile, as scripts are that only speak of it: highlighters, parsers and lists of attacks have its tags in their texts.

/** How PHP begins in a file, or seems to. */
export const PHP_TAG = /<\?(?:php\b|=|\s|$)|<\?(?!xml)[a-z$@]|<script[^>]{1,40}language[^>]{1,8}php/i;
const LONG_TAG = /^<\?(?:php|=)/i;
const SCRIPT =
  /\b(?:var|let|const)\s+[\w$[{]|=>\s*[({\w]|\b(?:window|module|exports)\b\s*[.=[]|\bfunction\s*\w*\(\s*\w/;
/** What a script begins with that describes itself. */
const COMMENT = /^\s*(?:\/[*/]|["']use strict)/;
/** Signs behind which PHP has a value, never a brace. */
const BEFORE_VALUE = new Set(['=', '(', '[', ',', '=>', '?', '&&', '||', '===', '!==']);

const BEFORE_STATEMENT = new Set([';', '{', '*']);

/** Whether PHP would refuse to compile what its tokens are, because they are those of a script. */
function isScriptSyntax(tokens: readonly PhpToken[]): boolean {
  for (let at = 1; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as PhpToken;
    const before = tokens[at - 1] as PhpToken;
    // What follows is no code.
    if (text === '__halt_compiler') return false;
    if (kind === 'operator') {
      if (before.kind !== 'operator') continue;
      if (text === '{' && BEFORE_VALUE.has(before.text)) return true;
      // Lines of a comment that shows PHP begin so.
      if (text === '*' && BEFORE_STATEMENT.has(before.text)) return true;
    } else if (kind === 'name' && before.kind === 'name') {
      const isSet = tokens[at + 1]?.kind === 'operator' && tokens[at + 1]?.text === '=';
      if (isSet && (before.text === 'let' || before.text === 'var')) return true;
      if (before.text === 'typeof') return true;
    }
  }
  return false;
}

/** Whether what looks like PHP without an opening tag, as a list of tables with names such as `$a` does, is a script. */
export const isUntaggedScript = (content: string): boolean => isScriptSyntax(lexPhp(content, true).tokens);

/**
 * Whether a script has an opening tag of PHP in one of its texts only, so that PHP could not run what follows. One error is enough:
 * PHP compiles a whole file before it runs any of it.
 */
export function onlyNamesPhp(content: string): boolean {
  const tag = PHP_TAG.exec(content);
  if (tag === null || tag.index === 0 || tag[0].startsWith('<s') || /^\s*</.test(content)) return false;
  const before = content.slice(0, tag.index);
  if (!(COMMENT.test(before) || SCRIPT.test(before)) || isUntaggedPhp(before)) return false;
  const code = content.slice(tag.index);
  // Where short tags are off, PHP begins at the first long one.
  if (!LONG_TAG.test(tag[0]) && /<\?(?:php\b|=)/i.test(code)) return false;
  return isScriptSyntax(lexPhp(code).tokens);
}
