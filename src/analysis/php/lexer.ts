import { quotesOf } from '../quotes.ts';
import { readTemplate, unescapeSingle } from './strings.ts';
import type { PhpComment, PhpSurface, PhpToken } from './token.ts';

const OPEN_TAG =
  /<\?(?:php(?=[\s/;#]|$)|=|(?!xml)(?=[\s$@/(a-z]))|<script[^>]{0,40}language[^>]{0,10}php[^>]{0,10}>|<%(?!@)/gi;
const SPACE = /[ \t\r\n\v\f\u00a0]+/y;
const NAME_START = /[A-Za-z_\u0080-\uffff\\]/;
const NAME =
  /\\?[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*(?:\\[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)*/y;
const VARIABLE = /\$[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*/y;
const NUMBER = /0[xX][0-9a-fA-F_]+|0[bB][01_]+|[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** A word at the beginning of a line, where the closing label of a heredoc stands. */
const LABEL = /^[ \t]*(\w+)/gm;
const HEREDOC = /<<<[ \t]*(["']?)([A-Za-z_][A-Za-z0-9_]*)\1\r?\n/y;
const CAST = /\([ \t]*(?:string|int|integer|bool|boolean|array|object|float|double|binary)[ \t]*\)/iy;
const OPERATOR =
  /<=>|===|!==|\*\*=|\.\.\.|\?\?=|\?->|<<=|>>=|=>|->|::|==|!=|<>|<=|>=|&&|\|\||\?\?|\+\+|--|\+=|-=|\*=|\/=|\.=|%=|&=|\|=|\^=|<<|>>|\*\*|[\s\S]/y;
/** Operators that begin no longer one. */
const ALONE = new Set(')[]{},;~@');

const COMMENT_CHARS_MAX = 200;
const COMMENTS_MAX = 2_000;
/** Fewer stand in the control characters of ordinary protocols. */
const ESCAPES_TELLING = 3;

/** Splits a file into what stands outside PHP and the tokens of PHP inside. Any text is a file. Linear. */
export function lexPhp(source: string, startsInside = false): PhpSurface {
  const tokens: PhpToken[] = [];
  const comments: PhpComment[] = [];
  let hasCode = startsInside;
  let at = 0;
  let lineEnd = -1;
  let closing = '?>';
  const endOf = quotesOf(source);

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.test(source) ? source.slice(at, pattern.lastIndex) : undefined;
  };
  const push = (kind: PhpToken['kind'], text: string) => {
    tokens.push({ kind, text, at });
  };
  const pushTemplate = (raw: string, isCommand: boolean) => {
    const { text, parts, escapes } = readTemplate(raw);
    const counted = escapes === 0 ? undefined : { escapes };
    if (isCommand || parts)
      tokens.push({
        kind: isCommand ? 'command' : 'template',
        text,
        at,
        ...(parts && { parts }),
        ...counted,
      });
    else if (escapes < ESCAPES_TELLING) tokens.push({ kind: 'string', text, at, ...counted });
    else tokens.push({ kind: 'string', text, at, escaped: true, escapes });
  };
  const keepComment = (end: number) => {
    const next = source.charCodeAt(end);
    const isInline = next !== 10 && next !== 13 && !Number.isNaN(next);
    if (comments.length < COMMENTS_MAX)
      comments.push({ text: source.slice(at, Math.min(end, at + COMMENT_CHARS_MAX)), at, isInline });
    at = end;
  };

  const html = () => {
    OPEN_TAG.lastIndex = at;
    const found = OPEN_TAG.exec(source);
    const end = found ? found.index : source.length;
    if (end > at) push('html', source.slice(at, end));
    at = found ? OPEN_TAG.lastIndex : source.length;
    if (!found) return;
    hasCode = true;
    closing = found[0].startsWith('<s') ? '</script>' : found[0] === '<%' ? '%>' : '?>';
    // A closing tag also ends a statement; so does an opening one after it.
    tokens.push({ kind: 'operator', text: ';', at: found.index });
    if (found[0] === '<?=') tokens.push({ kind: 'name', text: 'echo', at: found.index });
    code();
  };

  const lineComment = () => {
    // Looked for once per line, however many comments stand in it.
    if (lineEnd < at) lineEnd = source.indexOf('\n', at);
    if (lineEnd < 0) lineEnd = source.length;
    const tag = source.slice(at, lineEnd).indexOf(closing);
    keepComment(tag < 0 ? lineEnd : at + tag);
  };

  const quoted = (quote: string) => {
    const start = at + 1;
    const end = endOf(quote, start, false);
    const raw = source.slice(start, end);
    if (quote === "'") push('string', unescapeSingle(raw));
    else pushTemplate(raw, quote === '`');
    at = Math.min(end + 1, source.length);
  };

  /** Reads a heredoc; false when none begins here. */
  const heredoc = (): boolean => {
    HEREDOC.lastIndex = at;
    const [opening, quote, label] = HEREDOC.exec(source) ?? [];
    if (opening === undefined) return false;
    const start = at + opening.length;
    LABEL.lastIndex = start;
    let found = LABEL.exec(source);
    while (found && found[1] !== label) found = LABEL.exec(source);
    const end = found ? found.index : source.length;
    const raw = source.slice(start, end);
    if (quote === "'") push('string', raw);
    else pushTemplate(raw, false);
    at = found ? end + found[0].length : source.length;
    return true;
  };

  const code = () => {
    while (at < source.length) {
      const unit = source.charCodeAt(at);
      if (unit === 32) {
        at++;
        continue;
      }
      if (unit < 32 || unit === 0xa0) {
        const space = match(SPACE);
        if (space !== undefined) {
          at += space.length;
          continue;
        }
      }
      const char = source[at] as string;
      if (char === closing[0] && source.startsWith(closing, at)) {
        push('operator', ';');
        at += closing.length;
        return;
      }
      if (char === '#' && source[at + 1] !== '[') lineComment();
      else if (char === '/' && source[at + 1] === '/') lineComment();
      else if (char === '/' && source[at + 1] === '*') {
        const end = source.indexOf('*/', at + 2);
        keepComment(end < 0 ? source.length : end + 2);
      } else if (char === "'" || char === '"' || char === '`') quoted(char);
      else if (char !== '<' || !source.startsWith('<<<', at) || !heredoc()) token(char);
    }
  };

  const token = (char: string) => {
    const variable = char === '$' ? match(VARIABLE) : undefined;
    if (variable !== undefined) {
      push('variable', variable.slice(1));
      at += variable.length;
      return;
    }
    if (ALONE.has(char)) {
      push('operator', char);
      at++;
      return;
    }
    const name = NAME_START.test(char) ? match(NAME) : undefined;
    if (name !== undefined) {
      push('name', name.slice(name.lastIndexOf('\\') + 1).toLowerCase());
      at += name.length;
      return;
    }
    const number = char >= '0' && char <= '9' ? match(NUMBER) : undefined;
    if (number !== undefined) {
      push('number', readNumber(number));
      at += number.length;
      return;
    }
    const cast = char === '(' ? match(CAST) : undefined;
    const text = cast ?? (match(OPERATOR) as string);
    push(cast ? 'cast' : 'operator', text);
    at += text.length;
  };

  if (startsInside) code();
  while (at < source.length) html();
  return { tokens, comments, hasCode };
}

function readNumber(text: string): string {
  const digits = text.replaceAll('_', '');
  if (/^0[0-7]+$/.test(digits)) return String(Number.parseInt(digits, 8));
  return String(Number(digits));
}
