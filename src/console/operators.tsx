/** @jsxImportSource hono/jsx */
import { Elysia } from 'elysia';
import { Fragment } from 'hono/jsx';
import { CONFIRMED_MS, operatorState, ROLES, type Role } from '../domain/admin/operator.ts';
import { customerNote } from '../domain/license/customer.ts';
import { isRefusal } from '../domain/refusal.ts';
import { requestIdOf } from '../http/context.ts';
import type { Form } from '../http/form.ts';
import { STATUS_OF } from '../http/statuses.ts';
import { type Act, type PlannedAct, REASON_CHARACTERS_MAX, type RefusedAct } from '../operator/act.ts';
import {
  addOperator,
  changeRole,
  disableOperator,
  enableOperator,
  linkOperator,
} from '../operator/operators.ts';
import { welcomePath } from '../settings/console-address.ts';
import type { Operator } from '../storage/operators.ts';
import { goTo, Problem, Scroll, showPage, Time } from './html.tsx';
import { TEXTS } from './texts.ts';
import { acting, askingOf, type ConsoleParts, page, type Visit } from './visit.ts';

const PATH = '/console/operators';
const WORDS = TEXTS.operators;

type Plan = (
  all: readonly Operator[],
  form: Form,
  act: Act,
) => (PlannedAct & { readonly secret?: string }) | RefusedAct;

const ACTS: Readonly<Record<string, Plan>> = {
  add: (all, { name = '', role = '' }, act) => addOperator(all, { name, role: roleIn(role) }, act),
  link: (all, form, act) => linkOperator(named(all, form), act),
  role: (all, form, act) => changeRole(named(all, form), all, roleIn(form.role ?? ''), act),
  disable: (all, form, act) => disableOperator(named(all, form), all, act),
  enable: (all, form, act) => enableOperator(named(all, form), act),
};

const named = (all: readonly Operator[], { name }: Form) => all.find((each) => each.name === name);
const roleIn = (text: string): Role => ROLES.find((role) => role === text) ?? 'viewer';

const RoleChoice = ({ chosen }: { readonly chosen: Role }) => (
  <select name="role" aria-label={WORDS.roleLabel}>
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
    {props.role ? <RoleChoice chosen={props.role} /> : null}
    <button type="submit" class="quiet">
      {props.words}
    </button>
  </form>
);

function Row({ operator }: { readonly operator: Operator }) {
  const { name, role, signedInAt } = operator;
  const state = operatorState(operator);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <ActForm act="role" name={name} words={WORDS.changeRole} role={role} />
      </td>
      <td>{TEXTS.states[state]}</td>
      <td>{signedInAt === null ? WORDS.never : <Time at={signedInAt} />}</td>
      <td>
        {state === 'disabled' ? (
          <ActForm act="enable" name={name} words={WORDS.enable} />
        ) : (
          <div class="acts">
            <ActForm act="link" name={name} words={WORDS.link} />
            <ActForm act="disable" name={name} words={WORDS.disable} ask={WORDS.disableAsk(name)} />
          </div>
        )}
      </td>
    </tr>
  );
}

const AddForm = ({ name, role }: { readonly name: string; readonly role: Role }) => (
  <form method="post" action={`${PATH}/add`} class="form">
    <h2>{WORDS.add}</h2>
    <label>
      {WORDS.columns.name}
      <input name="name" value={name} autocapitalize="none" autocomplete="off" required maxlength={40} />
    </label>
    <RoleChoice chosen={role} />
    <p class="quiet">{TEXTS.rolesMean}</p>
    <label>
      {WORDS.reason}
      <input name="reason" autocomplete="off" maxlength={REASON_CHARACTERS_MAX} />
    </label>
    <button type="submit">{WORDS.addSubmit}</button>
  </form>
);

