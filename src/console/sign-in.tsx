/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { passwordProblem } from '../domain/admin/operator.ts';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import type { HookContext } from '../http/context.ts';
import { readForm } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { noteSignIn } from '../http/sign-in-counts.ts';
import type { Begun } from '../operator/sign-in.ts';
import { goTo, noteWait, Problem } from '../pages/html.tsx';
import type { Parts } from '../routes/parts.ts';
import { CodeField, PasswordField } from './fields.tsx';
import { showPage } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import {
  acting,
  askingOf,
  isAdmitted,
  keepSession,
  OIDC_SIGN_IN,
  reloadFor,
  requireOwnForm,
  SIGN_IN,
  tokenOf,
  type VisitParts,
  visitOf,
} from './visit.ts';

const CODE = `${SIGN_IN}/code`;

const { signIn: WORDS, welcome: WELCOME, account: ACCOUNT } = TEXTS;

const ProviderButton = ({ name }: { readonly name: string }) => (
  <p>
    <a class="button" href={OIDC_SIGN_IN}>
      {TEXTS.oidc.submit(name)}
    </a>
  </p>
);

const SignInForm = ({ name, problem }: { readonly name: string; readonly problem?: string }) => (
  <form method="post" action={SIGN_IN} class="form">
    <Problem text={problem} />
    <label>
      {WORDS.name}
      <input name="name" value={name} autocomplete="username" autocapitalize="none" required maxlength={40} />
    </label>
    <PasswordField words={WORDS.password} />
    <button type="submit">{WORDS.submit}</button>
  </form>
);

const CodeForm = ({ problem }: { readonly problem?: string | undefined }) => (
  <form method="post" action={CODE} class="form">
    <Problem text={problem} />
    <CodeField words={ACCOUNT.codeOf} />
    <button type="submit">{WORDS.submit}</button>
    <p>
      <a href={SIGN_IN}>{TEXTS.back}</a>
    </p>
  </form>
);

const NoOperators = () => (
  <div>
    <p>{WORDS.noOperators}</p>
    <pre>{WORDS.command}</pre>
  </div>
);

const WelcomeForm = ({
  path,
  name,
  problem,
}: {
  readonly path: string;
  readonly name: string;
  readonly problem?: string;
}) => (
  <form method="post" action={path} class="form">
    <Problem text={problem} />
    <label>
      {WELCOME.for}
      <input name="username" value={name} autocomplete="username" readonly />
    </label>
    <PasswordField words={WORDS.password} isNew />
    <p class="quiet">{WELCOME.rule}</p>
    <PasswordField words={WELCOME.again} name="again" isNew />
    <button type="submit">{WELCOME.submit}</button>
  </form>
);

/** Counts a refused sign-in, and sets Retry-After if the refusal has a time for it. */
export function noteFailure(set: HookContext['set'], refusal: Refusal): void {
  noteWait(set, refusal);
  if (refusal.refused === 'RATE_LIMITED') noteSignIn(set, 'console limited');
  else if (refusal.refused !== 'STORE_UNAVAILABLE') noteSignIn(set, 'console failed');
}

