import { ORIGIN } from '../origin.ts';
import { PHP } from './signals.ts';
import { UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** An account of WordPress is made: notes whether that is a way in for somebody. */
export function judgeNewUser(
  walk: Walk,
  [first = UNKNOWN, second = UNKNOWN]: readonly Value[],
  at: number,
): void {
  const password = first.items ? first.items.get('user_pass') : second;
  const isAdministrator = first.items?.get('role')?.text === 'administrator';
  const isKnown = Boolean(password?.text) || ((password?.origins ?? 0) & ORIGIN.request) !== 0;
  // Otherwise a password that is made up at random is nobody's way in.
  if (isAdministrator || isKnown) walk.newUserAt = at;
}

/** Somebody is logged in without a password. */
export function judgeLogin(walk: Walk, [user]: readonly Value[], at: number): void {
  // User 0 is nobody.
  if (walk.requestReads > 0 && user?.text !== '0') walk.report(PHP.loginSkipped, at);
}

/** The same for the visits to come. Outside of functions it logs in whoever calls the page. */
export function judgeCookie(walk: Walk, args: readonly Value[], at: number): void {
  if (walk.scope === '' && walk.guards.size === 0) walk.report(PHP.loginOpen, at);
  judgeLogin(walk, args, at);
}
