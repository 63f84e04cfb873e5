import { t } from 'elysia';
import { ALERTS_MAX } from '../domain/alerts.ts';
import type { SiteStanding } from '../domain/site.ts';
import { SITE_FACTOR_IDS } from '../domain/site-score/factors.ts';
import { SITE_STATUSES } from '../domain/site-status.ts';
import { closed, nullable, timestamp } from '../http/answers.ts';
import { oneOf } from '../http/fields.ts';
import type { Site } from '../storage/sites.ts';
import { count, DayBuckets, score, severityCounts } from './event-counts.ts';

/** A site with its standing at one moment. */
export type JudgedSite = Site & SiteStanding;

export const SiteStatusName = oneOf(
  SITE_STATUSES,
  'last heard of within an hour or, if that is longer, three heartbeat intervals; within a day or twelve; or longer ago',
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
  'alerts that are open; status; alerts of the last 30 days, open or not; how the version compares with the newest known',
);

export const SiteList = closed({
  sites: t.Array(closed(siteFields), { description: 'one page' }),
  next_cursor: nullable(t.String({ description: 'null on the last page' })),
});

export const SiteDetails = closed({
  ...siteFields,
  site_uuid: nullable(t.String({ description: 'as the plugin calls it' })),
  first_seen_at: timestamp('when telemetry first arrived'),
  last_event_at: nullable(timestamp('when its newest event ever occurred')),
  events: closed({ total: count('events of any severity'), ...severityCounts }, 'Events that are kept.'),
  severity_buckets: DayBuckets,
  alerts: t.Array(
    closed({
      subject: AlertSubject,
      severity: AlertSeverity,
      last_occurred_at: timestamp('of its newest event'),
    }),
    { description: 'those that are open' },
  ),
  more_alerts: MoreAlerts,
  score_factors: t.Array(
    closed({
      factor: SiteFactorName,
      points: score('that the site has'),
      points_max: score('that it could have'),
      finding: t.String({ description: 'what was found' }),
      remedy: nullable(t.String({ description: 'what would raise it; null when it has all points' })),
      source: t.String({ description: 'where the practice is laid down' }),
    }),
    { description: 'their points add up to `security_score`, their `points_max` to 100' },
  ),
  posture_scores: t.Array(
    closed({
      signal: t.String({ description: 'what was assessed' }),
      score: score('see `meaning`'),
      meaning: t.Union([t.Literal('risk'), t.Literal('safety')], {
        description: '`risk`: 0 is best; `safety`: 100 is best',
      }),
      updated_at: timestamp('when the signal arrived'),
    }),
    { description: "of signals whose siteIdHash is this site's `id`, else of those for the whole license" },
  ),
  stats: nullable(t.Object({}, { description: 'as the last heartbeat told' })),
});
