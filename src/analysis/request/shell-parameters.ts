const VARIABLES_MAX = 8;
/** How deep words of parameters are read in each other. */
const ROUNDS_MAX = 3;

const ASSIGNED =
  /(?:^|[;&|\s])([a-z_]\w{0,15})=(?:"([\w/. -]{0,40})"|'([\w/. -]{0,40})'|([\w/.-]{1,40}))(?=[;&\s])/gi;
/** `$x`, a positional or special parameter, and `${...}` without another one inside of it. */
const PARAMETER = /\$(?:([a-z_]\w{0,30}|[1-9@*!])|\{([^{}]{0,80})\})/gi;
const BRACED = /^(!?)([a-z_]\w{0,30}|\d{1,2}|[@*!])(?:\[[^\]]{0,20}\])?(.{0,60})$/is;
/** What a word in its place is taken from, and when. */
const WORD = /^(:?[-=+])(.*)$/s;
const SUBSTRING = /^:(\d{1,3})(?::(\d{1,3}))?$/;
/** Operators by which a value is cut or changed; an unset one stays nothing. */
const CHANGED = /^(?:$|[:%#/^,@?])/;

/** What shells of servers have. Everything else that a text does not set itself is unset: nothing. */
const SET: ReadonlyMap<string, string> = new Map([
  ['BASH', '/bin/bash'],
  ['HOME', '/root'],
  ['IFS', ' '],
  ['PATH', '/usr/bin'],
  ['PWD', '/'],
  ['SHELL', '/bin/bash'],
]);

/** A text with the values that a shell puts in place of parameters: those that it sets itself, of the shell, or nothing. */
export function withParameters(text: string): string {
  if (!text.includes('$')) return text;
  const values = new Map(SET);
  for (const [, name = '', double, single, bare = ''] of text.matchAll(ASSIGNED))
    if (values.size < SET.size + VARIABLES_MAX) values.set(name, double ?? single ?? bare);
  let read = text;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = read;
    read = read.replace(PARAMETER, (whole, name: string | undefined, braced = '') =>
      name === undefined ? (bracedValue(braced, values) ?? whole) : (values.get(name) ?? ''),
    );
    if (read === before) break;
  }
  return read;
}

/** Undefined for what is no parameter, as `${user.name}` of a template. */
function bracedValue(braced: string, values: ReadonlyMap<string, string>): string | undefined {
  const [, indirect, name = '', operator = ''] = BRACED.exec(braced) ?? [];
  if (indirect === undefined) return undefined;
  const value = indirect === '' ? (values.get(name) ?? '') : '';
  const [, how, word = ''] = WORD.exec(operator) ?? [];
  if (how?.endsWith('+')) return value === '' ? '' : word;
  if (how !== undefined) return value === '' ? word : value;
  const [, from, length] = SUBSTRING.exec(operator) ?? [];
  if (from !== undefined)
    return value.slice(Number(from), length === undefined ? undefined : Number(from) + Number(length));
  return CHANGED.test(operator) ? value : undefined;
}
