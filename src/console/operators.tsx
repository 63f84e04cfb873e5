/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import type { ActDefinition, PlannedFacts } from '../acts/act.ts';
import { ActButton, ReasonField } from '../acts/form.tsx';
import {
  add,
  changeRole,
  disable,
  enable,
  findOperator,
  link,
  resetSecond,
  type TargetOperator,
} from '../acts/operators/acts.ts';
import { operatorState, ROLES, type Role } from '../domain/admin/operator.ts';
import type { Form } from '../http/form.ts';
import { getAt } from '../http/route/endpoint.ts';
import { Choice } from '../pages/form.tsx';
import { Problem } from '../pages/html.tsx';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { Parts } from '../routes/parts.ts';
import { welcomePath } from '../settings/console-address.ts';
import type { Operator } from '../storage/operators/operators.ts';
import { noticeOf } from './act.ts';
import { type PageActParts, pageActs, type RefusedForm } from './page-acts.ts';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { type HasNotices, page, type Visit } from './visit.ts';

const { path: PATH } = PLACES.operators;
const WORDS = TEXTS.operators;
const SECOND = TEXTS.account.ofOthers;
const ACTS: readonly ActDefinition<
  TargetOperator,
  Readonly<Record<string, unknown>>,
  PlannedFacts & { readonly secret?: string }
>[] = [add, link, changeRole, disable, enable, resetSecond];

const roleIn = (text: string | undefined): Role | undefined => ROLES.find((role) => role === text);

const RoleChoice = ({ chosen, of }: { readonly chosen: Role; readonly of: string }) => (
  <select name="role" aria-label={`${WORDS.roleLabel}: ${of}`}>
    {ROLES.map((role) => (
      <option value={role} selected={role === chosen}>
        {TEXTS.roles[role]}
      </option>
    ))}
  </select>
);

function Row({ operator, mayLink }: { readonly operator: Operator; readonly mayLink: boolean }) {
  const { name, role, signedInAt, hasSecondFactor, oidcSubject } = operator;
  const state = operatorState(operator);
  const on = { path: PATH, subject: name, target: { name } };
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label={WORDS.columns.role}>
        {oidcSubject === null ? (
          <ActButton act={changeRole} {...on}>
            <RoleChoice chosen={role} of={name} />
          </ActButton>
        ) : (
          TEXTS.oidc.roleOf(TEXTS.roles[role])
        )}
      </td>
      <td data-label={WORDS.columns.state}>{TEXTS.states[state]}</td>
      <td data-label={SECOND.column}>
        {oidcSubject === null ? (hasSecondFactor ? SECOND.on : SECOND.off) : '–'}
      </td>
      <td data-label={WORDS.columns.signedIn}>
        {signedInAt === null ? WORDS.never : <Time at={signedInAt} />}
      </td>
      <td data-label={WORDS.columns.acts}>
        {state === 'disabled' ? (
          <ActButton act={enable} {...on} />
        ) : (
          <div class="acts">
            {oidcSubject === null && mayLink ? <ActButton act={link} {...on} /> : null}
            <ActButton act={disable} {...on} />
            {hasSecondFactor ? <ActButton act={resetSecond} {...on} /> : null}
          </div>
        )}
      </td>
    </tr>
  );
}

const AddForm = ({ form: { name = '', role, reason = '' } }: { readonly form: Form }) => (
  <form method="post" action={`${PATH}/add`} class="form">
    <h2>{add.title}</h2>
    <label>
      {WORDS.columns.name}
      <input name="name" value={name} autocapitalize="none" autocomplete="off" required maxlength={40} />
    </label>
    <Choice
      label={WORDS.columns.role}
      name="role"
      value={roleIn(role) ?? 'viewer'}
      of={ROLES.map((each) => [each, TEXTS.roles[each]] as const)}
    />
    <p class="quiet">{TEXTS.rolesMean}</p>
    <ReasonField value={reason} />
    <button type="submit">{add.submit}</button>
  </form>
);

/** The page of operators. Only for owners, who confirm changes with their password. */
export const operatorPages = (parts: PageActParts & HasNotices & Parts<'operators'>) => {
  const { operators, notices, seen, oidc } = parts;
  const isOnly = oidc?.settings.isOnly === true;
  // If passwords are turned off, only the command line creates links.
  const acts = isOnly ? ACTS.filter((act) => act !== add && act !== link) : ACTS;

  const show = async (visit: Visit, refused?: RefusedForm) => {
    const { name, role, state, signedIn, acts } = WORDS.columns;
    const all = await operators.all();
    return showPlace(
      visit,
      PLACES.operators,
      <Fragment>
        <Problem text={refused?.refusal.message} />
        <Table label={WORDS.title} columns={[name, role, state, SECOND.column, signedIn, acts]}>
          {all.map((each) => (
            <Row operator={each} mayLink={!isOnly} />
          ))}
        </Table>
        {isOnly ? null : (
          <div class="cards">
            <section class="card">
              <AddForm form={refused?.verb === add.verb ? refused.form : {}} />
            </section>
          </div>
        )}
      </Fragment>,
      { notices: notices.take(visit, PATH), refused: refused?.refusal.refused },
    );
  };

  return [
    getAt(PATH, page(parts, 'owner', show)),
    ...pageActs(parts, {
      path: PATH,
      role: 'owner',
      acts,
      find: ({ name = '' }) => findOperator(parts.db, name),
      refused: show,
      done(visit, { shown }, { name = '' }, done) {
        const { secret } = done.plan ?? {};
        const origin = parts.config.adminUrl ?? seen(visit.request).origin;
        const link = secret && { words: shown?.(name) ?? '', secret: origin + welcomePath(secret) };
        notices.leave(visit, PATH, link || noticeOf(done));
      },
    }),
  ];
};
