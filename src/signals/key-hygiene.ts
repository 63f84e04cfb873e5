import { type Static, Type } from '@sinclair/typebox';
import { t } from 'elysia';
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
} from '../http/fields.ts';
import type { Signal } from './kit/signal.ts';

const MEANINGS = KEY_HYGIENE_MEANINGS;

const KeyEntry = closed(
  {
    kind: oneOf(KEY_KINDS, meanings('What the key opens', MEANINGS.kind)),
    ageBucket: oneOf(AGE_BUCKETS, meanings('Time since it was created or replaced', MEANINGS.ageBucket)),
    rotationPolicy: oneOf(ROTATION_POLICIES, meanings('How it is replaced', MEANINGS.rotationPolicy)),
    scopeBreadth: oneOf(SCOPE_BREADTHS, meanings('How much it opens', MEANINGS.scopeBreadth)),
    lastUseBucket: oneOf(LAST_USE_BUCKETS, meanings('Time since its last use', MEANINGS.lastUseBucket)),
    storageClass: oneOf(STORAGE_CLASSES, meanings('Where it lies', MEANINGS.storageClass)),
    publiclyExposed: t.Boolean({ description: 'found outside the organisation while still valid' }),
    count: Type.Integer({ minimum: 1, maximum: KEY_COUNT_MAX, description: 'keys that share all of this' }),
  },
  'keys with the same attributes; a key that is meant to be public does not belong here',
  'KeyEntry',
);

const Snapshot = bodySchema(
  'KeyHygieneSignal',
  {
    ...privacyFlags,
    keys: t.Array(KeyEntry, { description: 'the fleet, in any order; as many as the cap of the body holds' }),
    siteIdHash: t.Optional(
      hashToken(
        'which site, when the license has several: an opaque token, best its `id` in GET /sites; the score is kept for each',
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

const Points = Type.Integer({ minimum: 0, maximum: 100, description: 'of the score' });

/** A fleet of keys, known by its attributes alone. */
export const keyHygiene: Signal = {
  name: 'KeyHygieneSignal',
  path: '/keyhygiene/signal',
  summary: 'Score a fleet of keys by their attributes and recommend what to do',
  description:
    'An anonymised inventory: classes, flags and counts, never a key nor a name. What looks like credential ' +
    "material anywhere in the body is refused. Only the assessment is kept, in the place of the site's earlier one.",
  capBytes: 8 * KIB,
  privacy: keyHygienePolicy,
  codes: { shape: 'INVALID_KEYHYGIENE_SIGNAL', privacy: 'CREDENTIAL_MATERIAL_REJECTED' },
  body: Snapshot,
  answer: typed('KeyHygieneAssessment', {
    hygieneRiskScore: Type.Integer({ minimum: 0, maximum: 100, description: 'risk of the fleet; 0 is best' }),
    band: oneOf(
      HYGIENE_BANDS,
      `the score in words: ${HYGIENE_BANDS.map((band) => `\`${band}\` from ${HYGIENE_BAND_FROM[band]}`).join(', ')}`,
    ),
    factors: t.Array(
      typed('KeyHygieneFactor', {
        id: t.String({ description: 'stable name of the factor' }),
        points: Points,
        affectedKeys: Type.Integer({ minimum: 1, description: 'keys that add to this factor' }),
      }),
      { description: 'what the score is made of; the points add up to it' },
    ),
    recommendations: t.Array(
      typed('KeyHygieneRecommendation', {
        id: t.String({ description: 'stable name of the recommendation' }),
        priority: Type.Integer({ minimum: 1, description: '1 comes first' }),
        action: t.String({ description: 'what to do' }),
        reason: t.String({ description: 'why' }),
        scoreReduction: Type.Integer({
          minimum: 0,
          maximum: 100,
          description: 'points by which the score falls when this alone is done; gains do not add up',
        }),
      }),
      { description: 'ordered by gain; the service never acts on a key' },
    ),
    persistence: t.Literal('replaced', { description: "in the place of this site's earlier assessment" }),
  }),
  answered: {
    description: 'The risk of the fleet, and what to do.',
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
