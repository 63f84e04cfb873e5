import { type Static, Type as t } from '@sinclair/typebox';
import { assessKeyHygiene, HYGIENE_BAND_FROM, HYGIENE_BANDS } from '../domain/key-hygiene/key-hygiene.ts';
import {
  AGE_BUCKETS,
  KEY_COUNT_MAX,
  KEY_HYGIENE_MEANINGS,
  KEY_KINDS,
  LAST_USE_BUCKETS,
  ROTATION_POLICIES,
  SCOPE_BREADTHS,
  STORAGE_CLASSES,
} from '../domain/key-hygiene/vocabulary.ts';
import { keyHygienePolicy } from '../domain/privacy/policies.ts';
import { bodySchema } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import { closed, typed } from '../http/contract/answers.ts';
import {
  hashToken,
  meanings,
  OVERRIDDEN,
  oneOf,
  PRIVACY_FLAGS_EXAMPLE,
  privacyFlags,
  score,
} from '../http/fields.ts';
import type { Signal } from './kit/signal.ts';

const MEANINGS = KEY_HYGIENE_MEANINGS;

const KeyEntry = closed(
  {
    kind: oneOf(KEY_KINDS, meanings('Kind of key', MEANINGS.kind)),
    ageBucket: oneOf(AGE_BUCKETS, meanings('Time since creation or last rotation', MEANINGS.ageBucket)),
    rotationPolicy: oneOf(ROTATION_POLICIES, meanings('Rotation policy', MEANINGS.rotationPolicy)),
    scopeBreadth: oneOf(SCOPE_BREADTHS, meanings('Scope of access', MEANINGS.scopeBreadth)),
    lastUseBucket: oneOf(LAST_USE_BUCKETS, meanings('Time since last use', MEANINGS.lastUseBucket)),
    storageClass: oneOf(STORAGE_CLASSES, meanings('Storage location', MEANINGS.storageClass)),
    publiclyExposed: t.Boolean({
      description: 'whether the key was found outside the organization while still valid',
    }),
    count: t.Integer({
      minimum: 1,
      maximum: KEY_COUNT_MAX,
      description: 'number of keys with these attributes',
    }),
  },
  'group of keys with the same attributes; public keys do not belong here',
  'KeyEntry',
);

const Snapshot = bodySchema(
  'KeyHygieneSignal',
  {
    ...privacyFlags,
    keys: t.Array(KeyEntry, { description: 'all keys, in any order, up to the body size limit' }),
    siteIdHash: t.Optional(
      hashToken(
        'site, if the license has several: an opaque token, preferably its `id` from GET /sites; scores are stored per site',
      ),
    ),
    licenseIdHash: t.Optional(hashToken(OVERRIDDEN)),
  },
  {
    ...PRIVACY_FLAGS_EXAMPLE,
    keys: [
      {
        kind: 'api_key',
        ageBucket: 'up_to_90d',
        rotationPolicy: 'automatic',
        scopeBreadth: 'single_service',
        lastUseBucket: 'within_7d',
        storageClass: 'secret_manager',
        publiclyExposed: false,
        count: 12,
      },
      {
        kind: 'database_credential',
        ageBucket: 'over_2y',
        rotationPolicy: 'never',
        scopeBreadth: 'account_wide',
        lastUseBucket: 'within_7d',
        storageClass: 'plaintext_file',
        publiclyExposed: false,
        count: 1,
      },
    ],
  } as const,
);

const Points = score('points added to the score');

/** An inventory of keys that contains only their attributes. */
export const keyHygiene: Signal = {
  name: 'KeyHygieneSignal',
  path: '/keyhygiene/signal',
  summary: 'Score the hygiene of keys and get recommendations',
  description:
    'Send an anonymized inventory: classes, flags and counts, without keys or names. Bodies with possible credentials are refused. Only the assessment is stored; it replaces the previous one of the site.',
  capBytes: 8 * KIB,
  privacy: keyHygienePolicy,
  codes: { shape: 'INVALID_KEYHYGIENE_SIGNAL', privacy: 'CREDENTIAL_MATERIAL_REJECTED' },
  body: Snapshot,
  answer: typed('KeyHygieneAssessment', {
    hygieneRiskScore: t.Integer({
      minimum: 0,
      maximum: 100,
      description: 'risk score of all keys, 0 is best',
    }),
    band: oneOf(
      HYGIENE_BANDS,
      `band of the score: ${HYGIENE_BANDS.map((band) => `\`${band}\` from ${HYGIENE_BAND_FROM[band]}`).join(', ')}`,
    ),
    factors: t.Array(
      typed('KeyHygieneFactor', {
        id: t.String({ description: 'stable ID of the factor' }),
        points: Points,
        affectedKeys: t.Integer({ minimum: 1, description: 'number of keys that contribute to this factor' }),
      }),
      { description: 'factors of the score; their points add up to it' },
    ),
    recommendations: t.Array(
      typed('KeyHygieneRecommendation', {
        id: t.String({ description: 'stable ID of the recommendation' }),
        priority: t.Integer({ minimum: 1, description: 'position in the order, starting at 1' }),
        action: t.String({ description: 'recommended action' }),
        reason: t.String({ description: 'reason' }),
        scoreReduction: t.Integer({
          minimum: 0,
          maximum: 100,
          description: 'score reduction if only this is done; reductions are not additive',
        }),
      }),
      { description: 'recommendations by score reduction; the service itself never changes keys' },
    ),
    persistence: t.Literal('replaced', { description: 'replaces the previous assessment of this site' }),
  }),
  answered: {
    description: 'Returns the risk score and recommendations.',
    example: { ...assessKeyHygiene(Snapshot.examples[0].keys), persistence: 'replaced' },
  },
  identity: 'licenseIdHash',
  persistence: 'replaced',
  receive(body, { identity }) {
    const { keys, siteIdHash } = body as Static<typeof Snapshot>;
    const assessment = assessKeyHygiene(keys);
    const { hygieneRiskScore, band, factors } = assessment;
    return {
      ...(siteIdHash === undefined ? {} : { site: siteIdHash }),
      record: { licenseIdHash: identity, hygieneRiskScore, band, factors },
      answer: { ...assessment, persistence: 'replaced' },
    };
  },
};
