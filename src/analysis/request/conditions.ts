import { normalizeSql } from './sql-lexer.ts';

const CHARS_MAX = 2_000;
const DEPTH_MAX = 8;
const JOINED = /^(?:and|or|&&|\|\|)$/;
const COMPARED =
  /^(?:=|<>|!=|<|>|<=|>=|~|:|!|like|ilike|in|is|not|eq|ne|lt|le|gt|ge|between|contains|startswith|endswith|matches|exists)$/;
/** A name of a thing, or of a function that only looks at one. */
const NAME =
  /^(?!(?:and|or|not|select|union|from|where|sleep|pg_sleep|benchmark|waitfor|load_file|extractvalue|updatexml|char|chr|ascii|ord|substring|substr|mid|user|database|version|exec|case|if|if?null|cast|convert|concat|count|exists)$)[a-z_]\w*$/;
const VALUE = /^(?:0|'s'|true|false|null|[a-z_]\w*)$/;
/** How a query of a language for tickets, maps or tables may end. */
const ENDING = /^ *(?:order by (?:\w+ (?:asc|desc)?(?: , )?){1,5} *)?(?:limit 0 *)?$/;

/**
 * Whether a text is a condition from its first word to its last: names compared with values, as filters have them. What is added to
 * a condition begins with a value, compares values with each other, closes what it has not opened, or cuts off the rest.
 */
export function isCondition(text: string): boolean {
  if (
    text.length > CHARS_MAX ||
    !/[=<>~:]|\s(?:like|in|is|eq|ne|[lg][te])\s/i.test(text) ||
    /--|\/\*|;/.test(text)
  )
    return false;
  const tokens = normalizeSql(text, '').text.split(' ');
  let [at, depth, compared] = [0, 0, 0];
  /** Steps over a list in parentheses, of names and values only; false where it is none. */
  const list = (): boolean => {
    const end = tokens.indexOf(tokens[at] === '[' ? ']' : ')', at);
    const isPlain =
      end > at && tokens.slice(at + 1, end).every((each) => /^[,.-]$/.test(each) || VALUE.test(each));
    at = end + 1;
    return isPlain;
  };
  for (;;) {
    while (/^(?:not|!|\()$/.test(tokens[at] ?? ''))
      if (tokens[at++] === '(' && ++depth > DEPTH_MAX) return false;
    if (!NAME.test(tokens[at++] ?? '')) return false;
    while (tokens[at] === '.' && /^[a-z_]\w*$/.test(tokens[at + 1] ?? '')) at += 2;
    const isCall = tokens[at] === '(';
    if (isCall && !list()) return false;
    const from = at;
    while (COMPARED.test(tokens[at] ?? '') && at - from < 3) at++;
    if (at === from && !isCall) return false;
    if (at > from) {
      compared++;
      while (/^[-%{]$/.test(tokens[at] ?? '')) at++;
      if (/^[([]$/.test(tokens[at] ?? '') ? !list() : !VALUE.test(tokens[at++] ?? '')) return false;
      while (tokens[at] === '}') at++;
      if (tokens[from] === 'between' && tokens[at] === 'and') at += 2;
    }
    while (tokens[at] === ')') {
      at++;
      if (--depth < 0) return false;
    }
    if (!JOINED.test(tokens[at] ?? '')) break;
    at++;
  }
  return compared > 0 && depth === 0 && ENDING.test(tokens.slice(at).join(' '));
}

/** Whether a text is one filter for a directory in its own parentheses (RFC 4515): an injection closes what it has not opened. */
export function isWholeFilter(text: string): boolean {
  const filter = text.trim();
  return filter.startsWith('(') && filter.endsWith(')') && isBalanced(filter.slice(1, -1));
}

/** Whether every parenthesis that is closed was opened, and the other way round. */
export function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/[()]/g)) {
    depth += sign === '(' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
