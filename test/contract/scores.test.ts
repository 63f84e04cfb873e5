import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import * as keys from '../../src/domain/key-hygiene/vocabulary.ts';
import * as restore from '../../src/domain/restore/vocabulary.ts';
import { API, call } from '../support/client.ts';
import { type RunningService, sharedService } from '../support/service.ts';
import { RESTORE, signalAt } from '../support/signals.ts';

const RUNS = 100;
let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await sharedService();
  key = (await service.issue('--plan', 'free')).key;
});

const dataOf = async (path: string, body: unknown) => {
  const { status, json } = await call(service.url, API + path, { key, body });
  expect(status).toBe(200);
  return json.data;
};
const pointsOf = (factors: readonly { points: number }[]) =>
  factors.reduce((sum, { points }) => sum + points, 0);

const anyEntry = fc.record({
  kind: fc.constantFrom(...keys.KEY_KINDS),
  ageBucket: fc.constantFrom(...keys.AGE_BUCKETS),
  rotationPolicy: fc.constantFrom(...keys.ROTATION_POLICIES),
  scopeBreadth: fc.constantFrom(...keys.SCOPE_BREADTHS),
  lastUseBucket: fc.constantFrom(...keys.LAST_USE_BUCKETS),
  storageClass: fc.constantFrom(...keys.STORAGE_CLASSES),
  publiclyExposed: fc.boolean(),
  count: fc.integer({ min: 1, max: keys.KEY_COUNT_MAX }),
});

test('the risk of any fleet is the sum of its factors, and recommendations are ordered by gain', async () => {
  const { path, body } = signalAt('/keyhygiene/signal');
  const fleets = fc.array(anyEntry, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fleets, async (fleet) => {
      const { hygieneRiskScore, factors, recommendations } = await dataOf(path, { ...body, keys: fleet });
      expect(pointsOf(factors)).toBe(hygieneRiskScore);
      const gains = recommendations.map((each: { scoreReduction: number }) => each.scoreReduction);
      expect(gains).toEqual(gains.toSorted((a: number, b: number) => b - a));
    }),
    { numRuns: RUNS },
  );
});

const anyCount = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: restore.FILE_COUNT_MAX }));
const anyCandidate = fc.record({
  backupAgeBucket: fc.constantFrom(...restore.BACKUP_AGE_BUCKETS),
  integrityCheck: fc.constantFrom(...restore.INTEGRITY_CHECKS),
  knownInfectedOverlap: fc.constantFrom(...restore.KNOWN_INFECTED_OVERLAPS),
  fileCounts: fc.dictionary(
    fc.constantFrom(...restore.FILE_CLASSES),
    fc.record({ clean: anyCount, suspicious: anyCount, infected: anyCount }),
  ),
});

test('the safety of any backup is 100 minus its factors, and no plan restores an unsafe one', async () => {
  await fc.assert(
    fc.asyncProperty(anyCandidate, async (candidate) => {
      const data = await dataOf(RESTORE.path, { ...RESTORE.body, ...candidate });
      expect(100 - pointsOf(data.factors)).toBe(data.restoreSafetyScore);
      const steps = data.restorePlan.map(({ id }: { id: string }) => id);
      expect(new Set(steps).size).toBe(steps.length);
      const isUnsafe = data.verdict === 'unsafe' || data.verdict === 'do_not_restore';
      expect(steps.includes('put_into_service')).toBe(!isUnsafe);
      expect(steps.includes('find_another_backup')).toBe(isUnsafe);
    }),
    { numRuns: RUNS },
  );
});
