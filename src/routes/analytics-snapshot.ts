import { t } from 'elysia';
import { sumCounts, totalOf } from '../domain/rollups.ts';
import { siteUrl } from '../domain/site.ts';
import { closed, nullable, timestamp } from '../http/answers.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import { count, DayBuckets, score, severityCounts } from './event-counts.ts';
import {
  AlertSeverity,
  AlertSubject,
  AlertsOpen,
  type JudgedSite,
  MoreAlerts,
  PluginVersion,
  SecurityScore,
  SiteFactorName,
  SiteStatusName,
  SiteUrl,
} from './site-fields.ts';

const siteId = t.String({ description: 'opaque; as in GET /sites' });
const events = count('that are kept');
const eventsBySeverity = closed(severityCounts, 'the same by severity');
const analyses = count('analyses that came out so');

export const Snapshot = closed({
  generatedAt: timestamp('the moment that the numbers are of'),
  crossTenantDataServed: t.Literal(false, { description: 'never' }),
  counters: closed(
    {
      sites: count('sites that ever sent telemetry'),
      sitesActive: count('of them heard of within an hour'),
      sitesStale: count('of them heard of within a day'),
      sitesSilent: count('of them not heard of for longer'),
      alertsOpen: count('of all sites'),
      events,
      eventsBySeverity,
    },
    'of all sites together',
  ),
  sites: t.Optional(
    t.Array(
      closed({
        siteId,
        url: SiteUrl,
        status: SiteStatusName,
        alertsOpen: AlertsOpen,
        securityScore: SecurityScore,
        lastSeenAt: timestamp('when telemetry last arrived'),
        pluginVersion: PluginVersion,
      }),
      { description: 'each site in short' },
    ),
  ),
  siteDetails: t.Optional(
    t.Array(
      closed({
        siteId,
        firstSeenAt: timestamp('when telemetry first arrived'),
        lastEventAt: nullable(timestamp('when its newest event ever occurred')),
        events,
        eventsBySeverity,
        openAlerts: t.Array(
          closed({
            subject: AlertSubject,
            severity: AlertSeverity,
            lastOccurredAt: timestamp('of its newest event'),
          }),
          { description: 'as `alerts` in GET /sites/{siteId}' },
        ),
        moreAlerts: MoreAlerts,
      }),
      { description: 'each site in full' },
    ),
  ),
  severityBuckets: t.Optional(DayBuckets),
  securityScores: t.Optional(
    t.Array(
      closed({
        siteId,
        score: SecurityScore,
        factors: t.Array(
          closed({
            factor: SiteFactorName,
            points: score('that the site has'),
            pointsMax: score('that it could have'),
          }),
          { description: 'their points add up to the score; GET /sites/{siteId} says what would raise them' },
        ),
      }),
      { description: 'each site’s score, factor by factor' },
    ),
  ),
  aiVerdicts: t.Optional(
    closed({ malicious: analyses, suspicious: analyses, clean: analyses }, 'of POST /brain/analyze'),
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
    moreAlerts: site.moreAlerts,
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
