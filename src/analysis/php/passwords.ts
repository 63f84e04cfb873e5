import { ORIGIN, positionOf } from '../origin.ts';
import { PHP } from './signals.ts';
import { programWritten } from './stored-code.ts';
import { originsOfAll, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Names of variables that hold a password. */
const HOLDS_PASSWORD = /^(?:user_?|log_?|my_?)?(?:pass(?:w(?:or)?d)?|passphrase|pwd)$/i;
const LOGIN = /(?:log_?in|log_?on|auth\w{0,20}|sign_?on|check_?pass\w{0,8})$/i;
const WRITES = new Set(['file_put_contents', 'fwrite', 'fputs', 'error_log']);
const ASKS = new Set([
  'file_get_contents',
  'wp_remote_get',
  'wp_remote_post',
  'curl_setopt',
  'curl_init',
  'file',
]);
const TO_HANDLE = new Set(['fwrite', 'fputs']);
const TOKENS_MAX = 120;
/** Functions that {@link judgePassword} judges. */
export const OF_PASSWORDS = ['mail', 'wp_mail', ...WRITES, ...ASKS];

/** Hooks that receive the password entered by a visitor, with its parameter position. */
const GIVES_PASSWORD: ReadonlyMap<string, number> = new Map([
  ['authenticate', 2],
  ['check_password', 1],
  ['wp_authenticate', 1],
  ['wp_authenticate_user', 1],
]);
/** Hooks that add content to public pages, or redirect visitors. */
const OF_PAGES = new Set(['wp_head', 'wp_footer', 'the_content', 'the_excerpt', 'template_redirect', 'wp']);
const hookKey = (name: string): string => `{hook}${name}`;

/** Notes functions that receive passwords through a hook. */
export function noteHook(walk: Walk, [hook, callback]: readonly Value[]): void {
  if (OF_PAGES.has(hook?.text ?? '')) walk.note('hooksPages', walk.token?.at ?? 0);
  const position = GIVES_PASSWORD.get(hook?.text ?? '');
  if (position !== undefined && callback?.text !== undefined && !walk.reporting)
    walk.earlier.set(hookKey(callback.text.toLowerCase()), positionOf(position));
}

/** The bits of a function's parameters that hold a password because of its hook. */
export const hookedPosition = ({ earlier }: Walk, name: string): number => earlier.get(hookKey(name)) ?? 0;

/** The bits of parameters with names of passwords. */
export const passwordPositions = (names: readonly string[]): number =>
  names.reduce((bits, name, position) => (HOLDS_PASSWORD.test(name) ? bits | positionOf(position) : bits), 0);

/** Judges whether a function that checks a password passes it on: to a file, another host or by mail. */
export function judgePassword(walk: Walk, name: string, args: readonly Value[], at: number): void {
  if (!walk.reporting) return;
  const [first = UNKNOWN] = args;
  if (name === 'mail' || name === 'wp_mail') {
    const isFixed = first.text?.includes('@') && walk.guards.size === 0;
    if (isFixed && (hasPassword(walk, args) || namesPassword(walk))) walk.report(PHP.passwordKept, at);
  } else if ((WRITES.has(name) || ASKS.has(name)) && checksLogin(walk) && hasPassword(walk, args)) {
    const isAway = !ASKS.has(name) || (originsOfAll(args) & ORIGIN.url) !== 0;
    // Mail clients send it to the server that requires it, other programs to a helper that verifies it.
    const isOfProtocol = TO_HANDLE.has(name) && walk.calls.has('fsockopen');
    const isOfHelper = TO_HANDLE.has(name) && programWritten(walk) === false;
    if (isAway && !isOfProtocol && !isOfHelper) walk.report(PHP.passwordKept, at);
  }
}

/** Whether the current function handles logins, by its name or its hook. */
const checksLogin = (walk: Walk): boolean =>
  LOGIN.test(walk.scope) || hookedPosition(walk, walk.scope.slice(walk.scope.lastIndexOf('/') + 1)) !== 0;

const hasPassword = ({ passwordBits }: Walk, args: readonly Value[]): boolean =>
  (originsOfAll(args) & ORIGIN.parameter) !== 0 && (originsOfAll(args) & passwordBits) !== 0;

/** Whether the last arguments contain a variable named like a password. */
function namesPassword(walk: Walk): boolean {
  const end = walk.position - 1;
  let depth = 0;
  for (let at = end; at > Math.max(0, end - TOKENS_MAX); at--) {
    const { kind, text, parts } = walk.tokens[at] ?? { kind: 'operator', text: '' };
    if (kind === 'operator' && text === ')') depth++;
    else if (kind === 'operator' && text === '(' && --depth === 0) return false;
    if (kind === 'variable' && HOLDS_PASSWORD.test(text)) return true;
    if (parts?.some((part) => 'variable' in part && HOLDS_PASSWORD.test(part.variable))) return true;
  }
  return false;
}
