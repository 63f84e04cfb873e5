import type { KeyObject } from 'node:crypto';
import { Type as t } from '@sinclair/typebox';
import {
  LISTED_PURPOSES,
  PUBLISHED_STATES,
  type PublishedKey,
  publishedKeys,
} from '../domain/signing/published-keys.ts';
import { BARE, conditional, nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { oneOf } from '../http/fields.ts';
import { answerFrom, represent } from '../http/representations.ts';
import { created, openRoute } from '../http/route/index.ts';
import { rememberLast } from '../lib/remember-last.ts';
import type { SigningKeys } from '../tasks/signing-keys.ts';
import type { Parts } from './parts.ts';
import { KEYS_HEADERS } from './well-known.ts';

const Key = typed('PublishedKey', {
  purpose: oneOf(
    LISTED_PURPOSES,
    'the only use of the key: credentials, evidence logs, license/verify responses, license files, feeds for other installations, or webhooks',
    'KeyPurpose',
  ),
  kid: t.String({
    description:
      'key ID: for ES256 the RFC 7638 thumbprint, otherwise the first 8 bytes of the SHA-256 of the key in hex',
  }),
  alg: t.Union([t.Literal('Ed25519'), t.Literal('ES256')], {
    description: 'the only signature algorithm of the key',
  }),
  public_key: t.String({
    description:
      'public key in base64: for Ed25519 its 32 bytes, for ES256 the uncompressed point (0x04 and its coordinates)',
  }),
  kty: t.Optional(
    t.Union([t.Literal('OKP'), t.Literal('EC')], {
      description:
        'JWK key type (RFC 7517). Revoked keys have no JWK members, so that JWKS clients ignore them',
    }),
  ),
  crv: t.Optional(t.Union([t.Literal('Ed25519'), t.Literal('P-256')], { description: 'JWK curve' })),
  x: t.Optional(t.String({ description: 'JWK coordinate: for Ed25519 the key, in base64url' })),
  y: t.Optional(t.String({ description: 'JWK coordinate of ES256 keys, in base64url' })),
  use: t.Optional(t.Literal('sig', { description: 'JWK use' })),
  state: oneOf(
    PUBLISHED_STATES,
    '`next`: published, not yet signing; `active`: signing; `retired`: no longer signing, its signatures remain valid; `revoked`: its signatures are invalid',
    'KeyState',
  ),
  not_before: nullable(
    timestamp('time from which the key signs'),
    'time from which the key signs; null if not recorded',
  ),
  not_after: nullable(
    timestamp('time after which its signatures are invalid; for revoked keys, the revocation time'),
    'time after which its signatures are invalid (for revoked keys, the revocation time); null if not yet known',
  ),
});
const Keys = typed('PublishedKeys', {
  keys: t.Array(Key, { description: 'keys by purpose, oldest first' }),
});

const EXAMPLE: { keys: PublishedKey[] } = {
  keys: [
    {
      purpose: 'license',
      kid: '21fe31dfa154a261',
      alg: 'Ed25519',
      public_key: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      use: 'sig',
      state: 'active',
      not_before: '2026-11-22T09:30:00.000Z',
      not_after: null,
    },
  ],
};

interface RedoubtKeysParts extends Parts<'clock' | 'credentialKeys'> {
  readonly signingKeys: SigningKeys;
  readonly evidenceKey: KeyObject;
}

/** The public keys of this installation. Like the JWKS, they are outside the versioned path of the API. */
export const redoubtKeys = openRoute({
  at: 'GET /.well-known/redoubt-keys',
  limit: 'public',
  operationId: 'getPublishedKeys',
  summary: 'Get the public keys of this installation',
  description:
    'No license key required. The response is also a JWKS (RFC 7517). Keys are published a day before they sign. Cache the response for an hour, send its ETag in If-None-Match to get a 304, and fetch it again when you encounter an unknown `kid`.',
  tag: TAGS.trust,
  answer: show(Keys, EXAMPLE, 'Returns all current, former and upcoming keys, without an envelope.'),
  answers: conditional(BARE),
  codes: ['RATE_LIMITED'],
  handle: created(({ credentialKeys, signingKeys, evidenceKey, clock }: RedoubtKeysParts) => {
    const represented = rememberLast((keys: readonly PublishedKey[]) =>
      represent(JSON.stringify({ keys }), KEYS_HEADERS),
    );

    return async ({ request, set }) => {
      const [credential, signing] = await Promise.all([credentialKeys.all(), signingKeys.all()]);
      const keys = publishedKeys({ credential, evidence: evidenceKey, signing }, clock.now());
      return answerFrom({ request, set }, await represented(keys));
    };
  }),
});
