import { describe, expect, test } from 'bun:test';
import { DEADLINE_TERMS, DEADLINES, deadlineFor } from '../../../src/domain/risk/deadline.ts';
import { DECISIONS, decide } from '../../../src/domain/risk/decision.ts';
import type { DecisionPoints } from '../../../src/domain/risk/decision-points.ts';
import { EXPLOITATIONS, IMPORTANCES, TECHNICAL_IMPACTS, YES_NO } from '../../../src/domain/risk/facts.ts';
import { combinations } from './known.ts';

type Values = { readonly [Point in keyof DecisionPoints]: DecisionPoints[Point]['value'] };

const CALMEST: Values = {
  exploitation: 'none',
  knownExploited: 'no',
  automatable: 'no',
  technicalImpact: 'partial',
  exposure: 'small',
  importance: 'low',
};

const points = (values: Partial<Values>): DecisionPoints =>
  Object.fromEntries(
    Object.entries({ ...CALMEST, ...values }).map(([name, value]) => [
      name,
      { value, source: 'a test', assumed: false },
    ]),
  ) as unknown as DecisionPoints;

/** CISA Coordinator 2.0.3 in the order of CERT/CC's file: exploitation, automatable, impact, importance, level. */
const COORDINATOR = [
  'none no partial low track',
  'none no partial medium track',
  'none no partial high track',
  'none no total low track',
  'none no total medium track',
  'none no total high track*',
  'none yes partial low track',
  'none yes partial medium track',
  'none yes partial high attend',
  'none yes total low track',
  'none yes total medium track',
  'none yes total high attend',
  'poc no partial low track',
  'poc no partial medium track',
  'poc no partial high track*',
  'poc no total low track',
  'poc no total medium track*',
  'poc no total high attend',
  'poc yes partial low track',
  'poc yes partial medium track',
  'poc yes partial high attend',
  'poc yes total low track',
  'poc yes total medium track*',
  'poc yes total high attend',
  'active no partial low track',
  'active no partial medium track',
  'active no partial high attend',
  'active no total low track',
  'active no total medium attend',
  'active no total high act',
  'active yes partial low attend',
  'active yes partial medium attend',
  'active yes partial high act',
  'active yes total low attend',
  'active yes total medium act',
  'active yes total high act',
].map((row) => row.split(' '));

/** BOD 26-04 1.0.0 in the order of CERT/CC's file: in KEV, exposed, automatable, impact, timeline. */
const TIMELINES = [
  'no no no partial upgrade',
  'yes no no partial 14_days',
  'no yes no partial 60_days',
  'no no yes partial 60_days',
  'no no no total upgrade',
  'yes yes no partial 14_days',
  'yes no yes partial 14_days',
  'no yes yes partial 14_days',
  'yes no no total 14_days',
  'no yes no total 14_days',
  'no no yes total 60_days',
  'yes yes yes partial 3_days',
  'yes yes no total 3_days_forensics',
  'yes no yes total 3_days_forensics',
  'no yes yes total 3_days',
  'yes yes yes total 3_days_forensics',
].map((row) => row.split(' '));

describe("CISA's coordinator table", () => {
  test.each(COORDINATOR)('%s, automatable %s, %s, %s: %s', (...row) => {
    const [exploitation, automatable, technicalImpact, importance, decision] = row;
    expect<string | undefined>(
      decide(points({ exploitation, automatable, technicalImpact, importance } as Values)),
    ).toBe(decision);
  });

  test('has a row for every possible input, and reaches every decision', () => {
    const asked = [...combinations<string>([IMPORTANCES, TECHNICAL_IMPACTS, YES_NO, EXPLOITATIONS])];
    expect(COORDINATOR.map((row) => row.slice(0, 4).toReversed())).toEqual(asked);
    expect(new Set(COORDINATOR.map((row) => row[4]))).toEqual(new Set(DECISIONS));
  });
});

describe('the timelines of BOD 26-04', () => {
  test.each(TIMELINES)('listed %s, exposed %s, automatable %s, %s: %s', (...row) => {
    const [knownExploited, exposed, automatable, technicalImpact, deadline] = row;
    const values = { knownExploited, automatable, technicalImpact } as Values;
    for (const exposure of exposed === 'yes' ? (['open'] as const) : (['small', 'controlled'] as const))
      expect<string | undefined>(deadlineFor(points({ ...values, exposure }))).toBe(deadline);
  });

  test('have a row for every possible input, and reach every deadline', () => {
    const asked = [...combinations<string>([YES_NO, YES_NO, YES_NO, TECHNICAL_IMPACTS])];
    expect(TIMELINES.map((row) => row.slice(0, 4).join()).sort()).toEqual(
      asked.map((row) => row.join()).sort(),
    );
    expect(new Set(TIMELINES.map((row) => row[4]))).toEqual(new Set(DEADLINES));
  });

  test('never give a more urgent deadline more days', () => {
    const days = DEADLINES.map((deadline) => DEADLINE_TERMS[deadline].days ?? Number.POSITIVE_INFINITY);
    expect(days).toEqual(days.toSorted((one, other) => other - one));
  });
});
