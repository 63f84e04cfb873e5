import { normalizeSql } from './sql-lexer.ts';

const CHARS_MAX = 2_000;
const DEPTH_MAX = 8;
const JOINED = /^(?:and|or|&&|\|\|)$/;
const COMPARED =
  /^(?:=|<>|!=|<|>|<=|>=|~|:|!|like|ilike|in|is|not|eq|ne|lt|le|gt|ge|between|contains|startswith|endswith|matches|exists)$/;
/** A name, or a harmless function applied to one. */
const NAME =
  /^(?!(?:and|or|not|select|union|from|where|sleep|pg_sleep|benchmark|waitfor|load_file|extractvalue|updatexml|char|chr|ascii|ord|substring|substr|mid|user|database|version|exec|case|if|if?null|cast|convert|concat|count|exists)$)[a-z_]\w*$/;
const VALUE = /^(?:0|'s'|true|false|null|[a-z_]\w*)$/;
/** Valid ends of queries in languages for tickets, maps or tables. */
const ENDING = /^ *(?:order by (?:\w+ (?:asc|desc)?(?: , )?){1,5} *)?(?:limit 0 *)?$/;

/**
 * Whether a text is a complete condition, as in filters: names compared with values. An injected condition instead begins with a
 * value, compares two values, closes a bracket it did not open, or cuts off the rest.
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
  /** Skips a list of names and values in parentheses; false for other content. */
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

/** Whether a text is a complete LDAP filter in parentheses (RFC 4515). An injection closes parentheses it did not open. */
export function isWholeFilter(text: string): boolean {
  const filter = text.trim();
  return filter.startsWith('(') && filter.endsWith(')') && isBalanced(filter.slice(1, -1));
}

/** Whether parentheses are balanced. */
export function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/[()]/g)) {
    depth += sign === '(' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
