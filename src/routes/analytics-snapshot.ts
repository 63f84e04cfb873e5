import { t } from 'elysia';
import { sumCounts, totalOf } from '../domain/rollups.ts';
import { siteUrl } from '../domain/site.ts';
import { SITE_FACTOR_IDS } from '../domain/site-score/factors.ts';
import { closed, nullable, timestamp } from '../http/answers.ts';
import { oneOf } from '../http/fields.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import { Count, DayBuckets, Score, severityCounts } from './event-counts.ts';
import { type JudgedSite, SiteStatusName } from './site-fields.ts';

const siteId = t.String({ description: 'opaque; as in GET /sites' });

export const Snapshot = closed({
  generatedAt: timestamp('the moment that the numbers are of'),
  crossTenantDataServed: t.Literal(false),
  counters: closed(
    {
      sites: Count,
      sitesActive: Count,
      sitesStale: Count,
      sitesSilent: Count,
      alertsOpen: Count,
      events: Count,
      eventsBySeverity: closed(severityCounts),
    },
    'Of all sites; events that are kept.',
  ),
  sites: t.Optional(
    t.Array(
      closed({
        siteId,
        url: t.String(),
        status: SiteStatusName,
        alertsOpen: Count,
        securityScore: Score,
        lastSeenAt: timestamp('when telemetry last arrived'),
        pluginVersion: nullable(t.String()),
      }),
    ),
  ),
  siteDetails: t.Optional(
    t.Array(
      closed({
        siteId,
        firstSeenAt: timestamp('when telemetry first arrived'),
        lastEventAt: nullable(timestamp('when its newest event ever occurred')),
        events: Count,
        eventsBySeverity: closed(severityCounts),
        openAlerts: t.Array(
          closed({
            subject: t.String(),
            severity: t.Union([t.Literal('high'), t.Literal('critical')]),
            lastOccurredAt: timestamp('of its newest event'),
          }),
        ),
      }),
    ),
  ),
  severityBuckets: t.Optional(DayBuckets),
  securityScores: t.Optional(
    t.Array(
      closed({
        siteId,
        score: Score,
        factors: t.Array(
          closed({
            factor: oneOf(SITE_FACTOR_IDS),
            points: Score,
            pointsMax: Score,
          }),
          { description: 'their points add up to the score; GET /sites/{siteId} says what would raise them' },
        ),
      }),
    ),
  ),
  aiVerdicts: t.Optional(
    closed({ malicious: Count, suspicious: Count, clean: Count }, 'How the analyses came out.'),
  ),
});

/** The sections that have one entry for each site. */
export const SITE_SECTIONS = {
  sites: (site: JudgedSite) => ({
    siteId: site.publicId,
    url: siteUrl(site.domain),
    status: site.status,
    alertsOpen: site.openAlerts.length,
    securityScore: site.score.score,
    lastSeenAt: iso(site.lastSeenAt),
    pluginVersion: site.pluginVersion,
  }),
  siteDetails: (site: JudgedSite) => ({
    siteId: site.publicId,
    firstSeenAt: iso(site.firstSeenAt),
    lastEventAt: isoOrNull(site.lastEventAt),
    events: totalOf(site.events),
    eventsBySeverity: site.events,
    openAlerts: site.openAlerts.map((alert) => ({ ...alert, lastOccurredAt: iso(alert.lastOccurredAt) })),
  }),
  securityScores: (site: JudgedSite) => ({
    siteId: site.publicId,
    score: site.score.score,
    factors: site.score.factors.map(({ id, points, pointsMax }) => ({ factor: id, points, pointsMax })),
  }),
};

export const countersOf = (sites: readonly JudgedSite[]) => {
  const eventsBySeverity = sumCounts(sites.map(({ events }) => events));
  const withStatus = (status: string) => sites.filter((site) => site.status === status).length;
  return {
    sites: sites.length,
    sitesActive: withStatus('active'),
    sitesStale: withStatus('stale'),
    sitesSilent: withStatus('silent'),
    alertsOpen: sites.reduce((sum, { openAlerts }) => sum + openAlerts.length, 0),
    events: totalOf(eventsBySeverity),
    eventsBySeverity,
  };
};
