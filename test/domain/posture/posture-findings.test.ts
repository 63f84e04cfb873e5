import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { MEASURE_KINDS, type MeasureKind } from '../../../src/domain/posture/measures.ts';
import {
  judgePosture,
  POSTURE_RULES,
  type PostureSummary,
} from '../../../src/domain/posture/posture-findings.ts';
import { SIGNAL_RULES } from '../../../src/domain/posture/signals.ts';
import type { OpenAlert } from '../../../src/domain/site/alerts.ts';
import * as signals from '../../../src/signals/index.ts';
import { MEASURE_ROUTES } from '../../../src/storage/sites/latest-measures.ts';
import { bodyOf } from '../../support/schema-values.ts';

const NOW = Date.UTC(2026, 5, 15);
const DAY = 86_400_000;

const summary = (changed: Partial<PostureSummary> = {}): PostureSummary => ({
  now: NOW,
  lastSeenAt: NOW - 1_000,
  pluginVersion: '2.1.0',
  newestPluginVersion: '2.1.0',
  heartbeatSeconds: 300,
  openAlerts: [],
  overdueVulnerabilities: [],
  measures: [],
  ...changed,
});
const measured = (
  kind: MeasureKind,
  record: Record<string, unknown>,
  ageDays = 0,
): Partial<PostureSummary> => ({
  measures: [{ kind, record, at: NOW - ageDays * DAY }],
});
const risk = (hygieneRiskScore: number, ageDays = 0) =>
  measured('key_hygiene', { hygieneRiskScore }, ageDays);
const alerts = (severity: OpenAlert['severity'], count = 1): OpenAlert[] =>
  Array.from({ length: count }, (_, index) => ({ subject: `s${index}`, severity, lastOccurredAt: NOW }));

test('a site that reports, is up to date and has no alerts has no findings', () => {
  expect(judgePosture(summary())).toEqual([]);
  expect(judgePosture(summary(risk(24, 30)))).toEqual([]);
});

test.each<[string, Partial<PostureSummary>, string[]]>([
  ['never reported', { lastSeenAt: null, pluginVersion: null }, ['site_never_reported']],
  ['silent for a day', { lastSeenAt: NOW - DAY }, ['site_silent']],
  ['silent for six days', { lastSeenAt: NOW - 7 * DAY + 1 }, ['site_silent']],
  ['silent for less than twelve heartbeats', { lastSeenAt: NOW - 5 * DAY, heartbeatSeconds: 43_200 }, []],
  ['silent for a week', { lastSeenAt: NOW - 7 * DAY }, ['site_silent_long']],
  ['a clock that is ahead', { lastSeenAt: NOW + DAY }, []],
  ['an older plugin than elsewhere', { newestPluginVersion: '2.10.0' }, ['plugin_outdated']],
  ['no plugin version', { pluginVersion: null }, ['plugin_version_unknown']],
  [
    'alerts',
    { openAlerts: [...alerts('high', 2), ...alerts('critical')] },
    ['open_alerts_critical', 'open_alerts_high'],
  ],
  ['a risk of 25', risk(25), ['key_hygiene_risk']],
  ['a risk of 50, measured long ago', risk(50, 31), ['key_hygiene_risk', 'key_hygiene_outdated']],
  ['a safety of 30', measured('restore', { restoreSafetyScore: 30 }), ['restore_risk']],
  ['an old signal', measured('saas', { publicLinkCount: 3 }, 31), ['saas_outdated']],
  ['a decoy that was touched', measured('decoy', { tripCount: 1 }, 30), ['decoy_tripped']],
  ['a decoy that was touched long ago', measured('decoy', { tripCount: 1 }, 31), []],
  [
    'a server without updates',
    measured('server_guard', { packageAgeBand: 'over_90d', securityUpdateCount: 9, firewallEnabled: true }),
    ['server_guard_package_age_band', 'server_guard_security_update_count'],
  ],
  [
    'a database that is open',
    measured('server_guard', { listeningServices: { database: { count: 1, publicCount: 1 } } }),
    ['server_guard_listening_services_database_public_count'],
  ],
  ['a server without measurements', measured('server_guard', {}), []],
])('%s', (_, changed, expected) => {
  expect(judgePosture(summary(changed)).map(({ id }) => id)).toEqual(expected);
});

