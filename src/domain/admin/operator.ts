import { HOUR_MS, MINUTE_MS } from '../../lib/clock.ts';

/**
 * What an operator may do, from the least on: a viewer reads without customers, support reads all, acknowledges alerts and releases
 * domains, an operator acts on licenses and the feed, an owner also on operators.
 */
export const ROLES = ['viewer', 'support', 'operator', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role has the rights of another. */
export const hasRole = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** How long a link for choosing a password works, in milliseconds. */
export const LINK_MS = 15 * MINUTE_MS;
/** How long a session lasts, in milliseconds. */
export const SESSION_MS = 12 * HOUR_MS;
/** How long after the password a second factor may be shown, in milliseconds. */
export const CODE_MS = 5 * MINUTE_MS;
/** How long after entering the password an owner's acts do not need it again, in milliseconds. */
export const CONFIRMED_MS = 30 * MINUTE_MS;

export const PASSWORD_CHARACTERS_MIN = 12;
export const PASSWORD_CHARACTERS_MAX = 256;

/** One form for all ways to type a password (RFC 8265, section 4.2.2). */
export const preparedPassword = (text: string): string => text.normalize('NFC');

/** Why a password cannot be chosen, in a sentence; undefined when it can. */
export function passwordProblem(text: string, name: string): string | undefined {
  const { length } = [...preparedPassword(text)];
  if (length < PASSWORD_CHARACTERS_MIN)
    return `Use a password of at least ${PASSWORD_CHARACTERS_MIN} characters.`;
  if (length > PASSWORD_CHARACTERS_MAX)
    return `Use a password of at most ${PASSWORD_CHARACTERS_MAX} characters.`;
  if (new Set(text).size < 5) return 'Use a greater variety of characters.';
  if (text.toLowerCase().includes(name) && length - name.length < PASSWORD_CHARACTERS_MIN / 2)
    return 'Do not use your name as your password.';
  return undefined;
}

export type OperatorState = 'invited' | 'active' | 'disabled';

/** The state of an operator. One who has neither chosen a password nor an identity at a provider cannot sign in. */
export function operatorState(operator: {
  readonly hasPassword: boolean;
  readonly oidcSubject: string | null;
  readonly disabledAt: number | null;
}): OperatorState {
  if (operator.disabledAt !== null) return 'disabled';
  return operator.hasPassword || operator.oidcSubject !== null ? 'active' : 'invited';
}
