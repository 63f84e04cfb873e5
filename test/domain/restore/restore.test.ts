import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RESTORE_FACTORS } from '../../../src/domain/restore/factors.ts';
import { RESTORE_STEPS, type RestoreStepId } from '../../../src/domain/restore/plan.ts';
import { assessRestore } from '../../../src/domain/restore/restore.ts';
import {
  RESTORE_VERDICT_FROM,
  RESTORE_VERDICT_MEANINGS,
  RESTORE_VERDICTS,
  type RestoreVerdict,
  restoreVerdict,
} from '../../../src/domain/restore/verdict.ts';
import {
  BACKUP_AGE_BUCKETS,
  FILE_CLASSES,
  FILE_COUNT_MAX,
  FILE_STATES,
  type FileClass,
  type FileCounts,
  type FileState,
  INTEGRITY_CHECKS,
  KNOWN_INFECTED_OVERLAPS,
  RESTORE_MEANINGS,
  type RestoreCandidate,
} from '../../../src/domain/restore/vocabulary.ts';
import { RESTORE_WEIGHTS } from '../../../src/domain/restore/weights.ts';

const ORDERED = {
  backupAgeBucket: BACKUP_AGE_BUCKETS,
  integrityCheck: INTEGRITY_CHECKS,
  knownInfectedOverlap: KNOWN_INFECTED_OVERLAPS,
} as const;
type OrderedField = keyof typeof ORDERED;

const anyCount = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 9 }),
  fc.integer({ min: 0, max: FILE_COUNT_MAX }),
);
const anyFiles: fc.Arbitrary<FileCounts> = fc.record({
  clean: anyCount,
  suspicious: anyCount,
  infected: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: anyCount, weight: 1 }),
});
const anyCandidate: fc.Arbitrary<RestoreCandidate> = fc.record({
  backupAgeBucket: fc.constantFrom(...BACKUP_AGE_BUCKETS),
  integrityCheck: fc.constantFrom(...INTEGRITY_CHECKS),
  knownInfectedOverlap: fc.constantFrom(...KNOWN_INFECTED_OVERLAPS),
  fileCounts: fc.dictionary(fc.constantFrom(...FILE_CLASSES), anyFiles, { maxKeys: 4 }),
});
const anyClass = fc.constantFrom(...FILE_CLASSES);

const BEST: RestoreCandidate = {
  backupAgeBucket: 'under_24h',
  integrityCheck: 'restore_tested',
  knownInfectedOverlap: 'none',
  fileCounts: { core: { clean: 3000, suspicious: 0, infected: 0 } },
};

function safety(candidate: RestoreCandidate): number {
  return assessRestore(candidate).restoreSafetyScore;
}

function countsOf(candidate: RestoreCandidate, fileClass: FileClass): FileCounts {
  return candidate.fileCounts[fileClass] ?? { clean: 0, suspicious: 0, infected: 0 };
}

function withFiles(
  candidate: RestoreCandidate,
  fileClass: FileClass,
  change: Partial<FileCounts>,
): RestoreCandidate {
  const counts = { ...countsOf(candidate, fileClass), ...change };
  return { ...candidate, fileCounts: { ...candidate.fileCounts, [fileClass]: counts } };
}

/** The candidate after some files of a class changed from one state to another. */
function moved(
  candidate: RestoreCandidate,
  fileClass: FileClass,
  from: FileState,
  to: FileState,
  files: number,
): RestoreCandidate {
  const counts = countsOf(candidate, fileClass);
  const moving = Math.min(files, counts[from]);
  return withFiles(candidate, fileClass, { [from]: counts[from] - moving, [to]: counts[to] + moving });
}

function isNoBetterThan(verdict: RestoreVerdict, limit: RestoreVerdict): boolean {
  return RESTORE_VERDICTS.indexOf(verdict) >= RESTORE_VERDICTS.indexOf(limit);
}

