import { Elysia } from 'elysia';
import { publishedJwk } from '../domain/credential/jwks.ts';
import { answerFixed, answerFrom, represent } from '../http/representations.ts';
import { rememberLast } from '../lib/remember-last.ts';
import { isIssuer } from '../tasks/credential-keys.ts';
import type { Parts } from './parts.ts';

const JWKS_PATH = '/.well-known/jwks.json';

/** An hour, by which a key is published before it signs. Pages of any origin may verify. */
export const KEYS_HEADERS = {
  'content-type': 'application/json;charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
};

/** Read again with the settings. */
const TEXT_HEADERS = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' };

/** The operator's own words on how to report a vulnerability of this service (RFC 9116), where there are any. */
export const securityText = ({ limits, securityTxt }: Parts) => {
  const routes = new Elysia({ detail: { hide: true } });
  if (securityTxt === undefined) return routes;
  return routes.derive(limits.perIp('public')).get(
    '/.well-known/security.txt',
    answerFixed(() => securityTxt, TEXT_HEADERS),
  );
};

/** What verifiers of credentials need; outside the contract, and not there where credentials cannot be issued. */
export const wellKnown = ({ config: { baseUrl }, limits, credentialKeys }: Parts) => {
  const routes = new Elysia({ detail: { hide: true } });
  if (!isIssuer(baseUrl)) return routes;
  const represented = rememberLast((content: object) => represent(JSON.stringify(content), KEYS_HEADERS));
  const issuer = { issuer: baseUrl, jwks_uri: baseUrl + JWKS_PATH };
  return routes
    .derive(limits.perIp('public'))
    .get(JWKS_PATH, async ({ request, set }) => {
      const keys = await credentialKeys.published();
      return answerFrom({ request, set }, await represented({ keys: keys.map(publishedJwk) }));
    })
    .get('/.well-known/jwt-vc-issuer', async ({ request, set }) =>
      answerFrom({ request, set }, await represented(issuer)),
    );
};
