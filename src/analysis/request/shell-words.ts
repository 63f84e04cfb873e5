import { decodeBase64, decodeEscapes } from '../decode.ts';

const READ_CHARS_MAX = 4_096;
const GLOBS_MAX = 20;

/** Characters inside words that a shell removes or expands. */
const DISGUISE =
  /[\w/](?:''|""|\\\w|\$[@*\d]|\$\{\w{0,20}\}|\$\(\)|``|\^\w)[\w/]|[\w/]["'][\w/]{1,5}["']|["'][\w/]{1,4}["'][\w/]|\$'\\|\$\{?IFS|\$\{\w{1,20}[:%#]|\{,?[\w./]{1,30},|\\\r?\n|<<<|\$\(\s{0,5}(?:echo|printf|rev|base64)|base64\s{1,5}-|\|\s{0,5}(?:rev|xxd)\b|\w=[\w/.-]{1,40}[;&\s].{0,200}\$\w|(?:^|[\s;|&`(=<])[\w./-]{0,20}[?*[][\w?*[\].-]{0,20}/i;

const SPACE = /\$\{?IFS(?:%[^}]{0,10}|:[^}]{0,10})?\}?(?:\$\d)?/g;
const SLASH = /\$\{(?:PATH|HOME|PWD|SHELL)(?::0:1|%%\w\*|%%\?\*)\}/g;
/** Empty substitutions, also of commands without output. */
const EMPTY = /\$\(\s{0,5}(?:(?:true|false|:)\s{0,5})?\)|`(?:true|false|:)?`/g;
const BRACES = /\{(,?[\w./-]{0,40}(?:,[^{},\s]{0,80}){1,6})\}/g;
const PRINTED = /(?:\$\(|`)\s{0,5}(?:echo|printf)\s{1,5}(?:-\w{1,3}\s{1,3})?([^()|;&$`<>]{1,200})[)`]/g;
const REVERSED = /rev\s{0,5}<<<\s{0,5}([^()|;&$`<>]{1,200})|echo\s{1,5}([^()|;&$`<>]{1,200})\|\s{0,5}rev\b/g;
const BASE64 =
  /base64\s{1,5}-{1,2}d\w{0,8}\s{0,5}<<<\s{0,5}([\w+/=]{4,2000})|(?:echo|printf)\s{1,5}(?:-\w{1,3}\s{1,3})?([\w+/=]{4,2000})\s{0,5}\|\s{0,5}base64\s{1,5}-{1,2}[di]\w{0,8}/g;
const GLOB = /(?<![\w?*[\].-])(?:\/?[\w?*[\].-]{1,30}){1,5}/g;

/** The text before the name of a command. */
const COMMAND_STARTS = /(?:^|[;|&`\n]|\$\()\s{0,5}$/;
const BEFORE_CHARS = 8;

/** Paths that attackers disguise with globs. */
const PATHS = [
  ...'cat tac nl ls id sh bash nc ncat wget curl whoami uname ping head tail less more python python3 perl php env sleep base64 chmod rm cp mv rev grep ps'
    .split(' ')
    .flatMap((name) => [`/bin/${name}`, `/usr/bin/${name}`]),
  ...'/etc/passwd /etc/shadow /etc/hosts /etc/group /etc/issue /etc/os-release /proc/self/environ /proc/version /root/flag.txt'.split(
    ' ',
  ),
];

/** Ignored by a shell before a command: assignments, redirections, `!`, `{`, `command` and `builtin`. */
const PREFIX = new RegExp(
  [
    '([;|&])\\s{0,5}(?:(?:[!{]|command|builtin|[a-z_]\\w{0,20}=[^\\s;|&"\']{0,40}|\\d?[<>]{1,2}&?[\\w./-]{1,40})\\s{1,5}){1,4}',
    '(\\n)[ \\t]{0,5}(?:(?:[!{]|command|builtin)[ \\t]{1,5}){1,4}',
  ].join('|'),
  'gi',
);
/** Unset parameters, which expand to nothing. */
const UNSET = /\$(?:[a-z_]\w{0,30}|[1-9@*!]|\{\w{1,30}(?:\[\w{0,9}\])?\})/gi;
/** Expansions and prefixes that occur in ordinary texts as well, so they prove nothing alone. */
const EXPANDED = new RegExp(
  [
    '\\$(?:[a-z_@*!1-9{]|["\'][\\w\\\\/ -]{0,40}["\'])',
    EMPTY.source,
    '\\{,[\\w./]{1,30}\\}',
    // Escaped letters without meaning in patterns and texts.
    '\\\\[a-z]\\\\[ghijlmoqy]|\\\\[ghijlmoqy]\\\\[a-z]',
    // A backslash before a command bypasses aliases.
    '[;|&`][ \\t]{0,5}\\\\[a-z]{2}',
    PREFIX.source,
  ].join('|'),
  'i',
);

/** Whether a text contains characters that a shell removes or expands. */
export const isDisguised = (text: string): boolean => DISGUISE.test(text);

/** Whether a shell changes the words, by expansion, quoting or escapes. */
export const isExpanded = (text: string): boolean => EXPANDED.test(text) || isDisguised(text);

/** Reads a text like a shell: without quotes and escapes, expanded and decoded. */
export function shellReading(text: string): string {
  let read = text
    .slice(0, READ_CHARS_MAX)
    .replace(/\$'([^']{0,300})'/g, (_, inner: string) => decodeEscapes(inner))
    .replace(/\$(?=")/g, '')
    .replace(/\\\r?\n/g, '')
    .replace(SPACE, ' ')
    .replace(SLASH, '/');
  read = read
    .replace(UNSET, '')
    .replace(PREFIX, '$1$2 ')
    .replace(EMPTY, '')
    .replace(BRACES, (_, inner: string) => inner.replaceAll(',', ' ').trim())
    .replace(/["']/g, '')
    .replace(/[\\^](?=[\w/.-])/g, '')
    .replace(PRINTED, '$1')
    .replace(REVERSED, (_, here?: string, piped?: string) =>
      [...(here ?? piped ?? '').trim()].reverse().join(''),
    )
    .replace(BASE64, (whole, here?: string, piped?: string) => decoded(here ?? piped ?? '', whole));
  let globs = 0;
  return read.replace(GLOB, (word, at: number) =>
    /[?*[]/.test(word) &&
    /[/?]/.test(word) &&
    (word.startsWith('/') || COMMAND_STARTS.test(read.slice(Math.max(0, at - BEFORE_CHARS), at))) &&
    ++globs <= GLOBS_MAX
      ? (matched(word) ?? word)
      : word,
  );
}

function decoded(encoded: string, whole: string): string {
  const plain = decodeBase64(encoded);
  return /[^\t\n\r\u0020-\u007e]/.test(plain) ? whole : `;${plain};`;
}

/** The first well-known path matched by a glob that is specific enough. */
function matched(word: string): string | undefined {
  const path = word.startsWith('/') ? word : `/bin/${word}`;
  if ((path.match(/[?\w]/g)?.length ?? 0) < 4 || (path.match(/\*/g)?.length ?? 0) > 4) return undefined;
  // A question mark, a list, or a star inside a name: `/api/*` is a rule, not a disguise.
  if (!word.startsWith('/') && !/^[a-z]{0,4}[?[].*[a-z]$/.test(word)) return undefined;
  let source = '';
  for (let at = 0; at < path.length; at++) {
    const sign = path[at] as string;
    const close = sign === '[' ? path.indexOf(']', at) : -1;
    if (sign === '?') source += '[^/]';
    else if (sign === '*') source += '[^/]*';
    else if (close > at + 1) {
      source += '[\\w.-]';
      at = close;
    } else source += sign.replace(/[^\w/]/, '\\$&');
  }
  const pattern = new RegExp(`^${source}$`);
  return PATHS.find((known) => pattern.test(known));
}
