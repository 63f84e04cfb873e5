import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type SiteFacts, scoreLimit } from '../../../src/domain/site/score-factors.ts';
import { scoreSite } from '../../../src/domain/site/site-score.ts';
import { SITE_STATUSES, siteStatus } from '../../../src/domain/site/site-status.ts';

const VERSIONS = [null, '1.0.0', '1.2.0', '1.10.0', '2.0.0-beta', '2.0.0'];
const count = fc.nat({ max: 60 });
const few = fc.nat({ max: 5 });
const alertCounts = fc.record({ critical: count, high: count });
const facts: fc.Arbitrary<SiteFacts> = fc.record({
  status: fc.constantFrom(...SITE_STATUSES),
  openAlerts: alertCounts,
  incidents: alertCounts,
  pluginVersion: fc.constantFrom(...VERSIONS),
  newestPluginVersion: fc.constant('2.0.0'),
  vulnerabilities: fc.option(fc.record({ act: few, attend: few, other: few })),
});
const PERFECT: SiteFacts = {
  status: 'active',
  openAlerts: { critical: 0, high: 0 },
  incidents: { critical: 0, high: 0 },
  pluginVersion: '2.0.0',
  newestPluginVersion: '2.0.0',
  vulnerabilities: { act: 0, attend: 0, other: 0 },
};
const scoreOf = (more: Partial<SiteFacts>) => scoreSite({ ...PERFECT, ...more }).score;

test('integer points add up to the score, unless it is capped, and their maxima to 100', () => {
  fc.assert(
    fc.property(facts, (each) => {
      const { score, factors } = scoreSite(each);
      const sum = (field: 'points' | 'pointsMax') =>
        factors.reduce((total, factor) => total + factor[field], 0);
      expect([Math.min(sum('points'), scoreLimit(each)), sum('pointsMax')]).toEqual([score, 100]);
      for (const { points, pointsMax, remedy } of factors) {
        expect(Number.isInteger(points) && points >= 0 && points <= pointsMax).toBe(true);
        expect(remedy !== null).toBe(points < pointsMax);
      }
      expect(scoreSite(each)).toEqual({ score, factors });
    }),
  );
});

test('no worse fact raises the score', () => {
  const worse: ((each: SiteFacts) => SiteFacts)[] = [
    (each) => ({ ...each, status: each.status === 'active' ? 'stale' : 'silent' }),
    (each) => ({ ...each, openAlerts: { ...each.openAlerts, critical: each.openAlerts.critical + 1 } }),
    (each) => ({ ...each, openAlerts: { ...each.openAlerts, high: each.openAlerts.high + 1 } }),
    (each) => ({ ...each, incidents: { ...each.incidents, critical: each.incidents.critical + 1 } }),
    (each) => ({ ...each, incidents: { ...each.incidents, high: each.incidents.high + 1 } }),
    (each) => ({
      ...each,
      openAlerts: { critical: each.openAlerts.critical + each.openAlerts.high, high: 0 },
    }),
    (each) => ({
      ...each,
      pluginVersion: VERSIONS[Math.max(0, VERSIONS.indexOf(each.pluginVersion) - 1)] ?? null,
    }),
  ];
  for (const decision of ['act', 'attend', 'other'] as const)
    worse.push(({ vulnerabilities, ...each }) => ({
      ...each,
      vulnerabilities: vulnerabilities && { ...vulnerabilities, [decision]: vulnerabilities[decision] + 1 },
    }));
  worse.push(({ vulnerabilities, ...each }) => ({
    ...each,
    vulnerabilities: vulnerabilities && {
      ...vulnerabilities,
      act: vulnerabilities.act + vulnerabilities.attend,
      attend: 0,
    },
  }));
  fc.assert(
    fc.property(facts, fc.constantFrom(...worse), (each, make) => {
      expect(scoreSite(make(each)).score).toBeLessThanOrEqual(scoreSite(each).score);
    }),
  );
});

describe('golden scores', () => {
  test.each<[string, Partial<SiteFacts>, number]>([
    ['a site without fault', {}, 100],
    ['one that reports no version', { pluginVersion: null }, 92],
    ['an outdated one', { pluginVersion: '1.10.0' }, 95],
    ['a stale one', { status: 'stale' }, 92],
    ['a silent one', { status: 'silent' }, 80],
    [
      'one open high alert',
      { openAlerts: { critical: 0, high: 1 }, incidents: { critical: 0, high: 1 } },
      85,
    ],
    [
      'one open critical alert',
      { openAlerts: { critical: 1, high: 0 }, incidents: { critical: 1, high: 0 } },
      70,
    ],
    ['a critical alert that was resolved', { incidents: { critical: 1, high: 0 } }, 92],
    [
      'everything at its worst',
      {
        status: 'silent',
        openAlerts: { critical: 9, high: 9 },
        incidents: { critical: 9, high: 9 },
        pluginVersion: null,
        vulnerabilities: { act: 9, attend: 9, other: 9 },
      },
      0,
    ],
    ['unknown components', { vulnerabilities: null }, 100],
    ['one vulnerability that is not urgent', { vulnerabilities: { act: 0, attend: 0, other: 1 } }, 99],
    ['one to fix soon', { vulnerabilities: { act: 0, attend: 1, other: 0 } }, 69],
    [
      'one to fix at once, such as an exploited one',
      { vulnerabilities: { act: 1, attend: 0, other: 0 } },
      49,
    ],
  ])('%s', (_, more, score) => {
    expect(scoreOf(more)).toBe(score);
  });
});

test.each([
  ['an hour', 'a day', 300, 1, 24],
  ['an hour', 'a day', 1_200, 1, 24],
  ['three intervals', 'a day', 2_400, 2, 24],
  ['three intervals', 'twelve', 36_000, 30, 120],
])('a site is active for %s and stale for %s after its last report: %d', (_, __, interval, active, stale) => {
  const hour = 3_600_000;
  const after = (quietMs: number) => siteStatus(1_000, 1_000 + quietMs, interval);
  const moments = [-5, 0, active * hour - 1, active * hour, stale * hour - 1, stale * hour];
  expect(moments.map(after)).toEqual(['active', 'active', 'active', 'stale', 'stale', 'silent']);
});
