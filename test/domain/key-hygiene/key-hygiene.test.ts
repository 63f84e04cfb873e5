import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { assessKeyHygiene, HYGIENE_BANDS } from '../../../src/domain/key-hygiene/key-hygiene.ts';
import {
  KEY_HYGIENE_RECOMMENDATIONS,
  type KeyHygieneRecommendationId,
} from '../../../src/domain/key-hygiene/recommendations.ts';
import {
  AGE_BUCKETS,
  KEY_COUNT_MAX,
  KEY_HYGIENE_MEANINGS,
  KEY_KINDS,
  type KeyEntry,
  LAST_USE_BUCKETS,
  ROTATION_POLICIES,
  SCOPE_BREADTHS,
  STORAGE_CLASSES,
} from '../../../src/domain/key-hygiene/vocabulary.ts';
import { KEY_HYGIENE_FACTORS, KEY_HYGIENE_WEIGHTS } from '../../../src/domain/key-hygiene/weights.ts';

const VOCABULARY = {
  kind: KEY_KINDS,
  ageBucket: AGE_BUCKETS,
  rotationPolicy: ROTATION_POLICIES,
  scopeBreadth: SCOPE_BREADTHS,
  lastUseBucket: LAST_USE_BUCKETS,
  storageClass: STORAGE_CLASSES,
  publiclyExposed: [false, true],
} as const;
type Field = keyof typeof VOCABULARY;
const FIELDS = Object.keys(VOCABULARY) as Field[];

const anyKey: fc.Arbitrary<KeyEntry> = fc.record({
  kind: fc.constantFrom(...KEY_KINDS),
  ageBucket: fc.constantFrom(...AGE_BUCKETS),
  rotationPolicy: fc.constantFrom(...ROTATION_POLICIES),
  scopeBreadth: fc.constantFrom(...SCOPE_BREADTHS),
  lastUseBucket: fc.constantFrom(...LAST_USE_BUCKETS),
  storageClass: fc.constantFrom(...STORAGE_CLASSES),
  publiclyExposed: fc.boolean(),
  count: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: KEY_COUNT_MAX })),
});
const anyFleet = fc.array(anyKey, { maxLength: 8 });

const GOOD_KEY: KeyEntry = {
  kind: 'cloud_access_key',
  ageBucket: 'up_to_90d',
  rotationPolicy: 'automatic',
  scopeBreadth: 'single_service',
  lastUseBucket: 'within_7d',
  storageClass: 'secret_manager',
  publiclyExposed: false,
  count: 1,
};
const WORST_KEY: KeyEntry = {
  kind: 'other',
  ageBucket: 'unknown',
  rotationPolicy: 'unknown',
  scopeBreadth: 'unknown',
  lastUseBucket: 'unknown',
  storageClass: 'unknown',
  publiclyExposed: true,
  count: 1,
};

function risk(...keys: KeyEntry[]): number {
  return assessKeyHygiene(keys).hygieneRiskScore;
}

/** The key with one field moved towards the worst value; `how` chooses among the worse values. */
function worsen(key: KeyEntry, field: Field, how: number): KeyEntry {
  const bestToWorst: readonly KeyEntry[Field][] = VOCABULARY[field];
  const worse = bestToWorst.slice(bestToWorst.indexOf(key[field]) + 1);
  return worse.length === 0 ? key : { ...key, [field]: worse[how % worse.length] };
}

