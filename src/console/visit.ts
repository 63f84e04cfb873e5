import { hasRole, type Role } from '../domain/admin/operator.ts';
import { refuse } from '../domain/refusal.ts';
import { type HookContext, requestIdOf } from '../http/context.ts';
import { cookieOf, sessionCookie, sessionCookieName } from '../http/cookies.ts';
import { type Form, type FormRules, readForm } from '../http/form.ts';
import { requireOwnOrigin, type SeenAddress } from '../http/own-origin.ts';
import type { ProcessBinding } from '../http/process-bound.ts';
import type { Arrival } from '../http/route/route.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { ListCustomers } from '../operator/customers.ts';
import type { OidcSignIn } from '../operator/oidc-sign-in.ts';
import type { Asking, SignIn } from '../operator/sign-in.ts';
import type { CsvFile, Downloads } from '../pages/downloads.ts';
import { goTo } from '../pages/html.tsx';
import type { Notices } from '../pages/notices.ts';
import type { PendingForms } from '../pages/pending-forms.ts';
import type { Parts } from '../routes/parts.ts';
import type { Operator, OperatorSession } from '../storage/operators/operators.ts';
import type { HasMarks, Marks } from './marks.ts';
import { showPage } from './show-page.tsx';
import { TEXTS } from './texts.ts';

export const COOKIE = 'redoubt_console';
export const SIGN_IN = '/console/sign-in';
export const ACCOUNT = '/console/account';
export const OIDC_SIGN_IN = '/console/oidc/sign-in';
export const OIDC_CONFIRM = '/console/oidc/confirm';

export interface VisitParts extends Parts<'config'>, HasMarks {
  readonly signIn: SignIn;
  /** Binds the cookies of sessions to this process. */
  readonly cookieBinding: ProcessBinding;
  readonly seen: (request: Request) => SeenAddress;
  /** Undefined = operators sign in with passwords only. */
  readonly oidc: OidcSignIn | undefined;
  readonly pendingForms: PendingForms;
}

export interface HasDownloads {
  readonly downloads: Downloads;
}
/** All pages share one list of customers. */
export interface HasCustomers {
  readonly customers: ListCustomers;
}
export interface HasNotices {
  readonly notices: Notices;
}

/** A request of a signed-in operator. */
export interface Visit extends HookContext, Pick<OperatorSession, 'confirmedAt'> {
  readonly operator: Operator & { readonly marks: Marks };
  /** The token of the session. {@link renewVisit} replaces it. */
  token: string;
  /** Path parameters. */
  readonly params: Readonly<Record<string, string>>;
}

/** Returns the session token of a request; undefined for requests to a foreign host name, which could be DNS rebinding. */
export function tokenOf(
  { seen, cookieBinding }: Pick<VisitParts, 'seen' | 'cookieBinding'>,
  request: Request,
): string | undefined {
  const { overTls, origin } = seen(request);
  const value = origin === 'null' ? undefined : cookieOf(request, sessionCookieName(COOKIE, overTls));
  return value === undefined ? undefined : cookieBinding.read(value);
}

/** Returns the session of a request; undefined if there is none, or if it has ended. */
export async function visitOf(
  parts: VisitParts,
  { request, set, params = {} }: Arrival,
): Promise<Visit | undefined> {
  const token = tokenOf(parts, request);
  const session = token === undefined ? undefined : await parts.signIn.sessionOf(token);
  if (!session || token === undefined || !isAdmitted(parts, session.operator)) return undefined;
  const operator = { ...session.operator, marks: await parts.marks() };
  return { request, set, params, token, ...session, operator };
}

/**
 * Whether an operator may have a session. If passwords are turned off, only operators of the identity provider may, and owners,
 * who use a link from the command line.
 */
export const isAdmitted = (
  { oidc }: Pick<VisitParts, 'oidc'>,
  { oidcSubject, role }: Pick<Operator, 'oidcSubject' | 'role'>,
): boolean => !oidc?.settings.isOnly || oidcSubject !== null || role === 'owner';

