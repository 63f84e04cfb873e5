import type { Scope } from '../../domain/admin/scope.ts';
import { createToken, revokeToken } from '../../operator/admin-tokens.ts';
import { readAdminTokens } from '../../storage/operators/admin-tokens.ts';
import { actsOn } from '../act.ts';

/** The terms of a new token. */
export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Returns its expiry for the current time, both in milliseconds since the Unix epoch. */
  endOf(nowMs: number): number;
}

export const create = actsOn<NewToken>()({
  verb: 'create',
  title: 'Create a token',
  submit: 'Create token',
  fields: {},
  shown: (name) => `This is the token ${name}. It is shown only once:`,
  command: {
    about: 'create a token and print it once',
    example: '--scope licenses:read --scope licenses:write --expires 365d',
  },
  forms: [{}],
  async plan({ name, scopes, endOf }, _, by, { db }) {
    return createToken(await readAdminTokens(db).all(), { name, scopes, expiresAt: endOf(by.now) }, by);
  },
});

export const revoke = actsOn<{ readonly name: string }>()({
  verb: 'revoke',
  title: 'Revoke a token permanently',
  submit: 'Revoke',
  done: 'no longer works',
  fields: {},
  isFinal: true,
  command: {
    about: 'revoke a token permanently; its name can be reused',
    example: '--reason "the shop was replaced"',
    question: 'Revoke it?',
    warning: ({ name }) => `programs that use the token ${name} will be refused`,
  },
  forms: [{ title: 'Revoke', ask: 'Revoke this token? Programs that use it are refused immediately.' }],
  plan: async ({ name }, _, by, { db }) => revokeToken(await readAdminTokens(db).findByName(name), by),
});
