import { ACTOR_NAME, ACTOR_NAME_RULE } from '../domain/admin/actor-name.ts';
import { newBearerSecret } from '../domain/admin/bearer-secret.ts';
import { LINK_MS, operatorState, type Role } from '../domain/admin/operator.ts';
import type { Operator } from '../storage/operators/operators.ts';
import { type Act, type ActOutcome, audited, type PlannedAct, type RefusedAct, unchanged } from './act.ts';

/** More than any installation has. */
export const OPERATORS_MAX = 1_000;

/** A link for choosing a password once; its secret is shown once and stored only as a hash. */
export interface PlannedLink extends PlannedAct {
  readonly secret: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** The subject of audit entries about an operator. */
export const operatorSubject = (name: string): string => `operator:${name}`;

function newLink(now: number) {
  const { secret, secretHash } = newBearerSecret();
  return { secret, link: { linkHash: secretHash, linkExpiresAt: now + LINK_MS } };
}

/** Plans to add an operator, who signs in after choosing a password at the link. */
export function addOperator(
  all: readonly Operator[],
  { name, role }: { readonly name: string; readonly role: Role },
  act: Act,
): PlannedLink | RefusedAct {
  if (!ACTOR_NAME.test(name)) return { refused: `the name ${ACTOR_NAME_RULE}` };
  if (all.some((each) => each.name === name))
    return {
      refused: `the operator ${name} already exists. Create a link with redoubt operator link ${name}`,
    };
  if (all.length >= OPERATORS_MAX) return { refused: `the limit of ${OPERATORS_MAX} operators is reached` };
  const { secret, link } = newLink(act.now);
  const input = { name, role, createdAt: act.now, ...link };
  const planned = audited(act, 'operator.add', operatorSubject(name), [{ name: 'addOperator', input }], {
    after: { role },
  });
  return { ...planned, secret, expiresAt: link.linkExpiresAt };
}

/** Plans to let an operator choose another password; the present one works until then. */
export function linkOperator(operator: Operator | undefined, act: Act): PlannedLink | RefusedAct {
  if (operator === undefined) return UNKNOWN_OPERATOR;
  if (operator.disabledAt !== null)
    return { refused: `${operator.name} is disabled. Enable the operator first` };
  if (operator.oidcSubject !== null)
    return { refused: `${operator.name} signs in at the identity provider and has no password` };
  const { secret, link } = newLink(act.now);
  const job = { name: 'linkOperator', input: { id: operator.id, ...link } } as const;
  return {
    ...audited(act, 'operator.link', operatorSubject(operator.name), [job]),
    secret,
    expiresAt: link.linkExpiresAt,
  };
}

/** Plans to give an operator another role. */
export function changeRole(
  operator: Operator | undefined,
  all: readonly Operator[],
  role: Role,
  act: Act,
): ActOutcome {
  if (operator === undefined) return UNKNOWN_OPERATOR;
  const { id, name } = operator;
  if (operator.role === role) return unchanged(`${name} already has the role ${role}`);
  if (operator.oidcSubject !== null)
    return { refused: `the role of ${name} comes from the identity provider. Change the groups there` };
  if (isLastOwner(operator, all)) return lastOwner(name);
  return audited(
    act,
    'operator.role',
    operatorSubject(name),
    [{ name: 'setOperatorRole', input: { id, role } }],
    {
      before: { role: operator.role },
      after: { role },
    },
  );
}

/** Plans to disable an operator; every session ends. */
export function disableOperator(
  operator: Operator | undefined,
  all: readonly Operator[],
  act: Act,
): ActOutcome {
  if (operator === undefined) return UNKNOWN_OPERATOR;
  const { id, name, disabledAt } = operator;
  if (disabledAt !== null) return unchanged(`${name} is already disabled`);
  if (isLastOwner(operator, all)) return lastOwner(name);
  const job = { name: 'setOperatorDisabled', input: { id, disabledAt: act.now } } as const;
  return audited(act, 'operator.disable', operatorSubject(name), [job], { after: { disabledAt: act.now } });
}

/** Plans to enable an operator again, with the previous password. */
export function enableOperator(operator: Operator | undefined, act: Act): ActOutcome {
  if (operator === undefined) return UNKNOWN_OPERATOR;
  const { id, name, disabledAt } = operator;
  if (disabledAt === null) return unchanged(`${name} is not disabled`);
  const job = { name: 'setOperatorDisabled', input: { id, disabledAt: null } } as const;
  return audited(act, 'operator.enable', operatorSubject(name), [job], { before: { disabledAt } });
}

const UNKNOWN_OPERATOR: RefusedAct = { refused: 'no such operator. List them with redoubt operator list' };

const isLastOwner = (operator: Operator, all: readonly Operator[]): boolean =>
  operator.role === 'owner' &&
  operatorState(operator) === 'active' &&
  !all.some((each) => each.id !== operator.id && each.role === 'owner' && operatorState(each) === 'active');

const lastOwner = (name: string): RefusedAct => ({
  refused: `${name} is the last owner who can sign in. Add another owner first`,
});
