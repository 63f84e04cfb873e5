import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isOlderVersion, newestVersion } from '../../src/domain/posture-findings/version.ts';
import { judgePosture, POSTURE_RULES, type PostureSummary } from '../../src/domain/posture-findings.ts';

const NOW = Date.UTC(2026, 5, 15);
const DAY = 86_400_000;

const summary = (changed: Partial<PostureSummary> = {}): PostureSummary => ({
  now: NOW,
  lastSeenAt: NOW - 1_000,
  pluginVersion: '2.1.0',
  newestPluginVersion: '2.1.0',
  openAlerts: {},
  measures: [],
  ...changed,
});
const risk = (value: number | null, ageDays = 0): Partial<PostureSummary> => ({
  measures: [{ kind: 'key_hygiene', risk: value, at: NOW - ageDays * DAY }],
});

test('a site that reports, is up to date and has no alerts has no findings', () => {
  expect(judgePosture(summary())).toEqual([]);
  expect(judgePosture(summary({ openAlerts: { info: 9, low: 0 }, ...risk(24, 30) }))).toEqual([]);
});

test.each<[string, Partial<PostureSummary>, string[]]>([
  ['never reported', { lastSeenAt: null, pluginVersion: null }, ['site_never_reported']],
  ['silent for a day', { lastSeenAt: NOW - DAY }, ['site_silent']],
  ['silent for six days', { lastSeenAt: NOW - 7 * DAY + 1 }, ['site_silent']],
  ['silent for a week', { lastSeenAt: NOW - 7 * DAY }, ['site_silent_long']],
  ['a clock that runs ahead', { lastSeenAt: NOW + DAY }, []],
  ['an older plugin than elsewhere', { newestPluginVersion: '2.10.0' }, ['plugin_outdated']],
  ['no plugin version', { pluginVersion: null }, ['plugin_version_unknown']],
  [
    'alerts of every severity',
    { openAlerts: { info: 5, low: 4, medium: 3, high: 2, critical: 1 } },
    ['open_alerts_critical', 'open_alerts_high', 'open_alerts_medium', 'open_alerts_low'],
  ],
  ['a risk of 25', risk(25), ['key_hygiene_risk']],
  ['a risk of 50, measured long ago', risk(50, 31), ['key_hygiene_risk', 'key_hygiene_outdated']],
  ['a report without score, long ago', risk(null, 31), ['key_hygiene_outdated']],
])('%s', (_, changed, expected) => {
  expect(judgePosture(summary(changed)).map(({ id }) => id)).toEqual(expected);
});

test('the severity of a risk follows its band', () => {
  const severityOf = (value: number) => judgePosture(summary(risk(value)))[0]?.severity;
  expect([24, 25, 49, 50, 74, 75, 100].map(severityOf)).toEqual([
    undefined,
    'low',
    'low',
    'medium',
    'medium',
    'high',
    'high',
  ]);
});

test('more alerts, longer silence and a greater risk never make fewer findings', () => {
  const summaries = fc.record({
    quietDays: fc.integer({ min: 0, max: 40 }),
    alerts: fc.integer({ min: 0, max: 3 }),
    risk: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(summaries, summaries, (one, two) => {
      const judged = [one, two].map(({ quietDays, alerts, risk: value }) =>
        judgePosture(
          summary({ lastSeenAt: NOW - quietDays * DAY, openAlerts: { high: alerts }, ...risk(value) }),
        ),
      );
      const worse = one.quietDays >= two.quietDays && one.alerts >= two.alerts && one.risk >= two.risk;
      if (worse) expect(judged[0]?.length).toBeGreaterThanOrEqual(judged[1]?.length ?? 0);
    }),
  );
});

test('each finding says what was seen and what to do', () => {
  for (const { title, recommendation } of POSTURE_RULES) {
    expect(title).not.toEndWith('.');
    expect(recommendation).toEndWith('.');
  }
});

describe('versions', () => {
  test.each<[string, string, boolean]>([
    ['1.9.0', '1.10.0', true],
    ['1.10.0', '1.9.0', false],
    ['v2', '2.0.1', true],
    ['2.0', '2.0.0', false],
    ['2.0.0-beta', '2.0.0', false],
    ['unknown', '2.0.0', false],
    ['1.0', 'latest', false],
    ['', '', false],
  ])('%p is older than %p: %p', (one, other, expected) => {
    expect(isOlderVersion(one, other)).toBe(expected);
  });

  test('the newest is older than none', () => {
    const versions = fc.array(fc.tuple(fc.nat(20), fc.nat(20)).map((numbers) => numbers.join('.')));
    fc.assert(
      fc.property(versions, (all) => {
        const newest = newestVersion(['nonsense', ...all]);
        if (all.length === 0) expect(newest).toBeNull();
        for (const version of all) expect(isOlderVersion(newest ?? '', version)).toBe(false);
      }),
    );
  });
});
