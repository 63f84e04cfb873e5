import { Type } from '@sinclair/typebox';
import { t } from 'elysia';
import type { SiteStanding } from '../domain/site.ts';
import { SITE_FACTOR_IDS } from '../domain/site-score/factors.ts';
import { SITE_STATUSES } from '../domain/site-status.ts';
import { closed, nullable, timestamp } from '../http/answers.ts';
import { oneOf } from '../http/fields.ts';
import type { Site } from '../storage/sites.ts';
import { Count, DayBuckets, Score, SeverityName, severityCounts } from './event-counts.ts';

/** A site with its standing at one moment. */
export type JudgedSite = Site & SiteStanding;

export const SiteStatusName = oneOf(
  SITE_STATUSES,
  'last heard of within an hour, within a day, or longer ago',
);

const siteFields = {
  id: t.String({ description: 'opaque' }),
  url: t.String(),
  status: SiteStatusName,
  alerts_open: Type.Integer({
    minimum: 0,
    description: 'one for each subject; open until an event resolves it or seven days have passed',
  }),
  security_score: Score,
  last_seen_at: timestamp('when telemetry last arrived'),
  plugin_version: nullable(t.String()),
};

export const SiteList = closed({
  sites: t.Array(closed(siteFields)),
  next_cursor: nullable(t.String({ description: 'null on the last page' })),
});

export const SiteDetails = closed({
  ...siteFields,
  site_uuid: nullable(t.String({ description: 'as the plugin calls it' })),
  first_seen_at: timestamp('when telemetry first arrived'),
  last_event_at: nullable(timestamp('when its newest event ever occurred')),
  events: closed({ total: Count, ...severityCounts }, 'Events that are kept.'),
  severity_buckets: DayBuckets,
  alerts: t.Array(
    closed({
      subject: t.String({ description: 'the events’ type without what became of it' }),
      severity: SeverityName,
      last_occurred_at: timestamp('of its newest event'),
    }),
  ),
  score_factors: t.Array(
    closed({
      factor: oneOf(SITE_FACTOR_IDS),
      points: Score,
      points_max: Score,
      finding: t.String(),
      remedy: nullable(t.String({ description: 'what would raise it' })),
      source: t.String({ description: 'where the practice is laid down' }),
    }),
    { description: 'their points add up to `security_score`, their `points_max` to 100' },
  ),
  posture_scores: t.Array(
    closed({
      signal: t.String(),
      score: Score,
      meaning: t.Union([t.Literal('risk'), t.Literal('safety')], {
        description: '`risk`: 0 is best; `safety`: 100 is best',
      }),
      updated_at: timestamp('when the signal arrived'),
    }),
    { description: "of signals whose siteIdHash is this site's `id`, else of those for the whole license" },
  ),
  stats: nullable(t.Object({}, { description: 'as the last heartbeat told' })),
});
