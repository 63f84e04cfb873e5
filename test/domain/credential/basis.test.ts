import { describe, expect, test } from 'bun:test';
import type { JudgedVulnerabilities } from '../../../src/domain/assessment/assessment.ts';
import { assessedParts, isCitable } from '../../../src/domain/credential/basis.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';

test.each<[string, number, boolean]>([
  ['of the current moment', 0, true],
  ['of just under 24 hours ago', DAY_MS - 1, true],
  ['of 24 hours ago', DAY_MS, false],
])('an assessment %s: %i ms, may be cited: %p', (_, age, expected) => {
  const parts = { telemetry: { score: 1, at: 1, complete: true }, surface: null, vulnerabilities: null };
  expect(isCitable({ madeAt: 5, parts }, 5 + age)).toBe(expected);
  expect(isCitable({ madeAt: 5, parts: { ...parts, telemetry: null } }, 5 + age)).toBeFalse();
});

describe('the assessed parts', () => {
  const part = (complete: boolean): JudgedVulnerabilities => ({
    score: 1,
    at: 1,
    complete,
    dataAt: 1,
    open: 0,
    overdue: 0,
  });

  test('are the complete ones, in their order', () => {
    const parts = { vulnerabilities: part(true), surface: part(true), telemetry: part(true) };
    expect(assessedParts(parts)).toEqual(['telemetry', 'surface', 'vulnerabilities']);
    expect(assessedParts({ ...parts, surface: null })).toEqual(['telemetry', 'vulnerabilities']);
    expect(assessedParts({ ...parts, telemetry: part(false) })).toEqual(['surface', 'vulnerabilities']);
    expect(assessedParts({ telemetry: null, surface: null, vulnerabilities: part(false) })).toEqual([]);
  });
});
