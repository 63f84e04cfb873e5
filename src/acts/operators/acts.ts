import { ROLES } from '../../domain/admin/operator.ts';
import { resetSecondFactor } from '../../operator/account.ts';
import {
  addOperator,
  disableOperator,
  enableOperator,
  changeRole as giveRole,
  linkOperator,
} from '../../operator/operators.ts';
import type { Database } from '../../storage/engine/database.ts';
import { type Operator, readOperators } from '../../storage/operators/operators.ts';
import { actsOn } from '../act.ts';
import { choice } from '../field.ts';

/** Whom an act is done to, beside all others. */
export interface TargetOperator {
  readonly name: string;
  /** Undefined where there is none of that name. */
  readonly operator: Operator | undefined;
  readonly all: readonly Operator[];
}

export async function findOperator(db: Database, name: string): Promise<TargetOperator> {
  const all = await readOperators(db).all();
  return { name, operator: all.find((each) => each.name === name), all };
}

const operatorAct = actsOn<TargetOperator>();

const ROLE = { flags: '--role <role>', help: 'what the operator may do' };
const showsLink = {
  shown: (name: string) => `Give this link to ${name}. It works once, for 15 minutes, and is shown only now:`,
};

export const ADD_FORM = { title: 'Let somebody in', submit: 'Make a link' };

export const add = operatorAct({
  verb: 'add',
  fields: { role: choice(ROLES, { ...ROLE, fallback: 'viewer' }) },
  refusedAs: 'ACT_REFUSED',
  ...showsLink,
  command: {
    about: 'let somebody sign in, once a password is chosen at the link that is printed',
    example: 'alice --role owner',
  },
  forms: [ADD_FORM],
  plan: ({ name, all }, { role }, by) => addOperator(all, { name, role }, by),
});

export const link = operatorAct({
  verb: 'link',
  fields: {},
  ...showsLink,
  command: { about: 'print a link at which an operator chooses another password', example: 'alice' },
  button: { submit: 'New link' },
  plan: ({ operator }, _, by) => linkOperator(operator, by),
});

export const changeRole = operatorAct({
  verb: 'role',
  fields: { role: choice(ROLES, ROLE) },
  refusedAs: 'ACT_REFUSED',
  command: { about: 'give an operator another role', example: 'alice --role operator' },
  button: { submit: 'Change the role' },
  plan: ({ operator, all }, { role }, by) => giveRole(operator, all, role, by),
});

export const disable = operatorAct({
  verb: 'disable',
  fields: {},
  command: { about: 'keep an operator out, and end every session', example: 'alice --reason "has left"' },
  button: {
    submit: 'Disable',
    ask: (name) => `Disable ${name}? Every session of theirs ends at once.`,
  },
  plan: ({ operator, all }, _, by) => disableOperator(operator, all, by),
});

export const enable = operatorAct({
  verb: 'enable',
  fields: {},
  command: { about: 'let an operator in again', example: 'alice' },
  button: { submit: 'Enable' },
  plan: ({ operator }, _, by) => enableOperator(operator, by),
});

export const resetSecond = operatorAct({
  verb: 'reset-2fa',
  fields: {},
  command: {
    about: 'take away the second factor of an operator who has lost it, and end every session',
    example: 'alice --reason "lost the phone"',
  },
  button: {
    submit: 'Reset the second factor',
    ask: (name) =>
      `Take the second factor of ${name} away? The password alone lets in then, and every session ends.`,
  },
  plan: ({ operator }, _, by) => resetSecondFactor(operator, by),
});
