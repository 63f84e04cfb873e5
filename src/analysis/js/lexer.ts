import { quotesOf } from '../quotes.ts';

export type JsTokenKind = 'name' | 'string' | 'number' | 'template' | 'regex' | 'sign';

export interface JsToken {
  readonly kind: JsTokenKind;
  /** Strings with their escapes resolved, without quotes; everything else as it stands. */
  readonly text: string;
  readonly at: number;
  /** Whether a text is written mostly in numeric escapes. */
  readonly escaped?: true;
  /** Whether the script ends before the text does. */
  readonly cut?: true;
}

export interface JsSurface {
  readonly tokens: readonly JsToken[];
  /** Numeric escapes of ASCII characters in strings. */
  readonly escapes: number;
  /** Characters in comments. */
  readonly commentChars: number;
}

const SPACE = /[\s\ufeff]+/y;
const NAME_START = /[A-Za-z_$\u0080-\uffff\\]/;
const NAME = /[A-Za-z_$\u0080-\uffff\\][\w$\u0080-\uffff\\]*/y;
const NUMBER = /0[xXbBoO][0-9a-fA-F_]+n?|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?n?/y;
const SIGN = /=>|\.\.\.|[=!]==?|[<>]=|&&=?|\|\|=?|\?\?=?|\?\.|\+\+|--|\*\*|[+\-*/%&|^]=|<<=?|>>>?=?|[\s\S]/y;
/** Signs that begin no longer one. */
const ALONE = new Set('()[]{},;:~@#');
const ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|([0-3]?[0-7]{1,2})|(\r\n|[\s\S]))/g;
const SIMPLE: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', b: '\b', f: '\f' };
/** Internet Explorer runs what stands in such a comment. */
const CONDITIONAL = '/*@cc_on';
/** Words after which a slash begins a regular expression. */
const BEFORE_REGEX = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'do',
  'else',
]);

/** Splits JavaScript into tokens. Any text is a script. Linear. */
export function lexJs(source: string): JsSurface {
  const tokens: JsToken[] = [];
  let escapes = 0;
  let commentChars = 0;
  let at = 0;
  const endOf = quotesOf(source);

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.test(source) ? source.slice(at, pattern.lastIndex) : undefined;
  };
  const push = (kind: JsTokenKind, text: string, length: number) => {
    tokens.push({ kind, text, at });
    at += length;
  };
  const unescapeText = (raw: string): string => {
    if (!raw.includes('\\')) return raw;
    return raw.replace(ESCAPE, (_, byte, unit, point, octal, other) => {
      if (other !== undefined) return other === '\n' || other === '\r\n' ? '' : (SIMPLE[other] ?? other);
      const code =
        octal === undefined ? Number.parseInt(byte ?? unit ?? point, 16) : Number.parseInt(octal, 8);
      // Other alphabets are written so too.
      if (code < 128) escapes++;
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    });
  };
  const quoted = (quote: string) => {
    const end = endOf(quote, at + 1, quote !== '`');
    const before = escapes;
    const text = unescapeText(source.slice(at + 1, end));
    const kind = quote === '`' ? 'template' : 'string';
    const escaped = escapes - before > text.length / 2;
    const cut = end >= source.length;
    if (!escaped && !cut) tokens.push({ kind, text, at });
    else tokens.push({ kind, text, at, ...(escaped && { escaped }), ...(cut && { cut }) });
    at = Math.min(end + 1, source.length);
  };
  const comment = (end: number) => {
    const stop = end < 0 ? source.length : end;
    commentChars += stop - at;
    at = stop;
  };
  const startsRegex = (): boolean => {
    const before = tokens.at(-1);
    if (before === undefined) return true;
    if (before.kind === 'name') return BEFORE_REGEX.has(before.text);
    return before.kind === 'sign' && !')]}'.includes(before.text);
  };
  const regex = () => {
    let end = at + 1;
    let inClass = false;
    while (end < source.length && source[end] !== '\n') {
      const char = source[end];
      if (char === '\\') end++;
      else if (char === '[') inClass = true;
      else if (char === ']') inClass = false;
      else if (char === '/' && !inClass) break;
      end++;
    }
    push('regex', source.slice(at + 1, end), Math.min(end + 1, source.length) - at);
  };

  while (at < source.length) {
    const code = source.charCodeAt(at);
    if (code === 32) {
      at++;
      continue;
    }
    if (code < 32 || code >= 0xa0) {
      const space = match(SPACE);
      if (space !== undefined) {
        at += space.length;
        continue;
      }
    }
    const char = source[at] as string;
    const next = source[at + 1];
    if (char === '/' && next === '/') comment(source.indexOf('\n', at));
    else if (char === '/' && next === '*' && source.startsWith(CONDITIONAL, at)) at += CONDITIONAL.length;
    else if (char === '/' && next === '*') {
      const end = source.indexOf('*/', at + 2);
      comment(end < 0 ? -1 : end + 2);
    } else if (char === '<' && source.startsWith('<!--', at)) comment(source.indexOf('\n', at));
    else if (char === '"' || char === "'" || char === '`') quoted(char);
    else if (char === '/' && startsRegex()) regex();
    else if (ALONE.has(char)) push('sign', char, 1);
    else {
      const name = NAME_START.test(char) ? match(NAME) : undefined;
      const number =
        name === undefined && (/[0-9]/.test(char) || (char === '.' && /[0-9]/.test(next ?? '')))
          ? match(NUMBER)
          : undefined;
      if (name !== undefined) push('name', unescapeText(name), name.length);
      else if (number !== undefined) push('number', number, number.length);
      else {
        const sign = match(SIGN) ?? char;
        push('sign', sign, sign.length);
      }
    }
  }
  return { tokens, escapes, commentChars };
}
