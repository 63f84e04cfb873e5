import { quotesOf } from '../quotes.ts';
import { setOf } from '../words.ts';

export type JsTokenKind = 'name' | 'string' | 'number' | 'template' | 'regex' | 'sign';

export interface JsToken {
  readonly kind: JsTokenKind;
  /** Strings without quotes and with resolved escapes; other tokens verbatim. */
  readonly text: string;
  readonly at: number;
  /** Whether a text consists mostly of numeric escapes. */
  readonly escaped?: true;
  /** Whether the script ends within the text. */
  readonly cut?: true;
}

export interface JsSurface {
  readonly tokens: readonly JsToken[];
  readonly comments: readonly JsComment[];
}

export interface JsComment {
  readonly at: number;
  readonly length: number;
}

const SPACE = /[\s\ufeff]+/y;
const PLAIN_NAME = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/y;
const NAME = /[A-Za-z_$\u0080-\uffff\\][\w$\u0080-\uffff\\]*/y;
const NUMBER = /0[xXbBoO][0-9a-fA-F_]+n?|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?n?/y;
const SIGN = /=>|\.\.\.|[=!]==?|[<>]=|&&=?|\|\|=?|\?\?=?|\?\.|\+\+|--|\*\*|[+\-*/%&|^]=|<<=?|>>>?=?|[\s\S]/y;

/** Token classes by the first ASCII character. */
const BEGINS = { sign: 0, space: 1, name: 2, digit: 3, quote: 4, slash: 5, alone: 6 } as const;
const FIRST = new Uint8Array(128);
/** Whether an ASCII character can be the second character of a sign. */
const IS_SECOND = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  if (code < 32) FIRST[code] = BEGINS.space;
  else if (/[A-Za-z_$\\]/.test(char)) FIRST[code] = BEGINS.name;
  else if (/[0-9]/.test(char)) FIRST[code] = BEGINS.digit;
  else if (/["'`]/.test(char)) FIRST[code] = BEGINS.quote;
  else if (char === '/') FIRST[code] = BEGINS.slash;
  // Signs that are always one character.
  else if (/[()[\]{},;:~@#]/.test(char)) FIRST[code] = BEGINS.alone;
  if (/[=>.&|?+\-*<]/.test(char)) IS_SECOND[code] = 1;
}
const [SPACE_CODE, STAR, DOT, SLASH, LESS, BACKSLASH, NO_BREAK_SPACE] = [32, 42, 46, 47, 60, 92, 0xa0];
const ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|([0-3]?[0-7]{1,2})|(\r\n|[\s\S]))/g;
const SIMPLE: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', b: '\b', f: '\f' };
const NOT_HIDDEN = new Set([...`\x1b<>="'&`].map((sign) => sign.charCodeAt(0)));
/** Internet Explorer runs the content of such comments. */
export const CONDITIONAL = '/*@cc_on';
/** Words after which a slash begins a regular expression. */
const BEFORE_REGEX = setOf('return typeof case in of delete void throw new do else');

/** Splits JavaScript into tokens; accepts any text. Linear. */
export function lexJs(source: string): JsSurface {
  const { surface, readTo } = openJs(source);
  readTo(source.length);
  return surface;
}

/** Incremental version: `readTo` adds the tokens and comments that begin before an offset. */
export function openJs(source: string): { surface: JsSurface; readTo: (end: number) => void } {
  const tokens: JsToken[] = [];
  const comments: JsComment[] = [];
  let escapes = 0;
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
      // Excludes escapes with innocent reasons: other alphabets, terminal control, and markup characters escaped by compilers.
      if (code < 128 && !NOT_HIDDEN.has(code)) escapes++;
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    });
  };
  const quoted = () => {
    const quote = source[at] as string;
    const end = endOf(quote, at + 1, quote !== '`');
    escapes = 0;
    const text = unescapeText(source.slice(at + 1, end));
    const kind = quote === '`' ? 'template' : 'string';
    const escaped = escapes > text.length / 2;
    const cut = end >= source.length;
    if (!escaped && !cut) tokens.push({ kind, text, at });
    else tokens.push({ kind, text, at, ...(escaped && { escaped }), ...(cut && { cut }) });
    at = Math.min(end + 1, source.length);
  };
  const comment = (end: number) => {
    const stop = end < 0 ? source.length : end;
    comments.push({ at, length: stop - at });
    at = stop;
  };
  const startsRegex = (): boolean => {
    const before = tokens[tokens.length - 1];
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
  const sign = () => {
    const isOne = IS_SECOND[source.charCodeAt(at + 1)] !== 1;
    const text = isOne ? (source[at] as string) : (match(SIGN) as string);
    push('sign', text, text.length);
  };
  const name = () => {
    PLAIN_NAME.lastIndex = at;
    const end = PLAIN_NAME.test(source) ? PLAIN_NAME.lastIndex : at;
    if (end === at || source.charCodeAt(end) === BACKSLASH) {
      const escaped = match(NAME) as string;
      push('name', unescapeText(escaped), escaped.length);
    } else {
      tokens.push({ kind: 'name', text: source.slice(at, end), at });
      at = end;
    }
  };
  const slash = () => {
    const next = source.charCodeAt(at + 1);
    if (next === SLASH) comment(source.indexOf('\n', at));
    else if (next === STAR && source.startsWith(CONDITIONAL, at)) at += CONDITIONAL.length;
    else if (next === STAR) {
      const end = source.indexOf('*/', at + 2);
      comment(end < 0 ? -1 : end + 2);
    } else if (startsRegex()) regex();
    else sign();
  };
  /** Skips white space; false if there is none. */
  const space = (): boolean => {
    SPACE.lastIndex = at;
    if (!SPACE.test(source)) return false;
    at = SPACE.lastIndex;
    return true;
  };

  const readTo = (end: number) => {
    while (at < end) {
      const code = source.charCodeAt(at);
      if (code === SPACE_CODE) {
        at++;
        continue;
      }
      if (code >= NO_BREAK_SPACE && space()) continue;
      const begins = code < 128 ? FIRST[code] : BEGINS.name;
      if (begins === BEGINS.name) name();
      else if (begins === BEGINS.alone) tokens.push({ kind: 'sign', text: source[at] as string, at: at++ });
      else if (begins === BEGINS.quote) quoted();
      else if (begins === BEGINS.slash) slash();
      else if (
        begins === BEGINS.digit ||
        (code === DOT && FIRST[source.charCodeAt(at + 1)] === BEGINS.digit)
      ) {
        const number = match(NUMBER) as string;
        push('number', number, number.length);
      } else if (code === LESS && source.startsWith('<!--', at)) comment(source.indexOf('\n', at));
      else if (begins !== BEGINS.space || !space()) sign();
    }
  };
  return { surface: { tokens, comments }, readTo };
}
