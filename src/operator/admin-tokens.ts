import { ACTOR_NAME, ACTOR_NAME_RULE } from '../domain/admin/actor-name.ts';
import { newAdminToken, TOKEN_DAYS_MAX, tokenState } from '../domain/admin/admin-token.ts';
import { SCOPES, type Scope } from '../domain/admin/scope.ts';
import { DAY_MS, iso } from '../lib/clock.ts';
import type { AdminToken } from '../storage/operators/admin-tokens.ts';
import { type Act, type ActOutcome, audited, type PlannedAct, type RefusedAct, unchanged } from './act.ts';

/** How many tokens may work at once. */
export const TOKENS_MAX = 1_000;

/** What a token is to be. */
export interface WantedToken {
  readonly name: string;
  /** One at least; their order and repetitions mean nothing. */
  readonly scopes: readonly Scope[];
  /** Milliseconds since the Unix epoch, at most 731 days away. */
  readonly expiresAt: number;
}

/** A created token as requested, with its secret, which is shown once and stored nowhere. */
export interface CreatedToken extends PlannedAct, WantedToken {
  readonly token: string;
}

/**
 * Plans to make a token of the admin API.
 *
 * @param all the tokens that there are, working or not
 */
export function createToken(
  all: readonly AdminToken[],
  { name, scopes: wanted, expiresAt }: WantedToken,
  act: Act,
): CreatedToken | RefusedAct {
  const existing = all.find((each) => each.name === name);
  const working = all.filter((each) => tokenState(each, act.now) === 'works').length;
  const scopes = SCOPES.filter((scope) => wanted.includes(scope));
  const refused =
    whyNotNamed(name, existing, act.now) ??
    whyNotUntil(expiresAt, act.now) ??
    (scopes.length === 0 ? 'a token requires a scope' : undefined) ??
    (working >= TOKENS_MAX
      ? `the limit of ${TOKENS_MAX} active tokens is reached. Revoke one first`
      : undefined);
  if (refused !== undefined) return { refused };
  const { token, stored } = newAdminToken();
  const input = { name, ...stored, scopes, createdAt: act.now, expiresAt };
  const planned = audited(act, 'token.create', subjectOf(name), [{ name: 'createAdminToken', input }], {
    after: { scopes, expiresAt },
  });
  return { ...planned, name, scopes, expiresAt, token };
}

/** Plans to revoke a token. */
export function revokeToken(existing: AdminToken | undefined, act: Act): ActOutcome {
  if (existing === undefined) return { refused: 'no such token. List them with redoubt token list' };
  const { name, expiresAt, revokedAt } = existing;
  if (tokenState(existing, act.now) !== 'works')
    return unchanged(`it stopped working at ${iso(revokedAt ?? expiresAt)}`);
  return audited(
    act,
    'token.revoke',
    subjectOf(name),
    [{ name: 'revokeAdminToken', input: { name, now: act.now } }],
    { after: { revokedAt: act.now } },
  );
}

const subjectOf = (name: string): string => `token:${name}`;

function whyNotNamed(name: string, existing: AdminToken | undefined, nowMs: number): string | undefined {
  if (!ACTOR_NAME.test(name)) return `the name ${ACTOR_NAME_RULE}`;
  if (existing === undefined || tokenState(existing, nowMs) !== 'works') return undefined;
  return `a token named ${name} exists until ${iso(existing.expiresAt)}. Revoke it first, or choose another name`;
}

function whyNotUntil(expiresAt: number, nowMs: number): string | undefined {
  if (expiresAt <= nowMs) return 'the expiry is in the past';
  return expiresAt > nowMs + TOKEN_DAYS_MAX * DAY_MS
    ? `a token is valid for at most ${TOKEN_DAYS_MAX} days`
    : undefined;
}