/** Returns the address and the request ID, for limits and the audit log. */
export const askingOf = (
  { addressOf, noteFailedSignIn }: Parts<'addressOf' | 'noteFailedSignIn'>,
  { request, set }: HookContext,
): Asking => ({
  address: addressOf({ request, set }),
  requestId: requestIdOf({ set }),
  noteFailure: () => noteFailedSignIn(request),
});

/** Sets the session cookie, or deletes it if the token is empty. */
export function keepSession(parts: VisitParts, { request, set }: HookContext, token: string): void {
  const value = token === '' ? '' : parts.cookieBinding.bind(token);
  set.headers['set-cookie'] = sessionCookie(COOKIE, value, parts.seen(request).overTls);
}

/** Replaces the session token of a visit, and sets its cookie. */
export function renewVisit(parts: VisitParts, visit: Visit, token: string): void {
  visit.token = token;
  keepSession(parts, visit, token);
}

/** @throws Refusal if the form was not sent by a page of the console (CSRF) */
export const requireOwnForm = ({ seen }: VisitParts, request: Request): void =>
  requireOwnOrigin(request, [seen(request).origin], 'SERVICE_ADMIN_URL');

/** Whether an operator must set up a second factor first. Identity providers have their own. */
export const needsSecondFactor = ({ config }: VisitParts, { operator }: Pick<Visit, 'operator'>): boolean =>
  config.admin2fa && !operator.hasSecondFactor && operator.oidcSubject === null;

/**
 * Wraps a GET handler for operators with a role. Requests without a session are redirected to the sign-in, others refused.
 *
 * @param isForAll whether to admit operators who must set up a second factor first
 */
export const page =
  (parts: VisitParts, role: Role, show: (visit: Visit) => Awaitable<Response>, isForAll = false) =>
  async ({ request, set, params }: Arrival): Promise<Response> => {
    const visit = await visitOf(parts, { request, set, params });
    if (visit === undefined) return toSignIn({ request, set });
    requireRole(visit, role);
    return !isForAll && needsSecondFactor(parts, visit) ? goTo(set, ACCOUNT) : show(visit);
  };

/** Wraps a POST handler for operators with a role. Only forms of the console are accepted. */
export const acting =
  (
    parts: VisitParts,
    role: Role,
    act: (visit: Visit, form: Form) => Promise<Response>,
    { isForAll = false, ...rules }: FormRules & { readonly isForAll?: boolean } = {},
  ) =>
  async ({ request, set, params }: Arrival): Promise<Response> => {
    requireOwnForm(parts, request);
    // Read before the session is checked, because the session may end while a slow body arrives.
    const form = await readForm({ request, set }, rules);
    const visit = await visitOf(parts, { request, set, params });
    if (visit === undefined) return goTo(set, SIGN_IN);
    requireRole(visit, role);
    return !isForAll && needsSecondFactor(parts, visit) ? goTo(set, ACCOUNT) : act(visit, form);
  };

/** @throws Refusal if the operator has a lower role */
export function requireRole({ operator, set: { exchange } }: Visit, role: Role): void {
  if (exchange) exchange.operatorName = operator.name;
  if (!hasRole(operator.role, role))
    throw refuse('ROLE_REQUIRED', `This requires the role ${role}. Ask an owner.`);
}

const toSignIn = ({ request, set }: HookContext): Response =>
  reloadFor({ request, set }) ?? goTo(set, SIGN_IN);

/** After a link from another site, browsers send no SameSite=Strict cookie. Returns a page that reloads itself, which does. */
export const reloadFor = ({ request, set }: HookContext): Response | undefined =>
  request.headers.get('sec-fetch-site') === 'cross-site'
    ? showPage(set, { title: TEXTS.console, again: true })
    : undefined;

/** Answers with a file. The download is aborted if the session ends or the role no longer allows it. */
export const answerFile = (
  { downloads, signIn }: HasDownloads & Pick<VisitParts, 'signIn'>,
  { set, token, operator }: Visit,
  file: CsvFile,
): Response => {
  const mayGoOn = async () => {
    const session = await signIn.sessionOf(token);
    return session !== undefined && hasRole(session.operator.role, 'support');
  };
  return downloads.answer(set, file, mayGoOn, operator.id);
};
