/** @jsxImportSource hono/jsx */
import { hashBearerSecret, newBearerSecret } from '../domain/admin/bearer-secret.ts';
import { hashLicenseKey } from '../domain/license/license-key.ts';
import { isRefusal, notRefused, type Refusal, refuse } from '../domain/refusal.ts';
import type { HookContext } from '../http/context.ts';
import { readForm } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { noteSignIn } from '../http/sign-in-counts.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { goTo, noteWait, Problem } from '../pages/html.tsx';
import { HOME } from './places.ts';
import { keepSession, reloadFor, requireOwnForm, SIGN_IN, tokenOf, visitOf } from './session.ts';
import { showOutside } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts } from './visit.ts';

const WORDS = TEXTS.signIn;
/** The maximum length of a key, including imported keys. */
const KEY_CHARACTERS_MAX = 128;

const SignInForm = ({ problem }: { readonly problem?: string | undefined }) => (
  <form method="post" action={SIGN_IN} class="form">
    <Problem text={problem} />
    <label>
      {WORDS.key}
      <input
        name="key"
        type="password"
        autocomplete="current-password"
        required
        maxlength={KEY_CHARACTERS_MAX}
      />
    </label>
    <p class="quiet">{WORDS.about}</p>
    <button type="submit">{WORDS.submit}</button>
  </form>
);

/** Pages that sign tenants in and out. */
export const signInPages = (parts: PortalParts) => {
  const { findLicense, writer, clock, limits, frame } = parts;

  const show = async ({ request, set }: HookContext) => {
    if (await visitOf(parts, { request, set })) return goTo(set, HOME);
    const again = reloadFor(frame, { request, set });
    return again ?? showOutside(frame, set, { title: WORDS.title, children: <SignInForm /> });
  };

  /** Valid keys are not counted as failures, so that others behind the same address cannot lock a tenant out. */
  const begin = async (context: HookContext, key: string): Promise<string | Refusal> => {
    const found = await findLicense(key);
    const state = found?.standing.state;
    if (found === undefined || state === 'revoked' || state === 'pending')
      return limits.countFailedAuthentication(context, 'portal') ?? refuse('INVALID_KEY', WORDS.wrong);
    const { secret, secretHash: tokenHash } = newBearerSecret();
    const started = {
      licenseId: found.license.id,
      keyHash: hashLicenseKey(key),
      tokenHash,
      now: clock.now(),
    };
    return (await writer.write('startPortalSession', started)) ?? secret;
  };

  const end = async (token: string | undefined): Promise<void> => {
    if (token === undefined) return;
    notRefused(await writer.write('endPortalSession', { tokenHash: hashBearerSecret(token) }));
  };

  const enter = async ({ request, set }: HookContext) => {
    requireOwnForm(parts, request);
    const { key = '' } = await readForm({ request, set });
    const before = tokenOf(parts, request);
    const token = await begin({ request, set }, trimInvisible(key));
    if (isRefusal(token)) {
      noteWait(set, token);
      if (token.refused === 'RATE_LIMITED') noteSignIn(set, 'portal limited');
      else if (token.refused === 'INVALID_KEY') noteSignIn(set, 'portal failed');
      const form = <SignInForm problem={token.message} />;
      return showOutside(frame, set, { title: WORDS.title, children: form }, token.refused);
    }
    noteSignIn(set, 'portal succeeded');
    await end(before);
    keepSession(parts, { request, set }, token);
    return goTo(set, HOME);
  };

  /** Not limited, so that signing out always works. */
  const leave = async ({ request, set }: HookContext) => {
    requireOwnForm(parts, request);
    await end(tokenOf(parts, request));
    keepSession(parts, { request, set }, '');
    return goTo(set, SIGN_IN);
  };

  return [getAt(SIGN_IN, show), postAt(SIGN_IN, enter), postAt(`${HOME}/sign-out`, leave)];
};
