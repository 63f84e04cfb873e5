/** The quote that encloses the value in its statement; empty if there is none. */
export type Enclosure = '' | "'" | '"';

const SPACE = /\s+/y;
const COMMENT = /--[\s\S]?|#|\/\*!?[0-9]{0,6}/y;
/** A number may end directly before a keyword, as in `1e0union` and `1or`. */
const NUMBER =
  /0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?(?:[eE][0-9]+)?(?![A-Za-z0-9_])|[0-9]+\.?[eE][0-9]{1,3}(?=[A-Za-z_])|[0-9]{1,20}(?=(?:union|or|and|xor|from|where|having|like|rlike)\b)/iy;
/** A PostgreSQL string, delimited by `$$` or `$name$`. */
const DOLLAR_QUOTE = /\$(?:[A-Za-z_]\w{0,30})?\$/y;
const DOLLAR_QUOTES_MAX = 50;
const WORD = /@{0,2}[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|[0-9]\w+/y;
const OPERATOR = /<=>|<>|!=|<=|>=|:=|\|\||&&|[\s\S]/y;
/** Prose, which strings of an injection do not contain. */
const SENTENCE = /^[^'"`;=()]{0,40}?(?:\s\p{L}{2,20}[,.:?!]?){4}/u;
const SENTENCE_CHARS = 200;
const ALONE = '(),;.*+%^~?[]{}\\$=`';

/**
 * Reads a value as SQL and normalises it: lower-case words, `0` for numbers, `'s'` for strings, `'q'` for an unclosed string,
 * `'t'` for a sentence, and `--` for a comment that ends the statement. Other comments are removed; tokens are separated by one
 * space. This way, many notations become one. Linear.
 *
 * @param enclosure the quote around the value in its statement; the first such quote in the value closes that string
 */
export function normalizeSql(
  value: string,
  enclosure: Enclosure,
): { readonly text: string; readonly hidden: number } {
  const out: string[] = [];
  let hidden = 0;
  let dollarsLeft = DOLLAR_QUOTES_MAX;
  let at = 0;

  const string = (quote: string) => {
    let end = at;
    while (end < value.length) {
      if (value[end] === '\\') end += 2;
      else if (value[end] !== quote) end++;
      else if (value[end + 1] === quote && out.length > 0) end += 2;
      else break;
    }
    const isSentence = out.length > 0 && SENTENCE.test(value.slice(at, Math.min(end, at + SENTENCE_CHARS)));
    out.push(isSentence ? "'t'" : end < value.length ? "'s'" : "'q'");
    at = end + 1;
  };

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.test(value) ? value.slice(at, pattern.lastIndex) : undefined;
  };

  /** Skips a comment; keeps one that ends the statement. */
  const comment = (opening: string) => {
    const isBlock = opening.startsWith('/*');
    // MySQL runs the content of /*!...*/; other comments are like a space.
    if (opening.startsWith('/*!')) {
      hidden++;
      at += opening.length;
      return;
    }
    const end = isBlock ? value.indexOf('*/', at + 2) : value.indexOf('\n', at);
    if (end < 0 || (!isBlock && end === value.length - 1)) {
      out.push('--');
      at = value.length;
      return;
    }
    const next = end + (isBlock ? 2 : 1);
    const isHiding = isBlock ? isBetweenWords(value, at, next) : isContinued(value, at + opening.length, end);
    if (isHiding) hidden++;
    at = next;
  };

  if (enclosure !== '') string(enclosure);
  while (at < value.length) {
    const char = value[at] as string;
    if (char === ' ') {
      at++;
      continue;
    }
    if (char === "'" || char === '"') {
      at++;
      string(char);
      continue;
    }
    if (char === '*' && value[at + 1] === '/') {
      at += 2;
      continue;
    }
    const dollars = char === '$' && dollarsLeft > 0 ? match(DOLLAR_QUOTE) : undefined;
    const closing = dollars === undefined ? -1 : value.indexOf(dollars, at + dollars.length);
    if (dollars !== undefined) dollarsLeft--;
    if (dollars !== undefined && closing >= 0) {
      out.push("'s'");
      at = closing + dollars.length;
      continue;
    }
    if (ALONE.includes(char)) {
      if (char !== '`') out.push(char);
      at++;
      continue;
    }
    const space = match(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const opening = char === '-' || char === '#' || char === '/' ? match(COMMENT) : undefined;
    if (opening !== undefined) {
      comment(opening);
      continue;
    }
    const number = char >= '0' && char <= '9' ? match(NUMBER) : undefined;
    const word = number === undefined ? match(WORD) : undefined;
    if (number !== undefined) out.push('0');
    else if (word !== undefined) out.push(word.length > 64 ? 'w' : word.toLowerCase());
    const token = number ?? word ?? (match(OPERATOR) as string);
    if (number === undefined && word === undefined) out.push(token);
    at += token.length;
  }
  return { text: out.join(' '), hidden };
}

const isBetweenWords = (value: string, start: number, end: number): boolean =>
  /\w/.test(value[start - 1] ?? '') && /[\w(]/.test(value[end] ?? '');

const AFTER_COMMENT_CHARS = 20;
const CONTINUES = /^\s*(?:select|union|and|or|from|where|sleep|insert|drop|order|group|by|null|exec|all|\d)/i;

/** Whether a one-word comment splits a statement; after a longer one, text continues. */
const isContinued = (value: string, start: number, end: number): boolean =>
  !/\s\S/.test(value.slice(start, end)) &&
  CONTINUES.test(value.slice(end + 1, end + 1 + AFTER_COMMENT_CHARS));
