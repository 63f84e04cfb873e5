/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { hashBearerSecret } from '../domain/admin/bearer-secret.ts';
import { CONFIRMED_MS } from '../domain/admin/operator.ts';
import { isRefusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { Problem } from '../pages/html.tsx';
import type { PendingForm } from '../pages/pending-forms.ts';
import type { Parts } from '../routes/parts.ts';
import { PasswordField } from './fields.tsx';
import { showPage } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { askingOf, OIDC_CONFIRM, renewVisit, type Visit, type VisitParts } from './visit.ts';

/** The values of a form as hidden fields, without the password. */
export const Hidden = ({ form }: { readonly form: Form }) => (
  <Fragment>
    {Object.entries(form).map(([name, value]) =>
      name === 'password' ? null : <input type="hidden" name={name} value={value} />,
    )}
  </Fragment>
);

/** Asks for the password, and submits the form again with it. */
const ConfirmForm = ({
  path,
  form,
  problem,
}: {
  readonly path: string;
  readonly form: Form;
  readonly problem?: string | undefined;
}) => (
  <form method="post" action={path} class="form">
    <Problem text={problem} />
    <p>{TEXTS.confirm.why}</p>
    <Hidden form={form} />
    <PasswordField words={TEXTS.signIn.password} />
    <button type="submit">{TEXTS.confirm.submit}</button>
  </form>
);

/** Whether the operator has entered the password recently. */
export const isConfirmed = ({ clock }: Parts<'clock'>, { confirmedAt }: Visit): boolean =>
  clock.now() - confirmedAt < CONFIRMED_MS;

/**
 * Returns a function that asks an operator to confirm with the password.
 *
 * @returns a function that returns the page to show, or undefined if the password was entered recently or the form has the right
 * one
 */
export const createConfirmation =
  (parts: VisitParts & Parts<'addressOf' | 'noteFailedSignIn' | 'clock'>) =>
  async (visit: Visit, path: string, form: Form): Promise<Response | undefined> => {
    const { signIn } = parts;
    if (isConfirmed(parts, visit)) return undefined;
    if (visit.operator.oidcSubject !== null) return askProvider(parts, visit, { path, form });
    const ask = (problem?: string, refused?: RefusalCode) =>
      showPage(
        visit.set,
        {
          title: TEXTS.confirm.title,
          operator: visit.operator,
          children: <ConfirmForm path={path} form={form} problem={problem} />,
        },
        refused,
      );
    if (form.password === undefined) return ask();
    try {
      const { name } = visit.operator;
      const attempt = { name, password: form.password, hasSession: true, ...askingOf(parts, visit) };
      renewVisit(parts, visit, await signIn.confirm(visit.token, attempt));
      return undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return ask(error.message, error.refused);
    }
  };

/** Stores the form, and shows a link to the identity provider. */
function askProvider({ oidc, pendingForms }: VisitParts, visit: Visit, pending: PendingForm): Response {
  if (oidc === undefined) throw refuse('ROLE_REQUIRED', TEXTS.oidc.isOff);
  pendingForms.leave(hashBearerSecret(visit.token), pending);
  const children = (
    <Fragment>
      <p>{TEXTS.oidc.confirmWhy}</p>
      <p>
        <a class="button" href={OIDC_CONFIRM}>
          {TEXTS.oidc.confirm(oidc.settings.name)}
        </a>
      </p>
    </Fragment>
  );
  return showPage(visit.set, { title: TEXTS.confirm.title, operator: visit.operator, children });
}
