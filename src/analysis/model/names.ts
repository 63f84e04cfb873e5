import type { Tokens } from './tokens.ts';
import type { Window } from './windows.ts';

/** Well-known names that reasons may show, because they are part of the language, not of the content. */
const NAMES: readonly string[] = (
  'eval assert create_function call_user_func preg_replace base64_decode gzinflate gzuncompress ' +
  'str_rot13 shell_exec passthru proc_open system exec popen fsockopen move_uploaded_file ' +
  'file_put_contents chmod mail $_get $_post $_request $_cookie $_files $globals wscript activexobject ' +
  'createobject fromcharcode charcodeat unescape document'
).split(' ');
const NAMED_MAX = 3;

/** Names of the list in a window, in order of the list; at most three. */
export function namesIn(content: string, tokens: Tokens, { from, to }: Window): readonly string[] {
  const start = tokens.starts[from] as number;
  const end = to < tokens.count ? (tokens.starts[to] as number) : content.length;
  const text = ` ${content.slice(start, end).toLowerCase()} `;
  return NAMES.filter((name) => isWholeWord(text, name)).slice(0, NAMED_MAX);
}

function isWholeWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    if (!/[\w$]/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + name.length))) return true;
  }
  return false;
}
