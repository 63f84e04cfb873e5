import { hashBearerSecret } from '../domain/admin/bearer-secret.ts';
import { SESSION_MS } from '../domain/admin/operator.ts';
import { licenseStanding } from '../domain/license/license.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { type FoundLicense, noteLicense } from '../http/caller.ts';
import { type HookContext, requestIdOf } from '../http/context.ts';
import { cookieOf, sessionCookie, sessionCookieName } from '../http/cookies.ts';
import type { Form } from '../http/form.ts';
import { requireOwnOrigin } from '../http/own-origin.ts';
import type { Arrival } from '../http/route/route.ts';
import { readUpload, type UploadedFile, type UploadRules } from '../http/upload.ts';
import { type Frame, goTo } from '../pages/html.tsx';
import { HOME } from './places.ts';
import { showOutside } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const COOKIE = 'redoubt_portal';
export const SIGN_IN = `${HOME}/sign-in`;

const isOverTls = ({ config, portal }: Pick<PortalParts, 'config' | 'portal'>, request: Request): boolean =>
  portal.seen(request).overTls || (config.baseUrl?.startsWith('https:') ?? false);

/** Returns the session token of a request. It may be expired. */
export const tokenOf = (parts: PortalParts, request: Request): string | undefined =>
  cookieOf(request, sessionCookieName(COOKIE, isOverTls(parts, request)));

/** Sets the session cookie, or deletes it if the token is empty. */
export function keepSession(parts: PortalParts, { request, set }: HookContext, token: string): void {
  set.headers['set-cookie'] = sessionCookie(COOKIE, token, isOverTls(parts, request));
}

/** @throws Refusal if the form was not sent by a page of the portal (CSRF) */
export function requireOwnForm({ config: { baseUrl }, portal }: PortalParts, request: Request): void {
  const { origin, overTls } = portal.seen(request);
  // If the configured URL has TLS, forms sent without TLS are only accepted from that URL: browsers store no `Secure` cookie
  // otherwise.
  const isHere = overTls || !isOverTls({ config: { baseUrl }, portal }, request);
  requireOwnOrigin(
    request,
    [...(isHere ? [origin] : []), ...(baseUrl === undefined ? [] : [baseUrl])],
    'SERVICE_BASE_URL',
  );
}

/** Returns the caller of a session; undefined if the license is revoked or its key has changed. */
export async function callerOf(
  { portal, catalog, clock }: PortalParts,
  token: string,
): Promise<FoundLicense | undefined> {
  const now = clock.now();
  const licenseId = await portal.sessionOf(hashBearerSecret(token), now - SESSION_MS);
  const license = licenseId === undefined ? undefined : await portal.licenseOf(licenseId);
  if (license === undefined) return undefined;
  const standing = licenseStanding(license, catalog, now);
  return standing.state === 'revoked' || standing.state === 'pending' ? undefined : { license, standing };
}

/** Returns the session of a request; undefined if there is none, or if it has ended. */
export async function visitOf(
  parts: PortalParts,
  { request, set, params = {} }: Arrival,
): Promise<Visit | undefined> {
  const token = tokenOf(parts, request);
  const found = token === undefined ? undefined : await callerOf(parts, token);
  if (found === undefined || token === undefined) return undefined;
  noteLicense(set, found);
  const author = {
    actor: `tenant:${licenseName(found.license.id)}`,
    requestId: requestIdOf({ set }),
  } as const;
  const { frame, portal } = parts;
  const customer = await portal.customerOf(found.license.id);
  const openAlerts = await portal.openAlertsOf(found.license.id);
  return { request, set, params, frame, customer, openAlerts, token, caller: { ...found, author } };
}

/**
 * Wraps a GET handler for tenants. Others are redirected to the sign-in.
 *
 * @param isForExpired whether tenants with an expired license may see the page
 */
export const page =
  (parts: PortalParts, show: (visit: Visit) => Promise<Response>, isForExpired = false) =>
  async ({ request, set, params }: Arrival): Promise<Response> => {
    const visit = await visitOf(parts, { request, set, params });
    if (visit === undefined) return reloadFor(parts.frame, { request, set }) ?? goTo(set, SIGN_IN);
    await parts.limits.spendPage({ request, set }, visit.caller.license.id);
    return !isForExpired && isExpired(visit) ? goTo(set, HOME) : show(visit);
  };

/** Wraps a POST handler for tenants. Only forms of the portal are accepted. */
export const acting =
  (
    parts: PortalParts,
    act: (visit: Visit, form: Form, files: readonly UploadedFile[]) => Promise<Response>,
    rules: UploadRules = { filesMax: 0 },
  ) =>
  async ({ request, set, params }: Arrival): Promise<Response> => {
    requireOwnForm(parts, request);
    // Read before the session is checked, because the session may end while a slow body arrives.
    const { form, files } = await readUpload({ request, set }, rules);
    const visit = await visitOf(parts, { request, set, params });
    if (visit === undefined) return goTo(set, SIGN_IN);
    await parts.limits.spendPage({ request, set }, visit.caller.license.id);
    return isExpired(visit) ? goTo(set, HOME) : act(visit, form, files);
  };

const isExpired = ({ caller }: Visit): boolean => caller.standing.state === 'expired';

/** After a link from another site, browsers send no SameSite=Strict cookie. Returns a page that reloads itself, which does. */
export const reloadFor = (frame: Frame, { request, set }: HookContext): Response | undefined =>
  request.headers.get('sec-fetch-site') === 'cross-site'
    ? showOutside(frame, set, { title: TEXTS.portal, again: true })
    : undefined;
