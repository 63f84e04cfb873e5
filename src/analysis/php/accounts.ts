import { ORIGIN } from '../origin.ts';
import { tokensFrom } from './arguments.ts';
import { PHP } from './signals.ts';
import { UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Whether a password is made up at random where the account is made, so that nobody gets to know it. */
function isNobodys(walk: Walk): boolean {
  const tokens = tokensFrom(walk, 0);
  const at = tokens.findIndex(({ text }) => text === 'user_pass');
  return at >= 0 && tokens[at + 2]?.text === 'wp_generate_password';
}

/** An account of WordPress is made: notes whether that is a way in for somebody. */
export function judgeNewUser(
  walk: Walk,
  [first = UNKNOWN, second = UNKNOWN]: readonly Value[],
  at: number,
): void {
  if (isNobodys(walk)) return;
  const password = first.items ? first.items.get('user_pass') : second;
  const role = first.items?.get('role')?.text;
  const isAdministrator = role === 'administrator';
  if (role && !isAdministrator) return;
  const isAsked = ((password?.origins ?? 0) & ORIGIN.request) !== 0;
  const isKnown = Boolean(password?.text) || isAsked;
  // Otherwise a password that is made up at random is nobody's way in.
  if (isAdministrator || isKnown) walk.newUserAt = at;
  if (walk.guards.size === 0 && (isAsked ? isAdministrator : isKnown)) walk.noted.knownPasswordAt = at;
}

/** The password of an account is set, to one that the file or the caller knows. */
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

/** An option of the site is set: says so when the caller names it, and what it is set to. */
export function judgeOptionSet(
  walk: Walk,
  [name = UNKNOWN, value = UNKNOWN]: readonly Value[],
  at: number,
): void {
  const isNamed = name.origins & ORIGIN.request && !(name.origins & (ORIGIN.partial | ORIGIN.prefixed));
  if (isNamed && value.origins & ORIGIN.request && walk.guards.size === 0) walk.report(PHP.optionRequest, at);
}

/** The account of a shop (Magento) is set: notes when its password is known. */
export function judgeShopUser(walk: Walk, name: string, [first]: readonly Value[], at: number): void {
  const password = name === 'setdata' ? first?.items?.get('password') : undefined;
  if (password?.text || (password?.origins ?? 0) & ORIGIN.request) walk.noted.shopUserAt ??= at;
  const isMade = name === 'saverelations' && walk.noted.shopUserAt !== undefined && walk.guards.size === 0;
  if (!isMade) return;
  walk.report(PHP.administratorMade, at);
  walk.report(PHP.administratorKnown, walk.noted.shopUserAt ?? at);
}

/** The number that the first administrator of a site mostly has. */
const FIRST = '1';

/** An account is looked up: notes when it is the first one, whoever that is. */
export function noteFirstUser({ noted }: Walk, [field, value]: readonly Value[]): void {
  if (field?.text?.toLowerCase() === 'id' && value?.text === FIRST) noted.looksUpFirst = true;
}

/** Somebody is logged in without a password. */
export function judgeLogin(walk: Walk, [user]: readonly Value[], at: number): void {
  // User 0 is nobody.
  if (walk.requestReads > 0 && user?.text !== '0') walk.report(PHP.loginSkipped, at);
}

/** The same for the visits to come. Outside of functions it logs in whoever calls the page. */
export function judgeCookie(walk: Walk, args: readonly Value[], at: number): void {
  if (walk.scope === '' && walk.guards.size === 0) walk.report(PHP.loginOpen, at);
  const isFirst = args[0]?.text === FIRST || walk.noted.looksUpFirst;
  if (isFirst && walk.requestReads > 0 && walk.guards.size === 0) walk.report(PHP.loginAdministrator, at);
  judgeLogin(walk, args, at);
}