/** Pages that sign operators in and out. */
export const signInPages = (parts: VisitParts & Parts<'addressOf' | 'noteFailedSignIn' | 'operators'>) => {
  const { signIn, operators, oidc } = parts;
  const isOnly = oidc?.settings.isOnly === true;
  const providerButton = oidc ? <ProviderButton name={oidc.settings.name} /> : null;

  const showSignIn = async ({ request, set }: HookContext) => {
    if (await visitOf(parts, { request, set })) return goTo(set, '/console');
    const again = reloadFor({ request, set });
    if (again) return again;
    const hasOperators = (await operators.all()).length > 0;
    return showPage(set, {
      title: WORDS.title,
      children: (
        <Fragment>
          {providerButton}
          {hasOperators && !isOnly ? <SignInForm name="" /> : null}
          {hasOperators || oidc ? null : <NoOperators />}
        </Fragment>
      ),
    });
  };

  const enter = async ({ request, set }: HookContext) => {
    requireOwnForm(parts, request);
    if (isOnly) throw refuse('ROLE_REQUIRED', TEXTS.oidc.noPasswords(oidc.settings.name));
    const { name = '', password = '' } = await readForm({ request, set });
    const visit = await visitOf(parts, { request, set });
    try {
      const hasSession = visit?.operator.name === name;
      const begun = await signIn.signIn({
        name,
        password,
        hasSession,
        ...askingOf(parts, { request, set }),
      });
      if (visit) await signIn.signOut(visit.token);
      return continueTo({ request, set }, begun);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      noteFailure(set, error);
      const children = (
        <Fragment>
          {providerButton}
          <SignInForm name={name} problem={error.message} />
        </Fragment>
      );
      return showPage(set, { title: WORDS.title, children }, error.refused);
    }
  };

  const continueTo = ({ request, set }: HookContext, { token, awaitsCode }: Begun) => {
    keepSession(parts, { request, set }, token);
    if (!awaitsCode) noteSignIn(set, 'console succeeded');
    return goTo(set, awaitsCode ? CODE : '/console');
  };

  /**
   * Ends the session at the provider as well. Not by a redirect, because `form-action` in the CSP forbids redirects of forms to
   * other sites.
   */
  const showSignedOut = (set: HookContext['set'], providerUrl: string) =>
    showPage(set, {
      title: TEXTS.oidc.signedOut,
      again: providerUrl,
      children: (
        <p>
          <a href={providerUrl}>{TEXTS.oidc.signOut(oidc?.settings.name ?? '')}</a>
        </p>
      ),
    });

  const askCode = (set: HookContext['set'], problem?: string, refused?: RefusalCode) =>
    showPage(set, { title: ACCOUNT.codeTitle, children: <CodeForm problem={problem} /> }, refused);

  /** Returns the operator whose session is waiting for a code. */
  const waitingOf = async (request: Request) => {
    const token = tokenOf(parts, request);
    const operator = token === undefined ? undefined : await signIn.waiting(token);
    return operator && token !== undefined ? { token, operator } : undefined;
  };

  const showCode = async ({ request, set }: HookContext) => {
    if (await waitingOf(request)) return askCode(set);
    return reloadFor({ request, set }) ?? goTo(set, SIGN_IN);
  };

  const enterCode = async ({ request, set }: HookContext) => {
    requireOwnForm(parts, request);
    const { code = '' } = await readForm({ request, set });
    const waiting = await waitingOf(request);
    if (waiting === undefined) return goTo(set, SIGN_IN);
    const { token, operator } = waiting;
    try {
      keepSession(
        parts,
        { request, set },
        await signIn.enter(token, operator, code, askingOf(parts, { request, set })),
      );
      noteSignIn(set, 'console succeeded');
      return goTo(set, '/console');
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The session was completed by another request, or has timed out.
      if (error.refused === 'ROLE_REQUIRED') return goTo(set, SIGN_IN);
      noteFailure(set, error);
      return askCode(set, error.message, error.refused);
    }
  };

  /** @throws Refusal if the link no longer works, or if its operator may not use a password */
  const invitedBy = async (secret: string) => {
    const invited = await signIn.invited(secret);
    if (invited === undefined) throw refuse('NOT_FOUND', WELCOME.gone);
    if (oidc && !isAdmitted(parts, invited))
      throw refuse('ROLE_REQUIRED', TEXTS.oidc.noPasswords(oidc.settings.name));
    return invited;
  };

  const showWelcome = async (secret: string, set: HookContext['set'], problem?: string) => {
    const invited = await invitedBy(secret);
    const form = (
      <WelcomeForm
        path={`/console/welcome/${secret}`}
        name={invited.name}
        {...(problem ? { problem } : {})}
      />
    );
    return showPage(set, { title: WELCOME.title, children: form }, problem ? 'INVALID_PAYLOAD' : undefined);
  };

  const choose = async (secret: string, { request, set }: HookContext) => {
    requireOwnForm(parts, request);
    const { password = '', again = '' } = await readForm({ request, set });
    const invited = await invitedBy(secret);
    const problem =
      passwordProblem(password, invited.name) ?? (password === again ? undefined : WELCOME.differ);
    if (problem !== undefined) return showWelcome(secret, set, problem);
    const visit = await visitOf(parts, { request, set });
    const begun = await signIn.choosePassword(secret, invited, password, askingOf(parts, { request, set }));
    if (visit) await signIn.signOut(visit.token);
    return continueTo({ request, set }, begun);
  };

  return [
    getAt(SIGN_IN, showSignIn),
    postAt(SIGN_IN, enter),
    getAt(CODE, showCode),
    postAt(CODE, enterCode),
    getAt('/console/welcome/:secret', async ({ set, params: { secret } }) => showWelcome(secret, set)),
    postAt('/console/welcome/:secret', async ({ request, set, params: { secret } }) =>
      choose(secret, { request, set }),
    ),
    postAt(
      '/console/sign-out',
      acting(
        parts,
        'viewer',
        async ({ request, set, token, operator }) => {
          await signIn.signOut(token);
          keepSession(parts, { request, set }, '');
          const usesProvider = operator.oidcSubject !== null;
          const providerUrl = usesProvider ? await oidc?.signOutAddress(token, SIGN_IN) : undefined;
          return providerUrl === undefined ? goTo(set, SIGN_IN) : showSignedOut(set, providerUrl);
        },
        { isForAll: true },
      ),
    ),
  ];
};
