/** @jsxImportSource hono/jsx */
import { Elysia } from 'elysia';
import { Fragment } from 'hono/jsx';
import { PLANS } from '../domain/license/catalog.ts';
import {
  CUSTOMER_CHARACTERS_MAX,
  EXTERNAL_ID_CHARACTERS_MAX,
  NOTE_CHARACTERS_MAX,
} from '../domain/license/customer.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { checker } from '../http/schema-check.ts';
import { STATUS_OF } from '../http/statuses.ts';
import { Check, Choice, Field } from '../pages/form.tsx';
import { goTo, Problem } from '../pages/html.tsx';
import { planIssue, WantedLicense } from '../routes/admin/license-issue.ts';
import { createActs, noticeOf } from './act.ts';
import { ReasonField } from './fields.tsx';
import { bodyOf } from './form-body.ts';
import { licensePath } from './license-link.tsx';
import { PLACES } from './places.ts';
import { showPage } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { acting, type ConsoleParts, page, type Visit } from './visit.ts';

const PATH = `${PLACES.licenses.path}/new`;
const WORDS = TEXTS.newLicense;
const wanted = checker(WantedLicense);

/** What an operator notes of a license. */
export const NoteFields = ({ form }: { readonly form: Form }) => (
  <Fragment>
    <Field label={WORDS.customer} name="customer" value={form.customer} max={CUSTOMER_CHARACTERS_MAX} />
    <Field label={WORDS.email} name="email" value={form.email} max={254} />
    <Field
      label={WORDS.externalId}
      name="external_id"
      value={form.external_id}
      max={EXTERNAL_ID_CHARACTERS_MAX}
    />
    <Field label={WORDS.note} name="note" value={form.note} max={NOTE_CHARACTERS_MAX} />
  </Fragment>
);

const IssueForm = ({ form, problem }: { readonly form: Form; readonly problem: string | undefined }) => (
  <form method="post" action={PATH} class="form">
    <Problem text={problem} />
    <Choice label={WORDS.plan} name="plan" value={form.plan ?? 'pro'} of={PLANS} />
    <label>
      {WORDS.domains}
      <textarea name="domains" autocomplete="off" spellcheck={false}>
        {form.domains ?? ''}
      </textarea>
    </label>
    <Field label={WORDS.sites} name="sites" value={form.sites} max={6} />
    <Field label={WORDS.ends} name="expires_at" value={form.expires_at} hint={WORDS.endsHint} max={40} />
    <Check label={WORDS.trial} name="trial" checked={form.trial === '1'} />
    <Check label={WORDS.test} name="test" checked={form.test === '1'} />
    <NoteFields form={form} />
    <ReasonField value={form.reason} />
    <button type="submit">{WORDS.submit}</button>
  </form>
);

/** Where a license is issued; its key is shown on the page after. */
export const newLicensePages = (parts: ConsoleParts) => {
  const act = createActs(parts);

  const show = (visit: Visit, form: Form, problem?: string, status = 200) =>
    showPage(
      visit.set,
      {
        title: WORDS.title,
        operator: visit.operator,
        at: PLACES.licenses,
        children: <IssueForm form={form} problem={problem} />,
      },
      status,
    );

  const issue = async (visit: Visit, form: Form) => {
    const refused = ({ message, refused }: Refusal) => show(visit, form, message, STATUS_OF[refused]);
    try {
      const body = wanted(bodyOf(WantedLicense, form));
      const done = await act(visit, { form, role: 'operator', plan: (by) => planIssue(parts, body, by) });
      if (isRefusal(done)) return refused(done);
      const [made] = done.plan?.keys ?? [];
      const path = licensePath(done.plan?.range ?? '');
      if (made) parts.notices.leave(visit, path, noticeOf(done, { words: WORDS.issued, secret: made.key }));
      return goTo(visit.set, path);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return refused(error);
    }
  };

  return new Elysia()
    .get(PATH, page(parts, 'operator', async (visit) => show(visit, {})) as () => Promise<Response>)
    .use(new Elysia().post(PATH, acting(parts, 'operator', issue) as () => Promise<Response>));
};
