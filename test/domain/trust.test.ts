import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type AssessmentParts, GRADES, type Grade } from '../../src/domain/assessment/assessment.ts';
import { decidingAssessments } from '../../src/domain/assessment/public-grades.ts';
import {
  type AssessmentFacts,
  shownMoment,
  type TrustFacts,
  type TrustPolicy,
  trustStanding,
} from '../../src/domain/trust/trust.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const POLICY: TrustPolicy = { minGrade: 'B', validDays: 8 };
const WHOLE: AssessmentParts = {
  telemetry: { score: 90, at: NOW, complete: true },
  surface: null,
  vulnerabilities: null,
};
const IN_PART: AssessmentParts = { ...WHOLE, telemetry: { score: 90, at: NOW, complete: false } };

const made = (hoursAgo: number, grade: Grade, parts = WHOLE): AssessmentFacts => {
  const madeAt = NOW - hoursAgo * HOUR_MS;
  return { grade, parts, madeAt, assessedAt: madeAt };
};
const facts = (...assessments: AssessmentFacts[]): TrustFacts<AssessmentFacts> => ({
  isLicenseValid: true,
  isControlled: true,
  surfaceScans: true,
  isClockBehind: false,
  criticalAt: null,
  assessments,
});
const standing = (given: TrustFacts<AssessmentFacts>, now = NOW, policy = POLICY) =>
  trustStanding(given, policy, now);

describe('the public state of a site', () => {
  test('is empty after an unresolved critical alert, until everything was assessed again', () => {
    const given = { ...facts(made(30, 'A')), criticalAt: NOW - 7 * DAY_MS };
    expect(standing(given).state).toBe('assessed');
    const before = { ...made(1, 'A'), assessedAt: given.criticalAt - 1 };
    expect(standing({ ...given, assessments: [before] }).state).toBe('not_current');
  });

  test('is the newest assessment that is good enough, until it is too old', () => {
    const [newer, older] = [made(2, 'B'), made(5, 'A')];
    const validUntil = shownMoment(newer) + 8 * DAY_MS;
    expect(standing(facts(newer, older))).toEqual({
      state: 'assessed',
      assessment: newer,
      validUntil,
      endsAt: validUntil,
    });
    expect(standing(facts(newer, older), validUntil - 1).state).toBe('assessed');
    expect(standing(facts(newer, older), validUntil)).toEqual({ state: 'not_current', problem: 'outdated' });
  });

  test('stays for 72 hours after the first lesser assessment, without a public change', () => {
    const good = made(73, 'A');
    const [first, second] = [made(72, 'C'), made(1, 'D')];
    const before = standing(facts(good), first.madeAt + 1);
    const after = standing(facts(first, good), first.madeAt + 1);
    if (before.state !== 'assessed' || after.state !== 'assessed') throw new Error('not assessed');
    expect([after.assessment, after.validUntil]).toEqual([before.assessment, before.validUntil]);
    expect(after.endsAt).toBe(first.madeAt + 72 * HOUR_MS);
    expect(standing(facts(second, first, good), NOW - 1).state).toBe('assessed');
    expect(standing(facts(second, first, good), NOW)).toEqual({
      state: 'not_current',
      problem: 'grade_too_low',
    });
  });

  test('is another assessment that is good enough, once one follows the lesser one', () => {
    const again = made(1, 'B');
    expect(standing(facts(again, made(90, 'F'), made(95, 'A')))).toMatchObject({
      state: 'assessed',
      assessment: again,
    });
  });

  test.each([
    ['license_not_valid', { isLicenseValid: false }],
    ['domain_not_verified', { isControlled: false }],
    ['surface_scans_disabled', { surfaceScans: false }],
    ['clock_behind', { isClockBehind: true }],
    ['critical_alert', { criticalAt: NOW - 6 * DAY_MS }],
    [
      'critical_alert',
      { criticalAt: NOW - 7 * DAY_MS, assessments: [{ ...made(1, 'A'), assessedAt: NOW - 7.5 * DAY_MS }] },
    ],
    ['never_assessed', { assessments: [] }],
    ['clock_behind', { assessments: [made(-1, 'A')] }],
    ['grade_too_low', { assessments: [made(1, 'C')] }],
    ['grade_too_low', { assessments: [made(1, 'A', IN_PART)] }],
    ['outdated', { assessments: [{ ...made(1, 'A'), assessedAt: NOW - 8 * DAY_MS }] }],
  ])('is empty: %s, immediately', (problem, change) => {
    expect(standing({ ...facts(made(1, 'A')), ...change })).toEqual({
      state: 'not_current',
      problem: problem as 'outdated',
    });
  });

  test('counts the age of an assessment from its oldest part', () => {
    const old = { ...made(1, 'A'), assessedAt: NOW - 7 * DAY_MS };
    expect(standing(facts(old))).toMatchObject({ validUntil: NOW + DAY_MS });
  });

  test("follows the operator's minimum grade and days", () => {
    const given = facts(made(30, 'D'));
    expect(standing(given, NOW, { minGrade: 'D', validDays: 2 }).state).toBe('assessed');
    expect(standing(given, NOW, { minGrade: 'C', validDays: 2 }).state).toBe('not_current');
    expect(standing(given, NOW, { minGrade: 'D', validDays: 1 }).state).toBe('not_current');
  });
});

