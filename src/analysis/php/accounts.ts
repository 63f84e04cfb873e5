import { ORIGIN } from '../origin.ts';
import { tokensFrom } from './arguments.ts';
import { PHP } from './signals.ts';
import { UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Whether the password of a new account is random and never revealed. */
function hasSecretPassword(walk: Walk): boolean {
  const tokens = tokensFrom(walk, 0);
  const at = tokens.findIndex(({ text }) => text === 'user_pass');
  return at >= 0 && tokens[at + 2]?.text === 'wp_generate_password';
}

/** Judges the creation of a WordPress account. */
export function judgeNewUser(
  walk: Walk,
  [first = UNKNOWN, second = UNKNOWN]: readonly Value[],
  at: number,
): void {
  if (hasSecretPassword(walk)) return;
  const password = first.items ? first.items.get('user_pass') : second;
  const role = first.items?.get('role')?.text;
  const isAdministrator = role === 'administrator';
  if (role && !isAdministrator) return;
  const isAsked = ((password?.origins ?? 0) & ORIGIN.request) !== 0;
  const isKnown = Boolean(password?.text) || isAsked;
  // A random password that is never revealed gives no access.
  if (isAdministrator || isKnown) walk.note('makesAccount', at);
  if (walk.guards.size === 0 && (isAsked ? isAdministrator : isKnown)) walk.note('makesKnownAccount', at);
}

/** Reports an account's password that is set to a value known to the file or its caller. */
export function judgeNewPassword(
  walk: Walk,
  [password = UNKNOWN, user = UNKNOWN]: readonly Value[],
  at: number,
): void {
  if (walk.guards.size > 0) return;
  const isAsked = (password.origins & user.origins & ORIGIN.request) !== 0;
  const isFixed = Boolean(password.text && user.text);
  if (isFixed || isAsked) walk.report(PHP.passwordGiven, at);
}

/** Judges the creation of a Magento account with a known password. */
export function judgeShopUser(walk: Walk, name: string, [first]: readonly Value[], at: number): void {
  const password = name === 'setdata' ? first?.items?.get('password') : undefined;
  if (password?.text || (password?.origins ?? 0) & ORIGIN.request) walk.note('setsShopPassword', at);
  const isMade = name === 'saverelations' && walk.facts.has('setsShopPassword') && walk.guards.size === 0;
  if (!isMade) return;
  walk.report(PHP.administratorMade, at);
  walk.report(PHP.administratorKnown, walk.placeOf('setsShopPassword'));
}

/** Id of the first user, usually the administrator. */
const FIRST = '1';

/** Notes a lookup of the first user. */
export function noteFirstUser(walk: Walk, [field, value]: readonly Value[], at: number): void {
  if (field?.text?.toLowerCase() === 'id' && value?.text === FIRST) walk.note('looksUpFirstUser', at);
}

/** Judges a login without a password. At top level, every caller of the page is logged in. */
export function judgeCookie(walk: Walk, args: readonly Value[], at: number): void {
  if (walk.scope === '' && walk.guards.size === 0) walk.report(PHP.loginOpen, at);
  const isFirst = args[0]?.text === FIRST || walk.facts.has('looksUpFirstUser');
  if (isFirst && walk.gates.size > 0 && walk.guards.size === 0) walk.report(PHP.loginAdministrator, at);
}
