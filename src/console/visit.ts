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

/** What every page of the console uses. */
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
/** Customers are listed once for all pages. */
export interface HasCustomers {
  readonly customers: ListCustomers;
}
export interface HasNotices {
  readonly notices: Notices;
}

/** A request of an operator who has signed in. */
export interface Visit extends HookContext, Pick<OperatorSession, 'confirmedAt'> {
  readonly operator: Operator & { readonly marks: Marks };
  /** The session's token, until {@link renewVisit} replaces it. */
  token: string;
  /** The parameters of its path. */
  readonly params: Readonly<Record<string, string>>;
}

/** The session token of a request. A request for a foreign host has none, because any name can be pointed here (DNS rebinding). */
export function tokenOf(
  { seen, cookieBinding }: Pick<VisitParts, 'seen' | 'cookieBinding'>,
  request: Request,
): string | undefined {
  const { overTls, origin } = seen(request);
  const value = origin === 'null' ? undefined : cookieOf(request, sessionCookieName(COOKIE, overTls));
  return value === undefined ? undefined : cookieBinding.read(value);
}

/** The session of a request, if it has one that lasts. */
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

/** Whether an operator may be signed in: without passwords, those of the provider, and owners who came by a link of the command line. */
export const isAdmitted = (
  { oidc }: Pick<VisitParts, 'oidc'>,
  { oidcSubject, role }: Pick<Operator, 'oidcSubject' | 'role'>,
): boolean => !oidc?.settings.isOnly || oidcSubject !== null || role === 'owner';

/** Who asks, as limits and the audit log know it. */
export const askingOf = (
  { addressOf, noteFailedSignIn }: Parts<'addressOf' | 'noteFailedSignIn'>,
  { request, set }: HookContext,
): Asking => ({
  address: addressOf({ request, set }),
  requestId: requestIdOf({ set }),
  noteFailure: () => noteFailedSignIn(request),
});

/** Has the browser keep a session, or forget it. */
export function keepSession(parts: VisitParts, { request, set }: HookContext, token: string): void {
  const value = token === '' ? '' : parts.cookieBinding.bind(token);
  set.headers['set-cookie'] = sessionCookie(COOKIE, value, parts.seen(request).overTls);
}

/** Has a visit, and its browser, go on by another token of the session. */
export function renewVisit(parts: VisitParts, visit: Visit, token: string): void {
  visit.token = token;
  keepSession(parts, visit, token);
}

/** @throws Refusal for a form that no page of the console sent */
export const requireOwnForm = ({ seen }: VisitParts, request: Request): void =>
  requireOwnOrigin(request, [seen(request).origin], 'SERVICE_ADMIN_URL');

/** Whether an operator has to set up a second factor before anything else. An identity provider asks for its own. */
export const needsSecondFactor = ({ config }: VisitParts, { operator }: Pick<Visit, 'operator'>): boolean =>
  config.admin2fa && !operator.hasSecondFactor && operator.oidcSubject === null;

/**
 * A handler of GET for operators with a role; others are sent to sign in, or refused.
 *
 * @param isForAll whether to admit those who need a second factor first
 */
export const page =
  (parts: VisitParts, role: Role, show: (visit: Visit) => Awaitable<Response>, isForAll = false) =>
  async ({ request, set, params }: Arrival): Promise<Response> => {
    const visit = await visitOf(parts, { request, set, params });
    if (visit === undefined) return toSignIn({ request, set });
    requireRole(visit, role);
    return !isForAll && needsSecondFactor(parts, visit) ? goTo(set, ACCOUNT) : show(visit);
  };

/** The same of POST, for forms of our own pages alone. */
export const acting =
  (
    parts: VisitParts,
    role: Role,
    act: (visit: Visit, form: Form) => Promise<Response>,
    { isForAll = false, ...rules }: FormRules & { readonly isForAll?: boolean } = {},
  ) =>
  async ({ request, set, params }: Arrival): Promise<Response> => {
    requireOwnForm(parts, request);
    // First, because it may take a while to arrive, in which a session may end.
    const form = await readForm({ request, set }, rules);
    const visit = await visitOf(parts, { request, set, params });
    if (visit === undefined) return goTo(set, SIGN_IN);
    requireRole(visit, role);
    return !isForAll && needsSecondFactor(parts, visit) ? goTo(set, ACCOUNT) : act(visit, form);
  };

/** @throws Refusal where an operator has a lower role */
export function requireRole({ operator, set: { exchange } }: Visit, role: Role): void {
  if (exchange) exchange.operatorName = operator.name;
  if (!hasRole(operator.role, role))
    throw refuse('ROLE_REQUIRED', `This requires the role ${role}. Ask an owner.`);
}

/** From another site, a browser sends no cookie with its first request: it asks again by itself. */
const toSignIn = ({ request, set }: HookContext): Response =>
  againFor({ request, set }) ?? goTo(set, SIGN_IN);

/** The page that has such a browser ask again. */
export const againFor = ({ request, set }: HookContext): Response | undefined =>
  request.headers.get('sec-fetch-site') === 'cross-site'
    ? showPage(set, { title: TEXTS.console, again: true })
    : undefined;

/** Answers an operator with a file, as long as the session lasts and the role allows it. */
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
