import * as oauth from 'oauth4webapi';
import { type Claims, groupsAt } from '../../domain/admin/identity-claims.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { OIDC_CALLBACK, type OidcSettings } from '../../settings/oidc.ts';
import { CLOCK_SKEW_MS, type OidcFlow, type OidcPerson, type OidcProvider } from './flow.ts';
import { wordedFault } from './library-faults.ts';
import { discover, type Metadata, requestOptions } from './metadata.ts';
import { OidcFault } from './oidc-fault.ts';

/** How long metadata is used. The library reads keys again after five minutes, or after one for an unknown key. */
const FRESH_MS = HOUR_MS;
const RETRY_MS = MINUTE_MS;
/** Excludes control characters, direction overrides and lone surrogates, which are unsafe for databases or terminals. */
const SUBJECT = /^\P{C}{1,255}$/u;

/** Creates the client of an identity provider. */
export function createClient(settings: OidcSettings, clock: Clock): OidcProvider {
  const { clientId, clientSecret, scopes, roleClaim } = settings;
  const redirectUri = settings.consoleOrigin + OIDC_CALLBACK;
  const options = requestOptions(settings);
  const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: CLOCK_SKEW_MS / SECOND_MS };
  const metadata = rememberMetadata(settings, clock);

  const requestTokens = async (as: Metadata, answer: URLSearchParams, flow: OidcFlow) => {
    const valid = oauth.validateAuthResponse(as, client, answer, flow.state);
    const identity = authentication(as, clientSecret);
    return oauth.authorizationCodeGrantRequest(
      ...([as, client, identity, valid, redirectUri, flow.verifier, options] as const),
    );
  };

  /** Adds the claims of the user information if the token has no groups. */
  const withUserInfo = async (as: Metadata, claims: oauth.IDToken, accessToken: string): Promise<Claims> => {
    if (groupsAt(claims, roleClaim) !== undefined || as.userinfo_endpoint === undefined) return claims;
    const response = await oauth.userInfoRequest(as, client, accessToken, options);
    return { ...(await oauth.processUserInfoResponse(as, client, claims.sub, response)), ...claims };
  };

  return {
    async begin(session) {
      const as = await metadata();
      const flow: OidcFlow = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
        startedAt: clock.now(),
        session,
      };
      const url = new URL(String(as.authorization_endpoint));
      const parameters = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: scopes,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge_method: 'S256',
        code_challenge: await oauth.calculatePKCECodeChallenge(flow.verifier),
        ...(session === undefined ? {} : { prompt: 'login', max_age: '0' }),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, flow };
    },

    async finish(answer, flow) {
      const as = await metadata();
      let step = 'answer';
      try {
        const response = await requestTokens(as, answer, flow);
        step = 'token';
        const expected = { expectedNonce: flow.nonce, requireIdToken: true };
        const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, expected);
        await oauth.validateApplicationLevelSignature(as, response, options);
        const token = oauth.getValidatedIdTokenClaims(tokens);
        if (token === undefined) throw new OidcFault('token', 'there is no ID token');
        if (token.azp !== undefined && token.azp !== clientId)
          throw new OidcFault('token', 'the ID token has another authorized party');
        const person = personOf(token, clock.now(), String(tokens.id_token));
        step = 'user information';
        return { ...person, claims: await withUserInfo(as, token, tokens.access_token) };
      } catch (error) {
        throw wordedFault(error, step);
      }
    },

    async signOutAddress(idToken, path) {
      const { end_session_endpoint: address } = await metadata();
      if (address === undefined) return undefined;
      const url = new URL(address);
      url.searchParams.set('client_id', clientId);
      url.searchParams.set('post_logout_redirect_uri', settings.consoleOrigin + path);
      if (idToken !== undefined) url.searchParams.set('id_token_hint', idToken);
      return url.href;
    },
  };
}

/** Selects the authentication method of the client: what the provider supports, preferably the header. */
function authentication(as: Metadata, secret: string | undefined): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  const listed: unknown = as.token_endpoint_auth_methods_supported;
  const methods: readonly unknown[] = Array.isArray(listed) ? listed : ['client_secret_basic'];
  const isByPost = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return isByPost ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

/** @throws OidcFault */
function personOf(token: oauth.IDToken, nowMs: number, idToken: string): OidcPerson {
  const { iss, sub, iat, auth_time, session_expiry } = token;
  const latestMs = nowMs + CLOCK_SKEW_MS;
  if (iat * SECOND_MS > latestMs || (auth_time ?? 0) * SECOND_MS > latestMs)
    throw new OidcFault('clock', 'the ID token was issued in the future');
  if (!SUBJECT.test(sub))
    throw new OidcFault('token', 'the subject of the ID token is empty, too long or has control characters');
  const endsAt = typeof session_expiry === 'number' ? millisecondsOf(session_expiry) : undefined;
  if (endsAt !== undefined && endsAt <= nowMs)
    throw new OidcFault('clock', 'the session of the provider has expired');
  return {
    issuer: iss,
    subject: sub,
    claims: token,
    idToken,
    authenticatedAt: auth_time === undefined ? undefined : millisecondsOf(auth_time),
    endsAt,
  };
}

/** Converts to integers in the range of the database; some providers send fractions. */
const millisecondsOf = (seconds: number): number =>
  Math.min(Math.floor(seconds * SECOND_MS), Number.MAX_SAFE_INTEGER);

/** Caches the provider's metadata for an hour; if the refresh fails, continues to use it and retries each minute. */
function rememberMetadata(settings: OidcSettings, { monotonic }: Clock): () => Promise<Metadata> {
  let last: { readonly metadata: Metadata; freshUntil: number } | undefined;
  const refresh = async () => {
    const { metadata } = await discover(settings);
    last = { metadata, freshUntil: monotonic() + FRESH_MS };
    return metadata;
  };
  let refreshing: Promise<Metadata> | undefined;
  const refreshOnce = () => {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  return async () => {
    if (last === undefined) return refreshOnce();
    if (monotonic() < last.freshUntil) return last.metadata;
    const { metadata } = last;
    last.freshUntil = monotonic() + RETRY_MS;
    return refreshOnce().catch(() => metadata);
  };
}