describe('the risk of a fleet never falls when', () => {
  for (const field of FIELDS) {
    test(`${field} of one entry becomes worse, in any fleet`, () => {
      fc.assert(
        fc.property(anyFleet, anyKey, fc.nat(20), (rest, key, how) => {
          expect(risk(worsen(key, field, how), ...rest)).toBeGreaterThanOrEqual(risk(key, ...rest));
        }),
        { numRuns: 1500 },
      );
    });

    test(`${field} of any single key goes one step towards the worst`, () => {
      const values: readonly KeyEntry[Field][] = VOCABULARY[field];
      fc.assert(
        fc.property(anyKey, (key) => {
          const risks = values.map((value) => risk({ ...key, [field]: value }));
          expect(risks).toEqual(risks.toSorted((a, b) => a - b));
        }),
        { numRuns: 500 },
      );
    });
  }

  test('only some of the keys of an entry become worse', () => {
    fc.assert(
      fc.property(anyFleet, anyKey, fc.constantFrom(...FIELDS), fc.nat(20), (rest, key, field, how) => {
        const [some, others] = [{ ...key, count: 1 }, key];
        expect(risk(worsen(some, field, how), others, ...rest)).toBeGreaterThanOrEqual(
          risk(some, others, ...rest),
        );
      }),
    );
  });

  test('an entry represents more keys', () => {
    fc.assert(
      fc.property(anyFleet, anyKey, fc.integer({ min: 1, max: KEY_COUNT_MAX }), (rest, key, more) => {
        expect(risk({ ...key, count: key.count + more }, ...rest)).toBeGreaterThanOrEqual(risk(key, ...rest));
      }),
      { numRuns: 1500 },
    );
  });

  test('any key is added, worst or perfect: good keys do not dilute bad ones', () => {
    fc.assert(
      fc.property(anyFleet, fc.oneof(anyKey, fc.constant(WORST_KEY), fc.constant(GOOD_KEY)), (fleet, key) => {
        expect(risk(...fleet, key)).toBeGreaterThanOrEqual(risk(...fleet));
      }),
      { numRuns: 1500 },
    );
  });
});

describe('the risk of a fleet', () => {
  test('is an integer from 0 to 100, and the sum of the integer points of the factors', () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const { hygieneRiskScore, factors } = assessKeyHygiene(fleet);
        expect(Number.isInteger(hygieneRiskScore)).toBe(true);
        expect(hygieneRiskScore).toBeWithin(0, 101);
        expect(factors.every(({ points }) => Number.isInteger(points) && points >= 0)).toBe(true);
        expect(factors.reduce((sum, { points }) => sum + points, 0)).toBe(hygieneRiskScore);
      }),
      { numRuns: 1500 },
    );
  });

  test('is 0 without keys and for any number of perfect ones', () => {
    expect(assessKeyHygiene([])).toEqual({
      hygieneRiskScore: 0,
      band: 'low',
      factors: [],
      recommendations: [],
    });
    expect(risk({ ...GOOD_KEY, count: KEY_COUNT_MAX })).toBe(0);
  });

  test('reaches 100 when every attribute of many keys is at its worst', () => {
    expect(risk({ ...WORST_KEY, count: KEY_COUNT_MAX })).toBe(100);
  });

  test('does not depend on the order of entries or on the grouping of equal keys', () => {
    fc.assert(
      fc.property(anyFleet, anyKey, (fleet, key) => {
        const grouped = assessKeyHygiene([...fleet, { ...key, count: 5 }]);
        const split = assessKeyHygiene([{ ...key, count: 2 }, ...fleet.toReversed(), { ...key, count: 3 }]);
        expect(split).toEqual(grouped);
      }),
    );
  });

  test('is at least high with any exposed key, and critical when the key opens more than callbacks', () => {
    fc.assert(
      fc.property(anyFleet, anyKey, (fleet, key) => {
        const { band } = assessKeyHygiene([...fleet, { ...key, publiclyExposed: true }]);
        const from = key.kind === 'webhook_secret' ? 'high' : 'critical';
        expect(HYGIENE_BANDS.indexOf(band)).toBeGreaterThanOrEqual(HYGIENE_BANDS.indexOf(from));
      }),
    );
  });

  test('is higher for exposure, broad scope and no rotation together than for any two of them', () => {
    const exposed = { publiclyExposed: true } as const;
    const broad = { scopeBreadth: 'administrative' } as const;
    const unrotated = { rotationPolicy: 'never' } as const;
    const together = risk({ ...GOOD_KEY, ...exposed, ...broad, ...unrotated });

    expect(together).toBeGreaterThan(risk({ ...GOOD_KEY, ...exposed, ...broad }));
    expect(together).toBeGreaterThan(risk({ ...GOOD_KEY, ...exposed, ...unrotated }));
    expect(together).toBeGreaterThan(risk({ ...GOOD_KEY, ...broad, ...unrotated }));
  });

  test('is higher for three flaws on one key than for the same flaws on three keys', () => {
    const readable = { storageClass: 'plaintext_file' } as const;
    const broad = { scopeBreadth: 'account_wide' } as const;
    const unrotated = { rotationPolicy: 'never' } as const;

    expect(risk({ ...GOOD_KEY, ...readable, ...broad, ...unrotated }, GOOD_KEY, GOOD_KEY)).toBeGreaterThan(
      risk({ ...GOOD_KEY, ...readable }, { ...GOOD_KEY, ...broad }, { ...GOOD_KEY, ...unrotated }),
    );
  });
});

