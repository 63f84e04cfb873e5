import { publishedJwk } from '../domain/credential/jwks.ts';
import { answerFixed, answerFrom, represent } from '../http/representations.ts';
import { created, openRoute } from '../http/route/index.ts';
import { rememberLast } from '../lib/remember-last.ts';
import type { Parts } from './parts.ts';

const JWKS_PATH = '/.well-known/jwks.json';

/** Cached for an hour, far less than the time between the publication and the first use of a key. Readable from any origin. */
export const KEYS_HEADERS = {
  'content-type': 'application/json;charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
};

/** Not cached, because the text can change when settings are reloaded. */
const TEXT_HEADERS = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' };

/** The operator's security.txt: how to report vulnerabilities of this service (RFC 9116). */
export const securityText = (textAt: (now: number) => string) =>
  openRoute({
    at: 'GET /.well-known/security.txt',
    limit: 'public',
    handle: created(({ clock }: Parts<'clock'>) => {
      const represented = rememberLast((text: string) => represent(text, TEXT_HEADERS));
      return async ({ request, set }) => answerFrom({ request, set }, await represented(textAt(clock.now())));
    }),
  });

/** Public keys and issuer metadata for verifiers of credentials; not in the contract. */
export const wellKnown = (issuer: string) => {
  const about = { issuer, jwks_uri: issuer + JWKS_PATH };
  return [
    openRoute({
      at: `GET ${JWKS_PATH}`,
      limit: 'public',
      handle: created(({ credentialKeys }: Parts<'credentialKeys'>) => {
        const represented = rememberLast((content: object) =>
          represent(JSON.stringify(content), KEYS_HEADERS),
        );
        return async ({ request, set }) => {
          const keys = await credentialKeys.published();
          return answerFrom({ request, set }, await represented({ keys: keys.map(publishedJwk) }));
        };
      }),
    }),
    openRoute({
      at: 'GET /.well-known/jwt-vc-issuer',
      limit: 'public',
      handle: answerFixed(() => JSON.stringify(about), KEYS_HEADERS),
    }),
  ];
};
