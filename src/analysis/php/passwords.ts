import { ORIGIN, positionOf } from '../origin.ts';
import { HOLDS_PASSWORD } from './places.ts';
import { PHP } from './signals.ts';
import { originsOfAll, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

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

/** Which parameters of a function are named as passwords are. */
export const passwordPositions = (names: readonly string[]): number =>
  names.reduce((bits, name, position) => (HOLDS_PASSWORD.test(name) ? bits | positionOf(position) : bits), 0);

/** A function that checks a password hands it on: into a file, to another host or by mail. */
export function judgePassword(walk: Walk, name: string, args: readonly Value[], at: number): void {
  if (!walk.reporting) return;
  const [first = UNKNOWN] = args;
  if (name === 'mail') {
    const isFixed = first.text?.includes('@') && walk.guards.size === 0;
    if (isFixed && (hasPassword(walk, args) || namesPassword(walk))) walk.report(PHP.passwordKept, at);
  } else if ((WRITES.has(name) || ASKS.has(name)) && LOGIN.test(walk.scope) && hasPassword(walk, args)) {
    const isAway = !ASKS.has(name) || (originsOfAll(args) & ORIGIN.url) !== 0;
    // Clients of mail servers say it to the server that asks for it.
    const isOfProtocol = TO_HANDLE.has(name) && walk.calls.has('fsockopen');
    if (isAway && !isOfProtocol) walk.report(PHP.passwordKept, at);
  }
}

const hasPassword = ({ passwordBits }: Walk, args: readonly Value[]): boolean =>
  (originsOfAll(args) & ORIGIN.parameter) !== 0 && (originsOfAll(args) & passwordBits) !== 0;

/** Whether a variable with the name of a password stands in the arguments that were just read. */
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