const anyGrade = fc.constantFrom(...GRADES);
const anyAssessment = fc
  .record({
    grade: anyGrade,
    hoursAgo: fc.integer({ min: 0, max: 300 }),
    older: fc.integer({ min: 0, max: 99 }),
    whole: fc.boolean(),
  })
  .map(({ grade, hoursAgo, older, whole }) => {
    const assessment = made(hoursAgo, grade, whole ? WHOLE : IN_PART);
    return { ...assessment, assessedAt: assessment.assessedAt - older * HOUR_MS };
  });
const anyHistory = fc
  .array(anyAssessment, { maxLength: 8 })
  .map((all) => all.toSorted((one, other) => other.madeAt - one.madeAt));

describe('for any history of a site', () => {
  test('the deciding assessments are sufficient', () => {
    fc.assert(
      fc.property(anyHistory, fc.constantFrom('A', 'B', 'C', 'D'), (history, minGrade) => {
        const policy = { ...POLICY, minGrade } as const;
        const whole = history.map((each) => ({ ...each, assessedAt: each.madeAt }));
        const few = [...new Set(decidingAssessments(whole))].toSorted((a, b) => b.madeAt - a.madeAt);
        const [all, decided] = [whole, few].map((some) => standing(facts(...some), NOW, policy));
        if (all?.state === 'assessed') expect(decided).toEqual(all);
        else expect(decided?.state).toBe('not_current');
      }),
    );
  });

  test('the shown one is good enough, not too old, and ends', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const found = standing(facts(...history));
        if (found.state === 'not_current') return;
        expect(['A', 'B']).toContain(found.assessment.grade);
        expect(found.assessment.parts).toBe(WHOLE);
        expect(found.endsAt).toBeWithin(NOW + 1, found.validUntil + 1);
        expect(found.validUntil).toBe(shownMoment(found.assessment) + 8 * DAY_MS);
        const then = standing(facts(...history), found.endsAt);
        if (then.state === 'assessed') expect(then.assessment).not.toBe(found.assessment);
      }),
    );
  });

  test('a worse newest grade, or a worse fact, never restores a state', () => {
    const worse: Partial<TrustFacts<AssessmentFacts>>[] = [
      { isLicenseValid: false },
      { isControlled: false },
      { surfaceScans: false },
      { isClockBehind: true },
      { criticalAt: NOW },
    ];
    fc.assert(
      fc.property(anyHistory, anyGrade, fc.constantFrom({}, ...worse), (history, grade, change) => {
        if (standing(facts(...history)).state === 'assessed') return;
        const [newest, ...older] = history;
        const lowered =
          newest && GRADES.indexOf(grade) >= GRADES.indexOf(newest.grade)
            ? [{ ...newest, grade }, ...older]
            : history;
        expect(standing({ ...facts(...lowered), ...change }).state).toBe('not_current');
      }),
    );
  });

  test('a lesser assessment changes nothing public about the earlier one, except its end', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const [good, worse] = [made(0.5, 'A'), made(0.1, 'F')];
        const before = standing(facts(good, ...history.filter(({ madeAt }) => madeAt < good.madeAt)));
        const after = standing(facts(worse, good, ...history.filter(({ madeAt }) => madeAt < good.madeAt)));
        if (before.state !== 'assessed' || after.state !== 'assessed') throw new Error('not assessed');
        expect([after.assessment, after.validUntil]).toEqual([before.assessment, before.validUntil]);
      }),
    );
  });
});
