import { t } from 'elysia';
import { ALERTS_MAX } from '../../domain/site/alerts.ts';
import { SITE_FACTOR_IDS } from '../../domain/site/score-factors.ts';
import type { SiteStanding } from '../../domain/site/site.ts';
import { type SiteScore, scoreSite } from '../../domain/site/site-score.ts';
import { SITE_STATUSES } from '../../domain/site/site-status.ts';
import { closed, nullable, show, timestamp, typed } from '../../http/contract/answers.ts';
import { oneOf } from '../../http/fields.ts';
import type { Site } from '../../storage/sites/sites.ts';
import { count, DayBuckets, EXAMPLE_BUCKETS, EXAMPLE_COUNTS, score, severityCounts } from './event-counts.ts';

/** A site with its standing at one moment. */
export type JudgedSite = Site & SiteStanding;

export const SiteStatusName = oneOf(
  SITE_STATUSES,
  'last heard of within an hour or, if that is longer, three heartbeat intervals; within a day or twelve; or longer ago',
  'SiteStatus',
);

export const SiteUrl = t.String({ description: 'https:// and its domain' });
export const AlertsOpen = count(
  'one for each subject; open until an event resolves it or seven days have passed',
);
export const SecurityScore = score('100 is best; GET /sites/{siteId} explains it');
export const PluginVersion = nullable(
  t.String({ description: 'as the last heartbeat told; null = none did' }),
);
export const MoreAlerts = t.Boolean({
  description: `whether others were open within the last seven days: beyond ${ALERTS_MAX}, the oldest make room`,
});

const siteFields = {
  id: t.String({ description: 'opaque' }),
  url: SiteUrl,
  status: SiteStatusName,
  alerts_open: AlertsOpen,
  security_score: SecurityScore,
  last_seen_at: timestamp('when telemetry last arrived'),
  plugin_version: PluginVersion,
};

export const AlertSubject = t.String({
  description: 'the events’ type without what became of it; its first 52 characters',
});
export const AlertSeverity = t.Union([t.Literal('high'), t.Literal('critical')], {
  description: 'of its worst event since it opened',
});
export const SiteFactorName = oneOf(
  SITE_FACTOR_IDS,
  'alerts that are open; status; known vulnerabilities of the reported components; alerts of the last 30 days, open or not; how the ' +
    'version compares with the newest known',
);

/** A score's factors, as {@link SiteDetails}. */
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
  sites: t.Array(typed('Site', siteFields), { description: 'one page' }),
  next_cursor: nullable(t.String({ description: 'null on the last page' })),
});
export const SiteList = show(
  SitesPage,
  { sites: [EXAMPLE_SITE], next_cursor: null },
  'One page of sites, and the way to the next.',
);

export const Details = typed('SiteDetails', {
  ...siteFields,
  site_uuid: nullable(t.String({ description: 'as the plugin calls it' })),
  first_seen_at: timestamp('when telemetry first arrived'),
  last_event_at: nullable(timestamp('when its newest event ever occurred')),
  events: closed({ total: count('events of any severity'), ...severityCounts }, 'Events that are kept.'),
  severity_buckets: DayBuckets,
  alerts: t.Array(
    typed('Alert', {
      subject: AlertSubject,
      severity: AlertSeverity,
      last_occurred_at: timestamp('of its newest event'),
    }),
    { description: 'those that are open' },
  ),
  more_alerts: MoreAlerts,
  score_factors: t.Array(
    typed('ScoreFactor', {
      factor: SiteFactorName,
      points: score('that the site has'),
      points_max: score('that it could have'),
      finding: t.String({ description: 'what was found' }),
      remedy: nullable(t.String({ description: 'what would raise it; null when it has all points' })),
      source: t.String({ description: 'where the practice is laid down' }),
    }),
    {
      description:
        'their points add up to `security_score`, unless an open vulnerability limits it to 49 or 69, which its finding says; their `points_max` ' +
        'add up to 100',
    },
  ),
  posture_scores: t.Array(
    typed('PostureScore', {
      signal: t.String({ description: 'what was assessed' }),
      score: score('see `meaning`'),
      meaning: t.Union([t.Literal('risk'), t.Literal('safety')], {
        description: '`risk`: 0 is best; `safety`: 100 is best',
      }),
      updated_at: timestamp('when the signal arrived'),
    }),
    { description: "of signals whose siteIdHash is this site's `id`, else of those for the whole license" },
  ),
  vulnerabilities: nullable(
    typed('SiteVulnerabilityCounts', {
      inventory_at: timestamp('when the site told of its components'),
      findings: count('in them'),
      overdue: count('that were not mended in time'),
      highest_risk: score('of any of them; 0 without one'),
    }),
    'what GET /sites/{siteId}/vulnerabilities tells, in numbers; null when the site told of no components, or nothing was imported',
  ),
  stats: nullable(t.Object({}, { description: 'as the last heartbeat told' })),
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
export const SiteDetails = show(Details, DETAILS_EXAMPLE, 'All that is known of the site.');
