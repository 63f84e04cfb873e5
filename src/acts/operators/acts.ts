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

export interface TargetOperator {
  readonly name: string;
  /** Undefined if there is none of that name. */
  readonly operator: Operator | undefined;
  readonly all: readonly Operator[];
}

export async function findOperator(db: Database, name: string): Promise<TargetOperator> {
  const all = await readOperators(db).all();
  return { name, operator: all.find((each) => each.name === name), all };
}

const operatorAct = actsOn<TargetOperator>();

const ROLE = { flags: '--role <role>', help: 'role of the operator' };
const showsLink = {
  shown: (name: string) =>
    `Give this link to ${name}. It works once, within 15 minutes, and is shown only once:`,
};

export const add = operatorAct({
  verb: 'add',
  title: 'Add an operator',
  submit: 'Create link',
  fields: { role: choice(ROLES, { ...ROLE, fallback: 'viewer' }) },
  refusedAs: 'ACT_REFUSED',
  ...showsLink,
  command: {
    about: 'add an operator and print a link for choosing a password',
    example: '--role owner',
  },
  forms: [{}],
  plan: ({ name, all }, { role }, by) => addOperator(all, { name, role }, by),
});

export const link = operatorAct({
  verb: 'link',
  title: 'Create a new password link',
  submit: 'New link',
  fields: {},
  ...showsLink,
  command: { about: 'print a link for choosing a new password' },
  button: {},
  plan: ({ operator }, _, by) => linkOperator(operator, by),
});

export const changeRole = operatorAct({
  verb: 'role',
  title: 'Change the role of an operator',
  submit: 'Change role',
  fields: { role: choice(ROLES, ROLE) },
  refusedAs: 'ACT_REFUSED',
  command: { example: '--role operator' },
  button: {},
  plan: ({ operator, all }, { role }, by) => giveRole(operator, all, role, by),
});

export const disable = operatorAct({
  verb: 'disable',
  title: 'Disable an operator',
  submit: 'Disable',
  fields: {},
  command: { about: 'disable an operator and end every session', example: '--reason "has left"' },
  button: { ask: (name) => `Disable ${name}? Their sessions end immediately.` },
  plan: ({ operator, all }, _, by) => disableOperator(operator, all, by),
});

export const enable = operatorAct({
  verb: 'enable',
  title: 'Enable an operator',
  submit: 'Enable',
  fields: {},
  command: {},
  button: {},
  plan: ({ operator }, _, by) => enableOperator(operator, by),
});

export const resetSecond = operatorAct({
  verb: 'reset-2fa',
  title: 'Reset the second factor of an operator',
  submit: 'Reset the second factor',
  fields: {},
  command: {
    about: 'remove the second factor of an operator and end every session',
    example: '--reason "lost the phone"',
  },
  button: {
    ask: (name) => `Remove the second factor of ${name}? The password alone is then enough to sign in.`,
  },
  plan: ({ operator }, _, by) => resetSecondFactor(operator, by),
});
