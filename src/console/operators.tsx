/** @jsxImportSource hono/jsx */
import { Elysia } from 'elysia';
import { Fragment } from 'hono/jsx';
import { ReasonField } from '../acts/form.tsx';
import { operatorState, ROLES, type Role } from '../domain/admin/operator.ts';
import type { Form } from '../http/form.ts';
import { STATUS_OF } from '../http/statuses.ts';
import { resetSecondFactor } from '../operator/account.ts';
import type { PlannedAct, RefusedAct } from '../operator/act.ts';
import {
  addOperator,
  changeRole,
  disableOperator,
  enableOperator,
  linkOperator,
} from '../operator/operators.ts';
import { Problem, Time } from '../pages/html.tsx';
import { Table } from '../pages/table.tsx';
import { welcomePath } from '../settings/console-address.ts';
import type { Operator } from '../storage/operators/operators.ts';
import { type OwnerAct, ownerActs } from './owner-acts.ts';
import { PLACES } from './places.ts';
import { showPage } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { type ConsoleParts, page, type Visit } from './visit.ts';

const { path: PATH } = PLACES.operators;
const WORDS = TEXTS.operators;
const SECOND = TEXTS.account.ofOthers;

const ACTS: Readonly<Record<string, OwnerAct<Operator, PlannedAct & { readonly secret?: string }>>> = {
  add: (all, { name = '', role }, act) =>
    withRole(role, (chosen) => addOperator(all, { name, role: chosen }, act)),
  link: (all, form, act) => linkOperator(named(all, form), act),
  role: (all, form, act) => withRole(form.role, (role) => changeRole(named(all, form), all, role, act)),
  disable: (all, form, act) => disableOperator(named(all, form), all, act),
  enable: (all, form, act) => enableOperator(named(all, form), act),
  'reset-2fa': (all, form, act) => resetSecondFactor(named(all, form), act),
};

const named = (all: readonly Operator[], { name }: Form) => all.find((each) => each.name === name);
const roleIn = (text: string | undefined): Role | undefined => ROLES.find((role) => role === text);

function withRole<Outcome>(text: string | undefined, plan: (role: Role) => Outcome): Outcome | RefusedAct {
  const role = roleIn(text);
  return role === undefined ? { refused: 'that is no role' } : plan(role);
}

const RoleChoice = ({ chosen, of }: { readonly chosen: Role; readonly of?: string }) => (
  <select name="role" aria-label={of === undefined ? WORDS.roleLabel : `${WORDS.roleLabel}: ${of}`}>
    {ROLES.map((role) => (
      <option value={role} selected={role === chosen}>
        {TEXTS.roles[role]}
      </option>
    ))}
  </select>
);

const ActForm = (props: {
  readonly act: string;
  readonly name: string;
  readonly words: string;
  readonly ask?: string;
  readonly role?: Role;
}) => (
  <form method="post" action={`${PATH}/${props.act}`} class="acts" data-ask={props.ask}>
    <input type="hidden" name="name" value={props.name} />
    {props.role ? <RoleChoice chosen={props.role} of={props.name} /> : null}
    <button type="submit" class="quiet" aria-label={`${props.words}: ${props.name}`}>
      {props.words}
    </button>
  </form>
);

function Row({ operator }: { readonly operator: Operator }) {
  const { name, role, signedInAt, hasSecondFactor } = operator;
  const state = operatorState(operator);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <ActForm act="role" name={name} words={WORDS.changeRole} role={role} />
      </td>
      <td>{TEXTS.states[state]}</td>
      <td>{hasSecondFactor ? SECOND.on : SECOND.off}</td>
      <td>{signedInAt === null ? WORDS.never : <Time at={signedInAt} />}</td>
      <td>
        {state === 'disabled' ? (
          <ActForm act="enable" name={name} words={WORDS.enable} />
        ) : (
          <div class="acts">
            <ActForm act="link" name={name} words={WORDS.link} />
            <ActForm act="disable" name={name} words={WORDS.disable} ask={WORDS.disableAsk(name)} />
            {hasSecondFactor ? (
              <ActForm act="reset-2fa" name={name} words={SECOND.reset} ask={SECOND.resetAsk(name)} />
            ) : null}
          </div>
        )}
      </td>
    </tr>
  );
}

const AddForm = ({ form: { name = '', role, reason = '' } }: { readonly form: Form }) => (
  <form method="post" action={`${PATH}/add`} class="form">
    <h2>{WORDS.add}</h2>
    <label>
      {WORDS.columns.name}
      <input name="name" value={name} autocapitalize="none" autocomplete="off" required maxlength={40} />
    </label>
    <RoleChoice chosen={roleIn(role) ?? 'viewer'} />
    <p class="quiet">{TEXTS.rolesMean}</p>
    <ReasonField value={reason} />
    <button type="submit">{WORDS.addSubmit}</button>
  </form>
);

/** Who signs in: for owners alone, who give their password again for what changes something. */
export const operatorPages = (parts: ConsoleParts) => {
  const { operators, notices, seen } = parts;

  const show = async (
    visit: Visit,
    { problem, form = {} }: { problem?: string; form?: Form } = {},
    status = 200,
  ) => {
    const { name, role, state, signedIn, acts } = WORDS.columns;
    const all = await operators.all();
    return showPage(
      visit.set,
      {
        title: WORDS.title,
        operator: visit.operator,
        at: PLACES.operators,
        notices: notices.take(visit, PATH),
        children: (
          <Fragment>
            <Problem text={problem} />
            <Table label={WORDS.title} columns={[name, role, state, SECOND.column, signedIn, acts]}>
              {all.map((each) => (
                <Row operator={each} />
              ))}
            </Table>
            <div class="cards">
              <section class="card">
                <AddForm form={form} />
              </section>
            </div>
          </Fragment>
        ),
      },
      status,
    );
  };

  return new Elysia()
    .get(PATH, page(parts, 'owner', async (visit) => show(visit)) as () => Promise<Response>)
    .use(
      ownerActs(parts, {
        path: PATH,
        acts: ACTS,
        all: operators.all,
        refused: (visit, verb, form, { message: problem, refused }) =>
          show(visit, { problem, form: verb === 'add' ? form : {} }, STATUS_OF[refused]),
        done(visit, { name = '' }, { plan }) {
          if (plan?.secret === undefined) return;
          const address = `${parts.config.adminUrl ?? seen(visit.request).origin}${welcomePath(plan.secret)}`;
          notices.leave(visit, PATH, { words: WORDS.linkFor(name), secret: address });
        },
      }),
    );
};