test('evidence names the observation and its age', () => {
  const evidenceOf = (changed: Partial<PostureSummary>) =>
    judgePosture(summary(changed)).map(({ evidence }) => evidence);
  expect(evidenceOf({ lastSeenAt: NOW - DAY })).toEqual(['Last seen a day ago.']);
  expect(evidenceOf({ pluginVersion: 'v2.1.0-secret', newestPluginVersion: '2.10' })).toEqual([
    'It last reported version 2.1.0; the newest known version is 2.10.',
  ]);
  const many = alerts('high', 7).map((alert, at) => ({ ...alert, lastOccurredAt: NOW - (at + 2) * DAY }));
  expect(evidenceOf({ openAlerts: many.slice(0, 1) })).toEqual(['1 open alert: s0, last 2 days ago.']);
  expect(evidenceOf({ openAlerts: many.toReversed() })).toEqual([
    '7 open alerts: s0, s1, s2, s3, s4 and 2 more, last 2 days ago.',
  ]);
  expect(evidenceOf(risk(80, 1))).toEqual(['Its risk score is 80 of 100, measured a day ago.']);
  expect(evidenceOf(measured('restore', { restoreSafetyScore: 30 }, 9))).toEqual([
    'Its safety score is 30 of 100, measured 9 days ago.',
  ]);
  expect(evidenceOf(measured('saas', { publicLinkCount: 3 }))).toEqual([
    'The latest signal of this license, measured less than a day ago, reports publicLinkCount: 3.',
  ]);
  expect(evidenceOf(measured('decoy', {}, 1))).toEqual(['It was last reported a day ago.']);
});

test('a signal is as old as its measurement, with any delay of its arrival', () => {
  const measuredAt = (days: number) =>
    measured('saas', { publicLinkCount: 3, collectedAt: new Date(NOW - days * DAY).toISOString() }, 2);
  const [stale] = judgePosture(summary(measuredAt(40)));
  expect([stale?.id, stale?.evidence]).toEqual(['saas_outdated', 'It was measured 40 days ago.']);
  expect(judgePosture(summary(measuredAt(3)))[0]?.evidence).toContain('measured 3 days ago');
  expect(judgePosture(summary(measuredAt(-3)))[0]?.evidence).toContain('measured 2 days ago');
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

test('more alerts, longer silence and a higher risk never reduce the findings', () => {
  const summaries = fc.record({
    quietDays: fc.integer({ min: 0, max: 40 }),
    open: fc.integer({ min: 0, max: 3 }),
    risk: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(summaries, summaries, (one, two) => {
      const judged = [one, two].map(({ quietDays, open, risk: value }) =>
        judgePosture(
          summary({ lastSeenAt: NOW - quietDays * DAY, openAlerts: alerts('high', open), ...risk(value) }),
        ),
      );
      const worse = one.quietDays >= two.quietDays && one.open >= two.open && one.risk >= two.risk;
      if (worse) expect(judged[0]?.length).toBeGreaterThanOrEqual(judged[1]?.length ?? 0);
    }),
  );
});

test('each finding states the observation and the remedy', () => {
  for (const { title, recommendation } of POSTURE_RULES) {
    expect(title).not.toEndWith('.');
    expect(recommendation).toEndWith('.');
  }
});

test('each rule for a signal uses a field of its vocabulary, and some body shows the finding', () => {
  const vocabularies = Object.values(signals);
  const shown = new Set<string>();
  const kinds = MEASURE_KINDS.filter((kind) => !['restore', 'decoy'].includes(kind));
  for (const kind of kinds) {
    const { body } = vocabularies.find(({ path }) => path === MEASURE_ROUTES[kind]) ?? {};
    expect(body).toBeDefined();
    if (body) {
      for (const record of fc.sample(bodyOf(body), { numRuns: 300, seed: 7 })) {
        for (const { id } of judgePosture(summary(measured(kind, record as Record<string, unknown>))))
          shown.add(id);
      }
    }
  }
  const ids = SIGNAL_RULES.map(({ id }) => id).filter((id) => id !== 'decoy_tripped');
  expect(ids.filter((id) => !shown.has(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
