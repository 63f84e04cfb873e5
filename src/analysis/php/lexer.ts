import { quotesOf } from '../quotes.ts';
import { BEGINS, FIRST, IS_IN_CAST, IS_SECOND } from './characters.ts';
import { readNumber, readTemplate, unescapeSingle } from './strings.ts';
import type { PhpComment, PhpSurface, PhpToken, ReadTo } from './token.ts';

const OPEN_TAG =
  /<\?(?:php(?=[\s/;#]|$)|=|(?!xml)(?=[\s$@/(a-z]))|<script[^>]{0,40}language[^>]{0,10}php[^>]{0,10}>|<%(?!@)/gi;
const SPACE = /[ \t\r\n\v\f\u00a0]+/y;
const WORD = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*/y;
/** A word with its namespaces. */
const QUALIFIED = new RegExp(`\\\\?(?:${WORD.source}\\\\)*(${WORD.source})`, 'y');
const VARIABLE = /\$[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*/y;
const NUMBER = /0[xX][0-9a-fA-F_]+|0[bB][01_]+|[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** The first word of a line, where the closing label of a heredoc is. */
const LABEL = /^[ \t]*(\w+)/gm;
const HEREDOC = /<<<[ \t]*(["']?)([A-Za-z_][A-Za-z0-9_]*)\1\r?\n/y;
const CAST = /\([ \t]*(?:string|int|integer|bool|boolean|array|object|float|double|binary)[ \t]*\)/iy;
/** Ordered by frequency; longer operators before their prefixes. */
const OPERATOR =
  /->|=>|::|&&|\|\||\.=|<=>|===|!==|\*\*=|\.\.\.|\?\?=|\?->|<<=|>>=|==|!=|<>|<=|>=|\?\?|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<<|>>|\*\*|[\s\S]/y;

const [SPACE_CODE, HASH, OPENING, STAR, SLASH, LESS, BRACKET, BACKSLASH] = [32, 35, 40, 42, 47, 60, 91, 92];
const NO_BREAK_SPACE = 0xa0;

const COMMENT_CHARS_MAX = 200;
const COMMENTS_MAX = 2_000;
/** Fewer escapes occur in control characters of ordinary protocols. */
const ESCAPES_TELLING = 3;

/** Splits a file into tokens: markup outside of PHP, and the tokens inside. Accepts any text. Linear. */
export function lexPhp(source: string, startsInside = false): PhpSurface {
  const { surface, readTo } = openPhp(source, startsInside);
  readTo(source.length);
  return surface;
}

/** Incremental version: `readTo` adds at least the tokens that begin before an offset. */
export function openPhp(source: string, startsInside = false): { surface: PhpSurface; readTo: ReadTo } {
  const tokens: PhpToken[] = [];
  const comments: PhpComment[] = [];
  const surface = { tokens, comments, hasCode: startsInside };
  let isInside = startsInside;
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
    if (!isCommand && !raw.includes('$') && !raw.includes('\\')) {
      push('string', raw);
      return;
    }
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
    if (comments.length < COMMENTS_MAX)
      comments.push({ text: source.slice(at, Math.min(end, at + COMMENT_CHARS_MAX)), at });
    at = end;
  };

  const html = () => {
    OPEN_TAG.lastIndex = at;
    const found = OPEN_TAG.exec(source);
    const end = found ? found.index : source.length;
    if (end > at) push('html', source.slice(at, end));
    at = found ? OPEN_TAG.lastIndex : source.length;
    if (!found) return;
    surface.hasCode = true;
    isInside = true;
    closing = found[0].startsWith('<s') ? '</script>' : found[0] === '<%' ? '%>' : '?>';
    // A closing tag also ends a statement; so does an opening one after it.
    tokens.push({ kind: 'operator', text: ';', at: found.index });
    if (found[0] === '<?=') tokens.push({ kind: 'name', text: 'echo', at: found.index });
  };

  const lineComment = () => {
    // One search per line, however many comments it contains.
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
    const raw = source.slice(start, end).replace(/\r?\n$/, '');
    if (quote === "'") push('string', raw);
    else pushTemplate(raw, false);
    at = found ? end + found[0].length : source.length;
    return true;
  };

  /** Reads a comment; false when none begins here. */
  const comment = (first: number): boolean => {
    const second = source.charCodeAt(at + 1);
    if (first === SLASH && second === STAR) {
      const end = source.indexOf('*/', at + 2);
      keepComment(end < 0 ? source.length : end + 2);
    } else if (first === HASH ? second !== BRACKET : second === SLASH) lineComment();
    else return false;
    return true;
  };

  /** Skips white space; false if there is none. */
  const space = (): boolean => {
    SPACE.lastIndex = at;
    if (!SPACE.test(source)) return false;
    at = SPACE.lastIndex;
    return true;
  };

  const code = (end: number) => {
    const closingCode = closing.charCodeAt(0);
    while (at < end) {
      const first = source.charCodeAt(at);
      if (first === SPACE_CODE) at++;
      else if (first === closingCode && source.startsWith(closing, at)) {
        push('operator', ';');
        at += closing.length;
        isInside = false;
        return;
      } else if (first !== LESS || !source.startsWith('<<<', at) || !heredoc()) token(first);
    }
  };

  const token = (first: number) => {
    switch (first < 128 ? FIRST[first] : BEGINS.name) {
      case BEGINS.space:
        if (!space()) operator(first);
        break;
      case BEGINS.name:
        if (first === NO_BREAK_SPACE) space();
        else name(first);
        break;
      case BEGINS.dollar: {
        VARIABLE.lastIndex = at;
        if (!VARIABLE.test(source)) operator(first);
        else {
          const end = VARIABLE.lastIndex;
          tokens.push({ kind: 'variable', text: source.slice(at + 1, end), at });
          at = end;
        }
        break;
      }
      case BEGINS.alone:
        tokens.push({ kind: 'operator', text: source[at] as string, at: at++ });
        break;
      case BEGINS.quote:
        quoted(source[at] as string);
        break;
      case BEGINS.digit: {
        const number = match(NUMBER) as string;
        push('number', readNumber(number));
        at += number.length;
        break;
      }
      case BEGINS.comment:
        if (!comment(first)) operator(first);
        break;
      default:
        operator(first);
    }
  };

  const name = (first: number) => {
    WORD.lastIndex = at;
    let start = at;
    let end = WORD.test(source) ? WORD.lastIndex : at;
    if (first === BACKSLASH || source.charCodeAt(end) === BACKSLASH) {
      QUALIFIED.lastIndex = at;
      const [whole, word] = QUALIFIED.exec(source) ?? [];
      if (whole === undefined || word === undefined) {
        operator(0);
        return;
      }
      end = at + whole.length;
      start = end - word.length;
    }
    tokens.push({ kind: 'name', text: source.slice(start, end).toLowerCase(), at });
    at = end;
  };

  const operator = (first: number) => {
    const second = source.charCodeAt(at + 1);
    const cast = first === OPENING && IS_IN_CAST[second] === 1 ? match(CAST) : undefined;
    const isOne = IS_SECOND[second] !== 1;
    const text = cast ?? (isOne ? (source[at] as string) : (match(OPERATOR) as string));
    push(cast ? 'cast' : 'operator', text);
    at += text.length;
  };

  const readTo = (end: number) => {
    while (at < end) {
      if (isInside) code(end);
      else html();
    }
  };
  return { surface, readTo };
}
