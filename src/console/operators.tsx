/** @jsxImportSource hono/jsx */
import { Elysia } from 'elysia';
import { Fragment } from 'hono/jsx';
import {
  CONFIRMED_MS,
  operatorState,
  PASSWORD_CHARACTERS_MAX,
  ROLES,
  type Role,
} from '../domain/admin/operator.ts';
import { customerNote, customerNoteRule } from '../domain/license/customer.ts';
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

/** A link that its owner has not seen yet. */
interface MadeLink {
  readonly name: string;
  readonly address: string;
}

type Plan = (
  all: readonly Operator[],
  form: Form,
  act: Act,
) => (PlannedAct & { readonly secret?: string }) | RefusedAct;

const ACTS: Readonly<Record<string, Plan>> = {
  add: (all, { name = '', role }, act) =>
    withRole(role, (chosen) => addOperator(all, { name, role: chosen }, act)),
  link: (all, form, act) => linkOperator(named(all, form), act),
  role: (all, form, act) => withRole(form.role, (role) => changeRole(named(all, form), all, role, act)),
  disable: (all, form, act) => disableOperator(named(all, form), all, act),
  enable: (all, form, act) => enableOperator(named(all, form), act),
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

const AddForm = ({ form: { name = '', role, reason = '' } }: { readonly form: Form }) => (
  <form method="post" action={`${PATH}/add`} class="form">
    <h2>{WORDS.add}</h2>
    <label>
      {WORDS.columns.name}
      <input name="name" value={name} autocapitalize="none" autocomplete="off" required maxlength={40} />
    </label>
    <RoleChoice chosen={roleIn(role) ?? 'viewer'} />
    <p class="quiet">{TEXTS.rolesMean}</p>
    <label>
      {WORDS.reason}
      <input name="reason" value={reason} autocomplete="off" maxlength={REASON_CHARACTERS_MAX} />
    </label>
    <button type="submit">{WORDS.addSubmit}</button>
  </form>
);

/** Of every act. */
const FIELDS = ['name', 'role', 'reason'] as const;

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
    {FIELDS.map((name) =>
      form[name] === undefined ? null : <input type="hidden" name={name} value={form[name]} />,
    )}
    <label>
      {TEXTS.signIn.password}
      <input
        name="password"
        type="password"
        autocomplete="current-password"
        required
        maxlength={PASSWORD_CHARACTERS_MAX}
      />
    </label>
    <button type="submit">{TEXTS.confirm.submit}</button>
  </form>
);

/** Who signs in: for owners alone, who give their password again for what changes something. */
export const operatorPages = (parts: ConsoleParts) => {
  const { operators, signIn, desk, clock, seen } = parts;
  /** By the owner who made it, for the page that is shown next. */
  const madeLinks = new Map<number, MadeLink>();

  const show = async (
    { set, operator }: Pick<Visit, 'set' | 'operator'>,
    { problem, link, form = {} }: { problem?: string; link?: MadeLink | undefined; form?: Form } = {},
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
                <AddForm form={form} />
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
      const refused = (problem: string, status: number) =>
        show(visit, { problem, form: act === 'add' ? form : {} }, status);
      const typed = form.reason?.trim() ?? '';
      const reason = typed === '' ? undefined : customerNote(typed, REASON_CHARACTERS_MAX);
      if (typed !== '' && reason === undefined)
        return refused(
          `${WORDS.reason}: ${customerNoteRule(REASON_CHARACTERS_MAX)}`,
          STATUS_OF.INVALID_PAYLOAD,
        );
      const actor = `operator:${visit.operator.name}` as const;
      const by: Act = { actor, reason, requestId: requestIdOf(visit), now: clock.now() };
      const done = await desk.do(undefined, by.now, async () => {
        const planned = plan(await operators.all(), form, by);
        if ('refused' in planned) return planned;
        const jobs =
          planned.jobs.length === 0 ? [] : [signIn.required(visit.token, ['owner']), ...planned.jobs];
        return { ...planned, jobs, facts: {} };
      });
      if (isRefusal(done)) return refused(done.message, STATUS_OF[done.refused]);
      const { secret } = done.plan ?? {};
      if (secret !== undefined) {
        const address = `${parts.config.adminUrl ?? seen(visit.request).origin}${welcomePath(secret)}`;
        madeLinks.set(visit.operator.id, { name: form.name ?? '', address });
      }
      return goTo(visit.set, PATH);
    });

  const list = (visit: Visit) => {
    const link = madeLinks.get(visit.operator.id);
    madeLinks.delete(visit.operator.id);
    return show(visit, { link });
  };

  const pages = new Elysia().get(PATH, page(parts, 'owner', list) as () => Promise<Response>);
  return pages.use(
    Object.entries(ACTS).map(([act, plan]) =>
      new Elysia().post(`${PATH}/${act}`, acted(act, plan) as () => Promise<Response>),
    ),
  );
};
