import { Elysia, t } from 'elysia';
import {
  LISTED_PURPOSES,
  PUBLISHED_STATES,
  type PublishedKey,
  publishedKeys,
} from '../domain/signing/published-keys.ts';
import { bareAnswers, NOT_MODIFIED, nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { PUBLIC, TAGS } from '../http/contract/contract.ts';
import { oneOf } from '../http/fields.ts';
import { answerFrom, represent } from '../http/representations.ts';
import { rememberLast } from '../lib/remember-last.ts';
import type { Parts } from './parts.ts';
import { KEYS_HEADERS } from './well-known.ts';

const Key = typed('PublishedKey', {
  purpose: oneOf(
    LISTED_PURPOSES,
    'what it signs, and nothing else: credentials, the logs of evidence, replies of license/verify, license files, feeds for other installations',
    'KeyPurpose',
  ),
  kid: t.String({
    description:
      'its name: of ES256 the thumbprint of RFC 7638, else the first 8 bytes of SHA-256 over the key, as hex',
  }),
  alg: t.Union([t.Literal('Ed25519'), t.Literal('ES256')], {
    description: 'the one algorithm that it signs by',
  }),
  public_key: t.String({
    description: 'in base64: the 32 bytes of a key of Ed25519; of ES256 the point, 0x04 and its coordinates',
  }),
  state: oneOf(
    PUBLISHED_STATES,
    '`next`: published before it signs; `active`: signs; `retired`: signs no more, what it signed holds; `revoked`: nothing holds that it signed',
    'KeyState',
  ),
  not_before: nullable(timestamp('from when on it signs'), 'null = not kept'),
  not_after: nullable(
    timestamp('after which nothing holds that it signed; of a revoked key, when it was revoked'),
    'null = not known yet',
  ),
});
const Keys = typed('PublishedKeys', {
  keys: t.Array(Key, { description: 'by purpose, the one that signed first at first' }),
});

const EXAMPLE: { keys: PublishedKey[] } = {
  keys: [
    {
      purpose: 'license',
      kid: '21fe31dfa154a261',
      alg: 'Ed25519',
      public_key: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
      state: 'active',
      not_before: '2026-11-22T09:30:00.000Z',
      not_after: null,
    },
  ],
};

/** What whoever checks a signature of this installation needs. It stands outside of the version, as JWKS does. */
export const redoubtKeys = ({ limits, credentialKeys, signingKeys, evidenceKey, clock }: Parts) => {
  const represented = rememberLast((keys: readonly PublishedKey[]) =>
    represent(JSON.stringify({ keys }), KEYS_HEADERS),
  );
  return new Elysia().derive(limits.perIp('public')).get(
    '/.well-known/redoubt-keys',
    async ({ request, set }) => {
      const [credential, signing] = await Promise.all([credentialKeys.all(), signingKeys.all()]);
      const keys = publishedKeys({ credential, evidence: evidenceKey, signing }, clock.now());
      return answerFrom({ request, set }, await represented(keys));
    },
    {
      response: {
        ...bareAnswers(
          show(Keys, EXAMPLE, 'All keys that sign, did, or are to, without an envelope.'),
          'RATE_LIMITED',
        ),
        ...NOT_MODIFIED,
      },
      detail: {
        operationId: 'getPublishedKeys',
        summary: 'The public keys of this installation',
        description:
          'For anybody, without a key. A key is published a day before it signs: keep the answer for an hour, send its ETag in If-None-Match to ' +
          'get a 304, and ask anew when something names a `kid` that you do not know.',
        tags: [TAGS.trust],
        security: PUBLIC,
      },
    },
  );
};
