/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import type { ActDefinition, PlannedFacts } from '../acts/act.ts';
import { ActForms, ReasonField } from '../acts/form.tsx';
import { create, type NewToken, revoke } from '../acts/tokens/acts.ts';
import { tokenState } from '../domain/admin/admin-token.ts';
import { SCOPES } from '../domain/admin/scope.ts';
import { refuse } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { getAt } from '../http/route/endpoint.ts';
import { DAY_MS } from '../lib/clock.ts';
import { ActCard, Check, Field } from '../pages/form.tsx';
import { More, Problem } from '../pages/html.tsx';
import { addressOf, filtersOf } from '../pages/query.ts';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import { type AdminToken, readAdminTokens } from '../storage/operators/admin-tokens.ts';
import { type PageActParts, pageActs, type RefusedForm } from './page-acts.ts';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { type HasNotices, page, type Visit } from './visit.ts';

const { path: PATH } = PLACES.tokens;
const WORDS = TEXTS.tokens;
const PAGE_TOKENS = 50;
const DAYS_MAX = 730;
const DAYS_DEFAULT = '90';

const ACTS: readonly ActDefinition<
  NewToken,
  Readonly<Record<string, unknown>>,
  PlannedFacts & { readonly token?: string }
>[] = [create, revoke];

/** @throws Refusal if the number of days is invalid */
function tokenIn({ name = '', days = DAYS_DEFAULT, ...form }: Form): NewToken {
  if (!/^[1-9]\d{0,2}$/.test(days) || Number(days) > DAYS_MAX)
    throw refuse('ACT_REFUSED', WORDS.noDays(DAYS_MAX));
  const scopes = SCOPES.filter((scope) => form[scope] !== undefined);
  return { name, scopes, endOf: (now) => now + Number(days) * DAY_MS };
}

function Row({ token, now }: { readonly token: AdminToken; readonly now: number }) {
  const { name, usedAt } = token;
  const state = tokenState(token, now);
  return (
    <tr>
      <th scope="row">
        {name}
        <br />
        <code>{`rdo_…${token.tokenLast4}`}</code>
      </th>
      <td data-label={WORDS.columns[1]}>{WORDS.states[state]}</td>
      <td class="word" data-label={WORDS.columns[2]}>
        <ul class="facts">
          {token.scopes.map((scope) => (
            <li>{scope}</li>
          ))}
        </ul>
      </td>
      <td data-label={WORDS.columns[3]}>
        <Time at={token.createdAt} />
      </td>
      <td data-label={WORDS.columns[4]}>
        <Time at={token.expiresAt} />
      </td>
      <td data-label={WORDS.columns[5]}>{usedAt === null ? WORDS.never : <Time at={usedAt} />}</td>
      <td data-label={WORDS.columns[6]}>
        {state === 'works' ? (
          <ActForms act={revoke} path={PATH} typed={undefined}>
            <input type="hidden" name="name" value={name} />
          </ActForms>
        ) : null}
      </td>
    </tr>
  );
}

const CreateCard = ({ form = {}, isOpen }: { readonly form: Form | undefined; readonly isOpen: boolean }) => (
  <ActCard title={create.title} submit={create.title} action={`${PATH}/create`} isOpen={isOpen}>
    <Field label={WORDS.name} name="name" value={form.name} max={40} required />
    <fieldset>
      <legend>{WORDS.scopes}</legend>
      {SCOPES.map((scope) => (
        <Check label={scope} name={scope} checked={form[scope] !== undefined} />
      ))}
    </fieldset>
    <label>
      {WORDS.days(DAYS_MAX)}
      <input type="number" name="days" value={form.days ?? DAYS_DEFAULT} min={1} max={DAYS_MAX} required />
    </label>
    <ReasonField value={form.reason} />
  </ActCard>
);

/** The page of tokens for the admin API. Only for owners, who confirm changes with their password. */
export const tokenPages = (parts: PageActParts & HasNotices) => {
  const { db, clock, notices } = parts;
  const tokens = readAdminTokens(db);

  const show = async (visit: Visit, refused?: RefusedForm) => {
    const found = await tokens.page({
      after: filtersOf(visit.request, ['after']).after,
      limit: PAGE_TOKENS + 1,
    });
    const shown = found.slice(0, PAGE_TOKENS);
    const typed = refused?.verb === create.verb ? refused.form : undefined;
    const now = clock.now();
    return showPlace(
      visit,
      PLACES.tokens,
      <Fragment>
        <Problem text={refused?.refusal.message} />
        <p>{WORDS.means}</p>
        <Table label={WORDS.title} columns={WORDS.columns} none={<p class="quiet">{WORDS.none}</p>}>
          {shown.map((token) => (
            <Row token={token} now={now} />
          ))}
        </Table>
        <More
          href={found.length > PAGE_TOKENS ? addressOf(PATH, { after: shown.at(-1)?.name }) : undefined}
        />
        <div class="cards">
          <CreateCard form={typed} isOpen={typed !== undefined || shown.length === 0} />
        </div>
      </Fragment>,
      { notices: notices.take(visit, PATH), refused: refused?.refusal.refused },
    );
  };

  return [
    getAt(PATH, page(parts, 'owner', show)),
    ...pageActs(parts, {
      path: PATH,
      role: 'owner',
      acts: ACTS,
      find: tokenIn,
      refused: show,
      done(visit, act, { name = '' }, { plan, notices: texts }) {
        const secret = plan?.token;
        const words = texts.length > 0 ? texts.join(' ') : `${name} ${act.done}.`;
        notices.leave(
          visit,
          PATH,
          secret === undefined ? { words } : { words: act.shown?.(name) ?? '', secret },
        );
      },
    }),
  ];
};
