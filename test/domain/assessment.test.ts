import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type AssessmentParts,
  assess,
  gradeOf,
  judgeSurfacePart,
  type OpenVulnerability,
  scoreWith,
} from '../../src/domain/assessment/assessment.ts';
import { SEVERITIES, type Severity } from '../../src/domain/severity.ts';
import { DAY_MS } from '../../src/lib/clock.ts';

const NOW = Date.UTC(2026, 10, 23);

interface Facts {
  readonly telemetry: { readonly score: number; readonly complete: boolean } | null;
  readonly surface: { readonly severities: readonly Severity[]; readonly ageDays: number } | null;
  readonly vulnerabilities: {
    readonly risks: readonly { readonly score: number; readonly overdue: boolean }[];
    readonly complete: boolean;
  } | null;
}

/** As in the bands of risk scores. */
const daysFor = (score: number): OpenVulnerability['remediateWithinDays'] => {
  if (score < 25) return null;
  if (score < 50) return 60;
  return score < 70 ? 14 : 3;
};
const vulnerability = ({ score, overdue }: { score: number; overdue: boolean }): OpenVulnerability => {
  const remediateWithinDays = daysFor(score);
  return { score, remediateWithinDays, overdue: overdue && remediateWithinDays !== null };
};

const partsOf = ({ telemetry, surface, vulnerabilities }: Facts): AssessmentParts => ({
  telemetry: telemetry && { ...telemetry, at: NOW },
  surface:
    surface &&
    judgeSurfacePart(
      {
        findings: surface.severities.map((severity) => ({ id: 'rule', severity })),
        at: NOW - surface.ageDays * DAY_MS,
      },
      undefined,
      NOW,
    ),
  vulnerabilities: vulnerabilities && {
    score: Math.min(100, ...vulnerabilities.risks.map((risk) => scoreWith(vulnerability(risk)))),
    at: NOW,
    complete: vulnerabilities.complete,
    dataAt: NOW,
    open: vulnerabilities.risks.length,
    overdue: 0,
  },
});

const score = fc.integer({ min: 0, max: 100 });
const risk = fc.record({ score, overdue: fc.boolean() });
const severity = fc.constantFrom(...SEVERITIES);
const facts: fc.Arbitrary<Facts> = fc.record({
  telemetry: fc.option(fc.record({ score, complete: fc.boolean() })),
  surface: fc.option(
    fc.record({ severities: fc.array(severity, { maxLength: 6 }), ageDays: fc.integer({ min: 0, max: 60 }) }),
  ),
  vulnerabilities: fc.option(fc.record({ risks: fc.array(risk, { maxLength: 6 }), complete: fc.boolean() })),
});

/** One fact worse than before. */
const WORSE: readonly ((facts: Facts, seed: number) => Facts)[] = [
  (known) => ({ ...known, telemetry: known.telemetry && { ...known.telemetry, complete: false } }),
  (known, seed) => ({
    ...known,
    telemetry: known.telemetry && { ...known.telemetry, score: Math.min(known.telemetry.score, seed) },
  }),
  (known, seed) => ({
    ...known,
    surface: known.surface && {
      ...known.surface,
      severities: [...known.surface.severities, SEVERITIES[seed % SEVERITIES.length] as Severity],
    },
  }),
  (known) => ({
    ...known,
    surface: known.surface && { ...known.surface, ageDays: known.surface.ageDays + 20 },
  }),
  (known, seed) => ({
    ...known,
    vulnerabilities: known.vulnerabilities && {
      ...known.vulnerabilities,
      risks: [...known.vulnerabilities.risks, { score: seed, overdue: seed % 2 === 0 }],
    },
  }),
  (known) => ({
    ...known,
    vulnerabilities: known.vulnerabilities && {
      ...known.vulnerabilities,
      risks: known.vulnerabilities.risks.map((each) => ({ ...each, overdue: true })),
    },
  }),
  (known, seed) => ({
    ...known,
    vulnerabilities: known.vulnerabilities && {
      ...known.vulnerabilities,
      risks: known.vulnerabilities.risks.map((each) => ({ ...each, score: Math.max(each.score, seed) })),
    },
  }),
  (known) => ({
    ...known,
    vulnerabilities: known.vulnerabilities && { ...known.vulnerabilities, complete: false },
  }),
];

