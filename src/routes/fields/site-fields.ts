import { Type as t } from '@sinclair/typebox';
import { ALERTS_MAX } from '../../domain/site/alerts.ts';
import { SITE_FACTOR_IDS } from '../../domain/site/score-factors.ts';
import type { SiteStanding } from '../../domain/site/site.ts';
import { type SiteScore, scoreSite } from '../../domain/site/site-score.ts';
import { SITE_STATUSES } from '../../domain/site/site-status.ts';
import { closed, nullable, show, timestamp, typed } from '../../http/contract/answers.ts';
import { count, oneOf, score } from '../../http/fields.ts';
import type { Site } from '../../storage/sites/sites.ts';
import { DayBuckets, EXAMPLE_BUCKETS, EXAMPLE_COUNTS, severityCounts } from './event-counts.ts';

/** A site with its state and score at one moment. */
export type JudgedSite = Site & SiteStanding;

export const SiteStatusName = oneOf(
  SITE_STATUSES,
  '`active`: last telemetry within an hour or three heartbeat intervals, whichever is longer. `stale`: within a day or twelve intervals. `silent`: longer ago',
  'SiteStatus',
);

export const SiteUrl = t.String({ description: '`https://` and the domain of the site' });
export const AlertsOpen = count(
  'open alerts, one per subject; each stays open until an event resolves it or for seven days',
);
export const SecurityScore = score('security score, 100 is best; GET /sites/{siteId} lists its factors');
export const PluginVersion = nullable(
  t.String({ description: 'plugin version from the last heartbeat; null if none was sent' }),
);
export const MoreAlerts = t.Boolean({
  description: `whether more alerts were open within the last seven days; only the newest ${ALERTS_MAX} are stored`,
});

const siteFields = {
  id: t.String({ description: 'opaque site ID' }),
  url: SiteUrl,
  status: SiteStatusName,
  alerts_open: AlertsOpen,
  security_score: SecurityScore,
  last_seen_at: timestamp('time of the last telemetry'),
  plugin_version: PluginVersion,
};

export const AlertSubject = t.String({
  description: 'event type without its outcome suffix, first 52 characters',
});
export const AlertSeverity = t.Union([t.Literal('high'), t.Literal('critical')], {
  description: 'highest severity of its events since it opened',
});
export const SiteFactorName = oneOf(
  SITE_FACTOR_IDS,
  'factor: open alerts; status; known vulnerabilities of the reported components; all alerts of the last 30 days; plugin version compared with the newest known',
);

/** Converts the factors of a score to those of {@link SiteDetails}. */
export const scoreFactors = ({ factors }: SiteScore) =>
  factors.map(({ id, pointsMax, ...factor }) => ({ factor: id, points_max: pointsMax, ...factor }));

const EXAMPLE_SCORE = scoreSite({
  status: 'active',
  openAlerts: { critical: 0, high: 1 },
  incidents: { critical: 0, high: 1 },
  pluginVersion: '2.4.1',
  newestPluginVersion: '2.4.1',
  vulnerabilities: { act: 0, attend: 1, other: 2 },
});
export const EXAMPLE_SITE = {
  id: '68c5a220221e2db6a03a51c2',
  url: 'https://shop.example',
  status: 'active',
  alerts_open: 1,
  security_score: EXAMPLE_SCORE.score,
  last_seen_at: '2026-11-22T09:30:00.000Z',
  plugin_version: '2.4.1',
};

export const SitesPage = typed('SiteList', {
  sites: t.Array(typed('Site', siteFields), { description: 'sites of this page' }),
  next_cursor: nullable(t.String({ description: 'cursor of the next page; null on the last page' })),
});
export const SiteList = show(
  SitesPage,
  { sites: [EXAMPLE_SITE], next_cursor: null },
  'Returns a page of sites.',
);

export const Details = typed('SiteDetails', {
  ...siteFields,
  site_uuid: nullable(t.String({ description: 'site ID assigned by the plugin' })),
  first_seen_at: timestamp('time of the first telemetry'),
  last_event_at: nullable(
    timestamp('time of the newest event, including deleted ones; null if there was none'),
  ),
  events: closed({ total: count('events of any severity'), ...severityCounts }, 'Stored events.'),
  severity_buckets: DayBuckets,
  alerts: t.Array(
    typed('Alert', {
      subject: AlertSubject,
      severity: AlertSeverity,
      last_occurred_at: timestamp('time of its newest event'),
    }),
    { description: 'open alerts' },
  ),
  more_alerts: MoreAlerts,
  score_factors: t.Array(
    typed('ScoreFactor', {
      factor: SiteFactorName,
      points: score('points scored'),
      points_max: score('maximum points'),
      finding: t.String({ description: 'finding' }),
      remedy: nullable(t.String({ description: 'recommended action; null if the factor has all points' })),
      source: t.String({ description: 'reference for the practice' }),
    }),
    {
      description:
        'factors of the score. Their points add up to `security_score` unless an open vulnerability limits it to 49 or 69, as its finding states; their `points_max` add up to 100',
    },
  ),
  posture_scores: t.Array(
    typed('PostureScore', {
      signal: t.String({ description: 'assessed signal' }),
      score: score('score; see `meaning`'),
      meaning: t.Union([t.Literal('risk'), t.Literal('safety')], {
        description: 'scale of the score. `risk`: 0 is best; `safety`: 100 is best',
      }),
      updated_at: timestamp('time of the signal'),
    }),
    { description: "scores of signals with this site's `id` as siteIdHash, otherwise scores of the license" },
  ),
  vulnerabilities: nullable(
    typed('SiteVulnerabilityCounts', {
      inventory_at: timestamp('time of the component list'),
      findings: count(
        'known vulnerabilities in the components, without those that suppliers call not affected',
      ),
      overdue: count('overdue findings'),
      highest_risk: score('highest risk of these findings; 0 if there are none'),
    }),
    'summary of GET /sites/{siteId}/vulnerabilities; null if no components were reported or no vulnerability data is imported',
  ),
  stats: nullable(t.Object({}, { description: 'plugin statistics from the last heartbeat' })),
});
const DETAILS_EXAMPLE = {
  ...EXAMPLE_SITE,
  site_uuid: 'c0ffee00-1111-4222-8333-444455556666',
  first_seen_at: '2026-11-01T08:00:00.000Z',
  last_event_at: EXAMPLE_SITE.last_seen_at,
  events: { total: 1, ...EXAMPLE_COUNTS },
  severity_buckets: EXAMPLE_BUCKETS,
  alerts: [{ subject: 'attack', severity: 'high', last_occurred_at: EXAMPLE_SITE.last_seen_at }],
  more_alerts: false,
  score_factors: scoreFactors(EXAMPLE_SCORE),
  posture_scores: [
    { signal: 'keyhygiene', score: 59, meaning: 'risk', updated_at: '2026-11-20T08:30:00.000Z' },
  ],
  vulnerabilities: { inventory_at: '2026-11-22T09:30:00.000Z', findings: 3, overdue: 0, highest_risk: 71 },
  stats: { requests: 1_832, blocked: 14, firewall: true },
};
export const SiteDetails = show(
  Details,
  DETAILS_EXAMPLE,
  'Returns the site with its score, alerts and event counts.',
);