describe('recommendations', () => {
  const keepsKey = (change: (key: KeyEntry) => Partial<KeyEntry>) => (key: KeyEntry) => [
    { ...key, ...change(key) },
  ];
  const isUnused = ({ lastUseBucket }: KeyEntry) =>
    ['46d_to_90d', '91d_to_1y', 'over_1y', 'never_used'].includes(lastUseBucket);
  /** An operator's inventory after the action. */
  const followed: Record<KeyHygieneRecommendationId, (key: KeyEntry) => KeyEntry[]> = {
    revoke_exposed_keys: (key) => {
      if (!key.publiclyExposed) return [key];
      return isUnused(key) ? [] : [{ ...key, publiclyExposed: false, ageBucket: 'up_to_90d' }];
    },
    break_takeover_paths: keepsKey((key) =>
      ['account_wide', 'administrative', 'unknown'].includes(key.scopeBreadth) &&
      ['never', 'unknown'].includes(key.rotationPolicy) &&
      (key.publiclyExposed ||
        ['plaintext_file', 'shared_document', 'source_code', 'unknown'].includes(key.storageClass))
        ? { scopeBreadth: 'single_service', rotationPolicy: 'automatic', ageBucket: 'up_to_90d' }
        : {},
    ),
    move_to_secret_manager: keepsKey((key) =>
      key.storageClass === 'hardware_module' || key.storageClass === 'secret_manager'
        ? {}
        : { storageClass: 'secret_manager', ageBucket: 'up_to_90d' },
    ),
    narrow_scope: keepsKey(() => ({ scopeBreadth: 'single_service' })),
    automate_rotation: keepsKey((key) =>
      key.rotationPolicy === 'ephemeral' || key.rotationPolicy === 'automatic'
        ? {}
        : { rotationPolicy: 'automatic', ageBucket: 'up_to_90d' },
    ),
    replace_old_keys: keepsKey(() => ({ ageBucket: 'up_to_90d' })),
    revoke_dormant_keys: (key) => {
      if (key.publiclyExposed) return [key];
      if (isUnused(key)) return [];
      return [key.lastUseBucket === 'unknown' ? { ...key, lastUseBucket: 'within_7d' } : key];
    },
  };

  test('each bring exactly the promised reduction', () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const { hygieneRiskScore, recommendations } = assessKeyHygiene(fleet);
        for (const { id, scoreReduction } of recommendations) {
          expect(risk(...fleet.flatMap(followed[id]))).toBe(hygieneRiskScore - scoreReduction);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('are ordered by gain and numbered from 1', () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const { recommendations } = assessKeyHygiene(fleet);
        const gains = recommendations.map(({ scoreReduction }) => scoreReduction);
        expect(gains).toEqual(gains.toSorted((a, b) => b - a));
        expect(gains.every((gain) => gain >= 0)).toBe(true);
        expect(recommendations.map(({ priority }) => priority)).toEqual(recommendations.map((_, i) => i + 1));
      }),
      { numRuns: 500 },
    );
  });

  test('answer each factor, except dormancy where every dormant key is to be revoked as exposed', () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const { factors, recommendations } = assessKeyHygiene(fleet);
        const allDormantAreExposed = fleet.every(
          ({ publiclyExposed, lastUseBucket }) =>
            publiclyExposed || lastUseBucket === 'within_7d' || lastUseBucket === '8d_to_45d',
        );
        const answers = factors
          .map(({ id }) => KEY_HYGIENE_RECOMMENDATIONS.at(KEY_HYGIENE_FACTORS.indexOf(id)))
          .filter((id) => !(id === 'revoke_dormant_keys' && allDormantAreExposed));
        expect(new Set(recommendations.map(({ id }) => id))).toEqual(
          new Set(answers) as Set<KeyHygieneRecommendationId>,
        );
      }),
    );
  });

  test('start with a leaked key, also one against a hundred neglected ones', () => {
    const neglected: KeyEntry = {
      ...GOOD_KEY,
      kind: 'ssh_key',
      ageBucket: 'over_2y',
      rotationPolicy: 'never',
      scopeBreadth: 'account_wide',
      storageClass: 'plaintext_file',
    };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom(...LAST_USE_BUCKETS),
        (count, lastUseBucket) => {
          const leaked: KeyEntry = { ...GOOD_KEY, kind: 'api_key', lastUseBucket, publiclyExposed: true };
          const { recommendations } = assessKeyHygiene([{ ...neglected, count }, leaked]);
          expect(recommendations[0]?.id).toBe('revoke_exposed_keys');
        },
      ),
    );
  });

  test('lead to no risk when all are followed', () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const after = KEY_HYGIENE_RECOMMENDATIONS.reduce<KeyEntry[]>(
          (keys, id) => keys.flatMap(followed[id]),
          fleet,
        );
        expect(risk(...after)).toBe(0);
      }),
    );
  });

  test('that retire an encryption key say that data encrypted with it needs it, and no others do', () => {
    const WARNING = /while data encrypted with it is needed/;
    const dormant: KeyEntry = { ...GOOD_KEY, lastUseBucket: 'over_1y', scopeBreadth: 'account_wide' };
    const warned = (kind: KeyEntry['kind']) =>
      assessKeyHygiene([
        { ...dormant, kind },
        { ...GOOD_KEY, kind: 'encryption_key' },
      ])
        .recommendations.filter(({ action }) => WARNING.test(action))
        .map(({ id }) => id);
    expect(warned('encryption_key')).toEqual(['revoke_dormant_keys']);
    expect(warned('signing_key')).toEqual([]);
  });

  test('give the number of affected keys and never claim that anything was done', () => {
    const unexposed: KeyEntry = { ...WORST_KEY, publiclyExposed: false };
    const { recommendations } = assessKeyHygiene([unexposed, { ...unexposed, count: 4 }]);
    expect(recommendations).toHaveLength(KEY_HYGIENE_RECOMMENDATIONS.length - 1);
    for (const { action, reason } of recommendations) {
      expect(action).toContain('5 keys');
      expect(`${action} ${reason}`).not.toMatch(/\b(we|our|has been|have been)\b/i);
    }
    expect(assessKeyHygiene([WORST_KEY]).recommendations[0]?.action).toContain('1 key ');
  });
});