const WHOLE: Facts = {
  telemetry: { score: 100, complete: true },
  surface: { severities: [], ageDays: 0 },
  vulnerabilities: { risks: [], complete: true },
};
const gradeWith = (change: Partial<Facts>) => assess(partsOf({ ...WHOLE, ...change }))?.grade;

describe('an assessment', () => {
  test('never gets a higher score from a worse fact', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(...WORSE), score, (known, worsen, seed) => {
        const [before, after] = [assess(partsOf(known)), assess(partsOf(worsen(known, seed)))];
        expect(after?.score ?? 0).toBeLessThanOrEqual(before?.score ?? 0);
      }),
      { numRuns: 2_000 },
    );
  });

  test('gets an A only when it is complete, fresh and without findings', () => {
    expect(gradeWith({})).toBe('A');
    for (const part of ['telemetry', 'surface', 'vulnerabilities'] as const)
      expect(gradeWith({ [part]: null })).toBe('B');
    expect(gradeWith({ telemetry: { score: 100, complete: false } })).toBe('B');
    expect(gradeWith({ surface: { severities: [], ageDays: 30 } })).toBe('A');
    expect(gradeWith({ surface: { severities: [], ageDays: 31 } })).toBe('B');
    expect(gradeWith({ vulnerabilities: { risks: [], complete: false } })).toBe('B');
    expect(gradeWith({ vulnerabilities: { risks: [{ score: 24, overdue: true }], complete: true } })).toBe(
      'A',
    );
    expect(gradeWith({ vulnerabilities: { risks: [{ score: 25, overdue: false }], complete: true } })).toBe(
      'B',
    );
  });

  test.each([
    [60, 25, 'B'],
    [14, 50, 'C'],
    [3, 70, 'D'],
  ])('falls with a vulnerability of %i days after its deadline, and not before', (_, score, grade) => {
    const risks = (overdue: boolean) => ({ risks: [{ score, overdue }], complete: true });
    expect(gradeWith({ vulnerabilities: risks(false) })).toBe('B');
    expect(gradeWith({ vulnerabilities: risks(true) })).toBe(grade as never);
  });

  test('is an F immediately with an urgent exploited vulnerability', () => {
    expect(gradeWith({ vulnerabilities: { risks: [{ score: 90, overdue: false }], complete: true } })).toBe(
      'F',
    );
  });

  test('is as old as its oldest part', () => {
    const { telemetry, vulnerabilities } = partsOf(WHOLE);
    const surface = judgeSurfacePart({ findings: [], at: NOW - 5 * DAY_MS }, undefined, NOW);
    expect(assess({ telemetry, vulnerabilities, surface })?.assessedAt).toBe(NOW - 5 * DAY_MS);
  });

  test('does not treat missing data as harmless', () => {
    const findings = [{ id: 'scan_incomplete', severity: 'info' as const }];
    expect(judgeSurfacePart({ findings, at: NOW }, 0, NOW)).toEqual({ score: 100, at: NOW, complete: false });
  });

  test.each(['site_unreachable', 'home_page_not_judged'])(
    'with less %s than at the last report is no better, and never good enough to publish',
    (id) => {
      const hidden = { findings: [{ id, severity: 'info' as const }], at: NOW };
      const { telemetry, vulnerabilities } = partsOf(WHOLE);
      const gradeAfter = (before: number | undefined) =>
        assess({ telemetry, vulnerabilities, surface: judgeSurfacePart(hidden, before, NOW) })?.grade;
      expect([undefined, 100, 40, 0].map(gradeAfter)).toEqual(['C', 'C', 'D', 'F']);
    },
  );

  test('of an unknown site does not exist', () => {
    expect(assess({ telemetry: null, surface: null, vulnerabilities: null })).toBeUndefined();
  });

  test('has a grade for every score', () => {
    const grades = [100, 85, 84, 65, 64, 45, 44, 25, 24, 0].map(gradeOf);
    expect(grades).toEqual(['A', 'A', 'B', 'B', 'C', 'C', 'D', 'D', 'F', 'F']);
  });
});