describe('the safety of a backup never rises when', () => {
  for (const field of Object.keys(ORDERED) as OrderedField[]) {
    test(`${field} goes one step towards the worst`, () => {
      const values: readonly RestoreCandidate[OrderedField][] = ORDERED[field];
      fc.assert(
        fc.property(anyCandidate, (candidate) => {
          const scores = values.map((value) => safety({ ...candidate, [field]: value }));
          expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        }),
        { numRuns: 500 },
      );
    });
  }

  for (const [from, to] of [
    ['clean', 'suspicious'],
    ['suspicious', 'infected'],
    ['clean', 'infected'],
  ] as const) {
    test(`${from} files of any class prove ${to}`, () => {
      fc.assert(
        fc.property(anyCandidate, anyClass, anyCount, (candidate, fileClass, files) => {
          expect(safety(moved(candidate, fileClass, from, to, files))).toBeLessThanOrEqual(safety(candidate));
        }),
        { numRuns: 1500 },
      );
    });
  }

  for (const state of ['suspicious', 'infected'] as const) {
    test(`${state} files are added to any class, also an absent one`, () => {
      fc.assert(
        fc.property(anyCandidate, anyClass, anyCount, (candidate, fileClass, more) => {
          const worse = withFiles(candidate, fileClass, {
            [state]: countsOf(candidate, fileClass)[state] + more,
          });
          expect(safety(worse)).toBeLessThanOrEqual(safety(candidate));
        }),
        { numRuns: 1500 },
      );
    });
  }

  test('clean files are missing', () => {
    fc.assert(
      fc.property(anyCandidate, anyClass, anyCount, (candidate, fileClass, fewer) => {
        const clean = Math.max(0, countsOf(candidate, fileClass).clean - fewer);
        expect(safety(withFiles(candidate, fileClass, { clean }))).toBeLessThanOrEqual(safety(candidate));
      }),
      { numRuns: 1500 },
    );
  });
});

describe('the safety of a backup', () => {
  test('is an integer from 0 to 100: 100 minus the integer points of the factors', () => {
    fc.assert(
      fc.property(anyCandidate, (candidate) => {
        const { restoreSafetyScore, factors } = assessRestore(candidate);
        expect(Number.isInteger(restoreSafetyScore)).toBe(true);
        expect(restoreSafetyScore).toBeWithin(0, 101);
        expect(factors.every(({ points }) => Number.isInteger(points) && points >= 0)).toBe(true);
        expect(100 - factors.reduce((sum, { points }) => sum + points, 0)).toBe(restoreSafetyScore);
        const order = factors.map(({ id }) => RESTORE_FACTORS.indexOf(id));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }),
      { numRuns: 1500 },
    );
  });

  test('is 100 only when there is no finding', () => {
    expect(assessRestore(BEST)).toMatchObject({ restoreSafetyScore: 100, verdict: 'safe', factors: [] });
  });

  test('does not rise with the number of clean files: they do not dilute an infected one', () => {
    const few = withFiles(BEST, 'upload', { clean: 1, infected: 1 });
    const many = withFiles(BEST, 'upload', { clean: FILE_COUNT_MAX, infected: 1 });
    expect(safety(many)).toBe(safety(few));
  });

  test('does not depend on whether an empty class is sent or omitted', () => {
    fc.assert(
      fc.property(anyCandidate, anyClass, (candidate, fileClass) => {
        expect(assessRestore(withFiles(candidate, fileClass, {}))).toEqual(assessRestore(candidate));
      }),
    );
  });
});

