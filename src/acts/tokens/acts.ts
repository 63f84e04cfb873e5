import type { Scope } from '../../domain/admin/scope.ts';
import { createToken, revokeToken } from '../../operator/admin-tokens.ts';
import { readAdminTokens } from '../../storage/operators/admin-tokens.ts';
import { actsOn } from '../act.ts';

/** What a token is to be. */
export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** When it ends, of the moment that is now; in milliseconds since the Unix epoch. */
  endOf(nowMs: number): number;
}

export const CREATE = { title: 'Make a token', submit: 'Make it' };

export const create = actsOn<NewToken>()({
  verb: 'create',
  fields: {},
  shown: (name) => `This is the token ${name}. It is shown only now:`,
  command: {
    about: 'make a token, which is shown only now',
    example: 'shop --scope licenses:read --scope licenses:write --expires 365d',
  },
  forms: [CREATE],
  async plan({ name, scopes, endOf }, _, by, { db }) {
    return createToken(await readAdminTokens(db).all(), { name, scopes, expiresAt: endOf(by.now) }, by);
  },
});

export const REVOKE = {
  submit: 'Revoke',
  label: (name: string) => `Revoke ${name}`,
  ask: (name: string) => `Revoke ${name}? The program that has it is refused at once.`,
};

export const revoke = actsOn<{ readonly name: string }>()({
  verb: 'revoke',
  done: 'does not work any more',
  fields: {},
  isFinal: true,
  command: {
    about: 'revoke a token for good; its name can be used again',
    example: 'shop --reason "the shop was replaced"',
    question: 'Revoke it?',
    warning: ({ name }) => `programs that use the token ${name} will be refused`,
  },
  button: REVOKE,
  plan: async ({ name }, _, by, { db }) => revokeToken(await readAdminTokens(db).findByName(name), by),
});
