/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { hashBearerSecret } from '../domain/admin/bearer-secret.ts';
import { isRefusal, type RefusalCode } from '../domain/refusal.ts';
import { type HookContext, requestIdOf } from '../http/context.ts';
import { cookieOf, returnCookie, sessionCookieName } from '../http/cookies.ts';
import type { ProcessBinding } from '../http/process-bound.ts';
import { getAt } from '../http/route/endpoint.ts';
import { noteSignIn } from '../http/sign-in-counts.ts';
import { FLOW_MS, type OidcSignIn } from '../operator/oidc-sign-in.ts';
import type { OidcFlow } from '../outside/oidc/flow.ts';
import { OidcFault, type OidcProblem } from '../outside/oidc/oidc-fault.ts';
import { goTo, Problem } from '../pages/html.tsx';
import { filtersOf } from '../pages/query.ts';
import type { Parts } from '../routes/parts.ts';
import { OIDC_CALLBACK } from '../settings/oidc.ts';
import { Hidden } from './confirm.tsx';
import { showPage } from './show-page.tsx';
import { noteFailure } from './sign-in.tsx';
import { TEXTS } from './texts.ts';
import {
  askingOf,
  keepSession,
  OIDC_CONFIRM,
  OIDC_SIGN_IN,
  page,
  SIGN_IN,
  type Visit,
  type VisitParts,
  visitOf,
} from './visit.ts';

const { oidc: WORDS } = TEXTS;
const COOKIE = 'redoubt_oidc';
const CONTINUE = '/console/oidc/continue';

const CODES: Readonly<Record<OidcProblem, RefusalCode>> = {
  unreachable: 'IDENTITY_PROVIDER_ERROR',
  provider: 'IDENTITY_PROVIDER_ERROR',
  settings: 'IDENTITY_PROVIDER_ERROR',
  token: 'IDENTITY_PROVIDER_ERROR',
  clock: 'IDENTITY_PROVIDER_ERROR',
  denied: 'UNAUTHORIZED',
  state: 'UNAUTHORIZED',
  code: 'UNAUTHORIZED',
  stale: 'UNAUTHORIZED',
  person: 'UNAUTHORIZED',
  role: 'ROLE_REQUIRED',
  disabled: 'ROLE_REQUIRED',
  full: 'ACT_REFUSED',
};

/**
 * Problems that are logged for programs that block addresses. `role` and `disabled` are logged with their audit entry. `state` is not:
 * any web page can send browsers to the callback, and could get its visitors blocked.
 */
const LOGGED: ReadonlySet<OidcProblem> = new Set(['denied', 'code', 'stale', 'person']);

interface OidcParts extends VisitParts, Parts<'addressOf' | 'log' | 'noteFailedSignIn'> {
  /** Binds the cookies of sign-ins in progress to this process. Separate from the binding of session cookies. */
  readonly flowBinding: ProcessBinding;
}

/** Pages that redirect operators to an identity provider, and handle its callback. */
export const oidcPages = (parts: OidcParts) => (parts.oidc === undefined ? [] : pagesOf(parts, parts.oidc));

function pagesOf(parts: OidcParts, oidc: OidcSignIn) {
  const { flowBinding, seen, pendingForms, log, noteFailedSignIn } = parts;
  const { name, consoleOrigin } = oidc.settings;

  const keepFlow = ({ request, set }: HookContext, flow: OidcFlow) => {
    const value = flowBinding.bind(Buffer.from(JSON.stringify(flow)).toString('base64url'));
    set.headers['set-cookie'] = returnCookie(COOKIE, value, seen(request).overTls, FLOW_MS);
  };
  /** Reads the state of a sign-in from its cookie, if this process set it. */
  const flowOf = (request: Request): OidcFlow | undefined => {
    const bound = cookieOf(request, sessionCookieName(COOKIE, seen(request).overTls));
    const value = bound === undefined ? undefined : flowBinding.read(bound);
    return value === undefined ? undefined : JSON.parse(Buffer.from(value, 'base64url').toString());
  };

  /** Shows that a sign-in failed. The detailed reason is only logged. */
  const failed = ({ request, set }: HookContext, error: unknown): Response => {
    if (isRefusal(error)) noteFailure(set, error);
    if (!(error instanceof OidcFault)) throw error;
    const { problem, message: reason } = error;
    const request_id = requestIdOf({ set }) ?? '';
    log.warn('a sign-in at the identity provider failed', { request_id, problem, reason });
    if (CODES[problem] !== 'IDENTITY_PROVIDER_ERROR') noteSignIn(set, 'console failed');
    if (LOGGED.has(problem)) noteFailedSignIn(request);
    const children = (
      <Fragment>
        <Problem text={WORDS.problems[problem](name)} />
        <p class="quiet">{WORDS.inLog(request_id)}</p>
        <p>
          <a href={SIGN_IN}>{TEXTS.back}</a>
        </p>
      </Fragment>
    );
    return showPage(set, { title: WORDS.failed, children }, CODES[problem]);
  };

  const begin = async (context: HookContext, session?: string) => {
    try {
      const { url, flow } = await oidc.begin(session);
      keepFlow(context, flow);
      return goTo(context.set, url);
    } catch (error) {
      return failed(context, error);
    }
  };

  const signIn = async ({ request, set }: HookContext) => {
    if (await visitOf(parts, { request, set })) return goTo(set, '/console');
    // The provider redirects to the configured origin, which must therefore set the cookie.
    const isElsewhere =
      seen(request).origin !== consoleOrigin && filtersOf(request, ['here']).here === undefined;
    return isElsewhere ? goTo(set, `${consoleOrigin}${OIDC_SIGN_IN}?here=1`) : begin({ request, set });
  };

  const callback = async ({ request, set }: HookContext) => {
    try {
      const answer = new URL(request.url).searchParams;
      const asking = askingOf(parts, { request, set });
      const { token, replaces } = await oidc.finish({ answer, flow: flowOf(request), ...asking });
      if (replaces !== undefined) pendingForms.move(replaces, hashBearerSecret(token));
      keepSession(parts, { request, set }, token);
      if (replaces === undefined) noteSignIn(set, 'console succeeded');
      return goTo(set, replaces === undefined ? '/console' : CONTINUE);
    } catch (error) {
      return failed({ request, set }, error);
    }
  };

  /** Shows a button that submits the stored form. It is not submitted automatically, so that another site cannot trigger it. */
  const showContinue = ({ set, token, operator }: Visit) => {
    const pending = pendingForms.find(hashBearerSecret(token));
    if (pending === undefined) return goTo(set, '/console');
    const children = (
      <form method="post" action={pending.path} class="form">
        <p>{WORDS.confirmed}</p>
        <Hidden form={pending.form} />
        <button type="submit">{TEXTS.confirm.submit}</button>
      </form>
    );
    return showPage(set, { title: TEXTS.confirm.title, operator, children });
  };

  return [
    getAt(OIDC_SIGN_IN, signIn),
    getAt(OIDC_CALLBACK, callback),
    getAt(
      OIDC_CONFIRM,
      page(parts, 'viewer', (visit) => begin(visit, visit.token)),
    ),
    getAt(CONTINUE, page(parts, 'viewer', showContinue)),
  ];
}