/** For any other fields of the candidate. */
const LIMITS: readonly {
  readonly finding: string;
  readonly apply: (candidate: RestoreCandidate) => RestoreCandidate;
  readonly limit: RestoreVerdict;
}[] = [
  {
    finding: 'high overlap with known infected files',
    apply: (candidate) => ({ ...candidate, knownInfectedOverlap: 'high' }),
    limit: 'do_not_restore',
  },
  {
    finding: 'moderate overlap with known infected files',
    apply: (candidate) => ({ ...candidate, knownInfectedOverlap: 'moderate' }),
    limit: 'unsafe',
  },
  {
    finding: 'low overlap with known infected files',
    apply: (candidate) => ({ ...candidate, knownInfectedOverlap: 'low' }),
    limit: 'caution',
  },
  {
    finding: 'no comparison with known infected files',
    apply: (candidate) => ({ ...candidate, knownInfectedOverlap: 'not_compared' }),
    limit: 'caution',
  },
  {
    finding: 'a failed integrity check',
    apply: (candidate) => ({ ...candidate, integrityCheck: 'failed' }),
    limit: 'unsafe',
  },
  {
    finding: 'no integrity check',
    apply: (candidate) => ({ ...candidate, integrityCheck: 'not_checked' }),
    limit: 'caution',
  },
  {
    finding: 'no scanned and clean file',
    apply: (candidate) => ({ ...candidate, fileCounts: {} }),
    limit: 'caution',
  },
  ...FILE_CLASSES.flatMap((fileClass) => [
    {
      finding: `one infected file (${fileClass})`,
      apply: (candidate: RestoreCandidate) => withFiles(candidate, fileClass, { infected: 1 }),
      limit: ['configuration', 'database', 'core'].includes(fileClass)
        ? ('unsafe' as const)
        : ('caution' as const),
    },
    {
      finding: `one suspicious file (${fileClass})`,
      apply: (candidate: RestoreCandidate) => withFiles(candidate, fileClass, { suspicious: 1 }),
      limit: 'likely_safe' as const,
    },
  ]),
];

describe('the verdict', () => {
  test.each(LIMITS)('is never better than $limit with $finding', ({ apply, limit }) => {
    expect(assessRestore(apply(BEST)).verdict).toBe(limit);
    fc.assert(
      fc.property(anyCandidate, (candidate) => {
        expect(isNoBetterThan(assessRestore(apply(candidate)).verdict, limit)).toBe(true);
      }),
    );
  });

  test('follows the score at every boundary', () => {
    for (const [index, verdict] of RESTORE_VERDICTS.entries()) {
      const from = RESTORE_VERDICT_FROM[verdict];
      expect(restoreVerdict(from)).toBe(verdict);
      const below = RESTORE_VERDICTS[index + 1];
      if (below) expect(restoreVerdict(from - 1)).toBe(below);
    }
    expect(restoreVerdict(100)).toBe('safe');
  });
});

