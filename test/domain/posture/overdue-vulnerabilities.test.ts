import { expect, test } from 'bun:test';
import { judge } from '../../../src/domain/finding.ts';
import {
  OVERDUE_RULES,
  type OverdueVulnerability,
} from '../../../src/domain/posture/overdue-vulnerabilities.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';

const NOW = Date.UTC(2026, 10, 23);
const late = (days: number, withinDays: OverdueVulnerability['withinDays'] = 3): OverdueVulnerability => ({
  id: `CVE-2026-${days}`,
  component: 'gallery',
  dueAt: NOW - days * DAY_MS,
  withinDays,
});
const findings = (...overdueVulnerabilities: readonly OverdueVulnerability[]) =>
  judge(OVERDUE_RULES, { now: NOW, overdueVulnerabilities });

test('a site without overdue vulnerabilities has no such finding', () => {
  expect(findings()).toEqual([]);
});

test('an earlier deadline is a worse finding, with one rule for each deadline', () => {
  expect(findings(late(1, 60), late(2, 3), late(3, 14)).map(({ id, severity }) => [id, severity])).toEqual([
    ['vulnerabilities_overdue_3d', 'critical'],
    ['vulnerabilities_overdue_14d', 'high'],
    ['vulnerabilities_overdue_60d', 'medium'],
  ]);
  expect(findings(late(9, 14)).map(({ title }) => title)).toEqual([
    'Known vulnerabilities were not fixed within 14 days',
  ]);
});

test('the evidence names overdue vulnerabilities, places and delays, the latest first', () => {
  const [finding] = findings(late(0.5), late(40), late(1), late(7, 14));
  expect(finding?.evidence).toBe(
    'CVE-2026-40 in gallery, due 40 days ago; CVE-2026-1 in gallery, due a day ago; ' +
      'CVE-2026-0.5 in gallery, due less than a day ago.',
  );
});

test('the evidence names five, and counts the others', () => {
  const five = [1, 2, 3, 4, 5].map((days) => late(days));
  expect(findings(...five)[0]?.evidence).not.toContain('more');
  const [{ evidence = '' } = {}] = findings(...five, late(6), late(7));
  expect(evidence.match(/CVE-/g)).toHaveLength(5);
  expect(evidence).toEndWith('; and 2 more.');
});