/** The form of before, with the password beside it. */
const ConfirmForm = ({
  act,
  form,
  problem,
}: {
  readonly act: string;
  readonly form: Form;
  readonly problem?: string | undefined;
}) => (
  <form method="post" action={`${PATH}/${act}`} class="form">
    <Problem text={problem} />
    <p>{TEXTS.confirm.why}</p>
    {Object.entries(form).map(([name, value]) =>
      name === 'password' ? null : <input type="hidden" name={name} value={value} />,
    )}
    <label>
      {TEXTS.signIn.password}
      <input name="password" type="password" autocomplete="current-password" required maxlength={256} />
    </label>
    <button type="submit">{TEXTS.confirm.submit}</button>
  </form>
);

/** Who signs in: for owners alone, who give their password again for what changes something. */
export const operatorPages = (parts: ConsoleParts) => {
  const { operators, signIn, desk, clock, seen } = parts;

  const show = async (
    { set, operator }: Pick<Visit, 'set' | 'operator'>,
    {
      problem,
      link,
      form = {},
    }: { problem?: string; link?: { name: string; address: string }; form?: Form } = {},
    status = 200,
  ) => {
    const { name, role, state, signedIn, acts } = WORDS.columns;
    const all = await operators.all();
    return showPage(
      set,
      {
        title: WORDS.title,
        operator,
        children: (
          <Fragment>
            <Problem text={problem} />
            {link ? (
              <div class="notice good" role="status">
                <strong>{WORDS.linkFor(link.name)}</strong>
                <code>{link.address}</code>
              </div>
            ) : null}
            <Scroll label={WORDS.title}>
              <table>
                <thead>
                  <tr>
                    {[name, role, state, signedIn, acts].map((words) => (
                      <th scope="col">{words}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {all.map((each) => (
                    <Row operator={each} />
                  ))}
                </tbody>
              </table>
            </Scroll>
            <div class="cards">
              <section class="card">
                <AddForm name={form.name ?? ''} role={roleIn(form.role ?? '')} />
              </section>
            </div>
          </Fragment>
        ),
      },
      status,
    );
  };

  /** Shows the form for the password, unless it was given a moment ago or is right. */
  const confirmed = async (visit: Visit, act: string, form: Form): Promise<Response | undefined> => {
    if (clock.now() - visit.confirmedAt < CONFIRMED_MS) return undefined;
    const ask = (problem?: string, status = 200) =>
      showPage(
        visit.set,
        {
          title: TEXTS.confirm.title,
          operator: visit.operator,
          children: <ConfirmForm act={act} form={form} problem={problem} />,
        },
        status,
      );
    if (form.password === undefined) return ask();
    try {
      const { name } = visit.operator;
      await signIn.confirm(visit.token, {
        name,
        password: form.password,
        hasSession: true,
        ...askingOf(parts, visit),
      });
      return undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return ask(error.message, STATUS_OF[error.refused]);
    }
  };

  const acted = (act: string, plan: Plan) =>
    acting(parts, 'owner', async (visit, form) => {
      const asked = await confirmed(visit, act, form);
      if (asked) return asked;
      const by: Act = {
        actor: `operator:${visit.operator.name}`,
        reason: form.reason === undefined ? undefined : customerNote(form.reason, REASON_CHARACTERS_MAX),
        requestId: requestIdOf(visit),
        now: clock.now(),
      };
      const done = await desk.do(undefined, by.now, async () => {
        const planned = plan(await operators.all(), form, by);
        return 'refused' in planned ? planned : { ...planned, facts: {} };
      });
      if (isRefusal(done)) return show(visit, { problem: done.message, form }, STATUS_OF[done.refused]);
      const { secret } = done.plan ?? {};
      if (secret === undefined) return goTo(visit.set, PATH);
      const address = `${parts.config.adminUrl ?? seen(visit.request).origin}${welcomePath(secret)}`;
      return show(visit, { link: { name: form.name ?? '', address } });
    });

  const pages = new Elysia().get(
    PATH,
    page(parts, 'owner', (visit) => show(visit)) as () => Promise<Response>,
  );
  return pages.use(
    Object.entries(ACTS).map(([act, plan]) =>
      new Elysia().post(`${PATH}/${act}`, acted(act, plan) as () => Promise<Response>),
    ),
  );
};
