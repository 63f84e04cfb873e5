import { ORIGIN } from '../origin.ts';
import type { Signal } from '../signal.ts';
import { setOf } from '../words.ts';
import { argumentEnds, argumentVariable, resultVariable, tokensFrom } from './arguments.ts';
import { isUrl } from './operators.ts';
import { PHP } from './signals.ts';
import type { Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Names of files that servers run, or that configure what they run. */
export const PHP_NAME = /\.(?:php\d?|phtml|phar|inc|htaccess)$/i;

/** Functions and methods that read from a site's database. */
const READS_STORED = setOf(
  'get_option get_site_option get_transient get_site_transient get_post_meta get_user_meta get_theme_mod get_var apcu_fetch imap_body ' +
    'mysql_fetch_row mysql_fetch_array mysql_fetch_assoc mysqli_fetch_row mysqli_fetch_array mysqli_fetch_assoc',
);
const RUN_TOKENS_MAX = 16;

/** Functions that parse a response. */
const TAKES_APART = new Set(['json_decode', 'simplexml_load_file', 'simplexml_load_string']);
/** Functions that {@link noteStored} handles. */
export const STORES = [...READS_STORED, ...TAKES_APART];

/** Notes variables with content from the database or a response. */
export function noteStored(walk: Walk, name: string, [first]: readonly Value[]): void {
  const isFetched = TAKES_APART.has(name) && first && ((first.origins & ORIGIN.remote) !== 0 || isUrl(first));
  if (!isFetched && !READS_STORED.has(name)) return;
  const variable = resultVariable(walk);
  if (variable !== undefined)
    walk.observed.untrustedCode.set(walk.placeKey(variable), isFetched ? PHP.evalRemote : PHP.evalStored);
}

/** Judges code that was read from the database or from a response. */
export function storedCode(walk: Walk): Signal | undefined {
  for (let at = walk.position - 1; at > walk.position - RUN_TOKENS_MAX; at--) {
    const token = walk.tokens[at];
    if (token === undefined || token.text === ';' || token.text === 'eval' || token.text === 'assert')
      return undefined;
    if (token.kind === 'name' && READS_STORED.has(token.text)) return PHP.evalStored;
    const signal =
      token.kind === 'variable' ? walk.observed.untrustedCode.get(walk.placeKey(token.text)) : undefined;
    if (signal !== undefined) return signal;
  }
  return undefined;
}

/** Notes variables with an unknown path that ends with the name of a PHP file. */
export function notePath(walk: Walk, name: string, { text }: Value): void {
  const last = walk.peek(-1);
  if (text === undefined && last?.kind === 'string' && PHP_NAME.test(last.text))
    walk.observed.phpPaths.add(walk.placeKey(name));
}

/** Whether a path argument ends with the name of a PHP file, even if its beginning is unknown. */
export function endsAsPhp(walk: Walk, position: number): boolean {
  if (argumentEnds(walk, position, PHP_NAME)) return true;
  const variable = argumentVariable(walk, position);
  return variable !== undefined && walk.observed.phpPaths.has(walk.placeKey(variable));
}

/** Notes the handle of a PHP file. */
export function noteOpened(walk: Walk): void {
  const variable = resultVariable(walk);
  if (variable !== undefined && endsAsPhp(walk, 0)) walk.observed.phpPaths.add(walk.placeKey(variable));
}

const SHELL =
  /^\s*(?:\S{0,60}\/)?(?:(?:ba|da|z|k|c|a)?sh|cmd(?:\.exe)?|powershell|php\d?|perl|python[\d.]{0,5}|ruby|node)(?:\s|$)/i;

/** Notes a program that is started with a pipe; the function determines which argument receives the pipes. */
export function noteProgram(walk: Walk, [command]: readonly Value[], pipes?: string): void {
  const variable = pipes ?? resultVariable(walk);
  const [first] = tokensFrom(walk, 0);
  const program = command?.text ?? (first?.kind === 'string' || first?.kind === 'template' ? first.text : '');
  if (program.trim() === '' || variable === undefined) return;
  walk.observed.programs.set(walk.placeKey(variable), SHELL.test(program));
}

/** Whether data is written to a program: true for a shell, false for others; undefined for a file. */
export function programWritten(walk: Walk): boolean | undefined {
  if (walk.observed.programs.size === 0) return undefined;
  const [first] = tokensFrom(walk, 0);
  return first?.kind === 'variable' ? walk.observed.programs.get(walk.placeKey(first.text)) : undefined;
}