describe('the plan', () => {
  const cleaned = (fileClass: FileClass) => (candidate: RestoreCandidate) => {
    const { clean, suspicious, infected } = countsOf(candidate, fileClass);
    return withFiles(candidate, fileClass, {
      clean: clean + suspicious + infected,
      suspicious: 0,
      infected: 0,
    });
  };
  const verified = (candidate: RestoreCandidate): RestoreCandidate => ({
    ...candidate,
    integrityCheck: 'verified',
  });
  const withoutOverlap = (candidate: RestoreCandidate): RestoreCandidate => ({
    ...candidate,
    knownInfectedOverlap: 'none',
  });
  /** The candidate after an operator's step; unlisted steps change nothing. */
  const followed = new Map<RestoreStepId, (candidate: RestoreCandidate) => RestoreCandidate>([
    ['remove_known_infected', withoutOverlap],
    ['compare_known_infected', withoutOverlap],
    ['fetch_intact_copy', verified],
    ['verify_integrity', verified],
    [
      'restore_in_isolation',
      (candidate) =>
        candidate.integrityCheck === 'verified'
          ? { ...candidate, integrityCheck: 'restore_tested' }
          : candidate,
    ],
    ['scan_files', (candidate) => withFiles(candidate, 'core', { clean: 3000 })],
    ['use_newer_backup', (candidate) => ({ ...candidate, backupAgeBucket: '1d_to_7d' })],
    ...FILE_CLASSES.flatMap((fileClass) => [
      [`clean_${fileClass}`, cleaned(fileClass)] as const,
      [`review_${fileClass}`, cleaned(fileClass)] as const,
    ]),
  ]);

  test('promises for each step exactly its gain', () => {
    fc.assert(
      fc.property(anyCandidate, (candidate) => {
        const { restoreSafetyScore, restorePlan } = assessRestore(candidate);
        for (const { id, scoreGain } of restorePlan) {
          const after = followed.get(id)?.(candidate) ?? candidate;
          expect(safety(after) - restoreSafetyScore).toBe(scoreGain);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('numbers its steps from 1, repeats none, and has no undocumented step', () => {
    fc.assert(
      fc.property(anyCandidate, (candidate) => {
        const { restorePlan } = assessRestore(candidate);
        expect(restorePlan.map(({ step }) => step)).toEqual(restorePlan.map((_, index) => index + 1));
        const ids = restorePlan.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.filter((id) => !RESTORE_STEPS.includes(id))).toEqual([]);
      }),
    );
  });

  test('orders remedies by gain', () => {
    fc.assert(
      fc.property(anyCandidate, (candidate) => {
        const gains = assessRestore(candidate)
          .restorePlan.filter(({ id }) => followed.has(id) && id !== 'restore_in_isolation')
          .map(({ scoreGain }) => scoreGain);
        expect(gains).toEqual(gains.toSorted((a, b) => b - a));
        expect(gains.every((gain) => gain >= 0)).toBe(true);
      }),
    );
  });

  test('leads to a safe backup when all its remedies are followed', () => {
    fc.assert(
      fc.property(anyCandidate, (candidate) => {
        const after = assessRestore(candidate).restorePlan.reduce(
          (state, { id }) => followed.get(id)?.(state) ?? state,
          candidate,
        );
        expect(assessRestore(after).verdict).toBe('safe');
      }),
    );
  });

  test('contains the step into service unless the verdict is unsafe or worse', () => {
    fc.assert(
      fc.property(anyCandidate, (candidate) => {
        const { verdict, restorePlan } = assessRestore(candidate);
        const ids = restorePlan.map(({ id }) => id);
        expect(ids.includes('put_into_service')).toBe(!isNoBetterThan(verdict, 'unsafe'));
        expect(ids.includes('find_another_backup')).toBe(isNoBetterThan(verdict, 'unsafe'));
        expect(ids.includes('keep_as_evidence')).toBe(verdict === 'do_not_restore');
      }),
    );
  });

  test('never claims that anything was done', () => {
    fc.assert(
      fc.property(anyCandidate, (candidate) => {
        for (const { action, reason } of assessRestore(candidate).restorePlan) {
          expect(`${action} ${reason}`).not.toMatch(/\b(we|our|has been|have been)\b/i);
        }
      }),
    );
  });
});

describe('the tables', () => {
  test('weigh no value less than a better one', () => {
    const inOrder = [
      BACKUP_AGE_BUCKETS.map((value) => RESTORE_WEIGHTS.backup_age.sharePercent[value]),
      INTEGRITY_CHECKS.map((value) => RESTORE_WEIGHTS.integrity_check.sharePercent[value]),
      KNOWN_INFECTED_OVERLAPS.map((value) => RESTORE_WEIGHTS.known_infected_overlap.sharePercent[value]),
    ];
    for (const shares of inOrder) expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  test('explain every value of the vocabulary in one line', () => {
    const vocabulary = {
      ...ORDERED,
      fileClass: FILE_CLASSES,
      fileState: FILE_STATES,
    } as const;
    for (const [field, meanings] of Object.entries(RESTORE_MEANINGS)) {
      expect(Object.keys(meanings)).toEqual([...vocabulary[field as keyof typeof RESTORE_MEANINGS]]);
      for (const meaning of Object.values(meanings)) expect(meaning).toMatch(/^[^\n]+\.$/);
    }
    expect(Object.keys(RESTORE_VERDICT_MEANINGS)).toEqual([...RESTORE_VERDICTS]);
  });
});