describe('the tables', () => {
  test('weigh no value less than a better one', () => {
    const inOrder = [
      AGE_BUCKETS.map((value) => KEY_HYGIENE_WEIGHTS.key_age.sharePercent[value]),
      ROTATION_POLICIES.map((value) => KEY_HYGIENE_WEIGHTS.weak_rotation.sharePercent[value]),
      SCOPE_BREADTHS.map((value) => KEY_HYGIENE_WEIGHTS.broad_scope.sharePercent[value]),
      LAST_USE_BUCKETS.map((value) => KEY_HYGIENE_WEIGHTS.dormant_keys.sharePercent[value]),
      STORAGE_CLASSES.map((value) => KEY_HYGIENE_WEIGHTS.weak_storage.sharePercent[value]),
    ];
    for (const shares of inOrder) expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  test('have storage shares of which a quarter is an integer', () => {
    for (const share of Object.values(KEY_HYGIENE_WEIGHTS.weak_storage.sharePercent)) {
      expect(share % 4).toBe(0);
    }
  });

  test('explain every value of the vocabulary in one line', () => {
    for (const [field, meanings] of Object.entries(KEY_HYGIENE_MEANINGS)) {
      expect(Object.keys(meanings)).toEqual([...VOCABULARY[field as keyof typeof KEY_HYGIENE_MEANINGS]]);
      for (const meaning of Object.values(meanings)) expect(meaning).toMatch(/^[^\n]+\.$/);
    }
  });
});
