import { type Static, type TSchema, Type as t } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { sumCounts, totalOf } from '../../domain/event/rollups.ts';
import { siteUrl } from '../../domain/site/site.ts';
import { closed, nullable, timestamp, typed } from '../../http/contract/answers.ts';
import { count, score } from '../../http/fields.ts';
import { iso, isoOrNull } from '../../lib/clock.ts';
import { madeOnce } from '../../lib/made-once.ts';
import { DayBuckets, EXAMPLE_COUNTS, severityCounts } from './event-counts.ts';
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

const siteId = t.String({ description: 'opaque site ID, as in GET /sites' });
const events = count('stored events');
const eventsBySeverity = closed(severityCounts, 'stored events by severity', 'SeverityCounts');
const analyses = count('analyses with this verdict');

export const Snapshot = typed('AnalyticsSnapshot', {
  generatedAt: timestamp('time of the snapshot'),
  crossTenantDataServed: t.Literal(false, { description: 'always false' }),
  counters: closed(
    {
      sites: count('sites that have sent telemetry'),
      sitesActive: count('sites with the status `active`'),
      sitesStale: count('sites with the status `stale`'),
      sitesSilent: count('sites with the status `silent`'),
      alertsOpen: count('open alerts of all sites'),
      events,
      eventsBySeverity,
    },
    'totals for all sites',
    'AnalyticsCounters',
  ),
  sites: t.Optional(
    t.Array(
      typed('AnalyticsSite', {
        siteId,
        url: SiteUrl,
        status: SiteStatusName,
        alertsOpen: AlertsOpen,
        securityScore: SecurityScore,
        lastSeenAt: timestamp('time of the last telemetry'),
        pluginVersion: PluginVersion,
      }),
      { description: 'site summaries' },
    ),
  ),
  siteDetails: t.Optional(
    t.Array(
      typed('AnalyticsSiteDetails', {
        siteId,
        firstSeenAt: timestamp('time of the first telemetry'),
        lastEventAt: nullable(
          timestamp('time of the newest event, including deleted ones; null if there was none'),
        ),
        events,
        eventsBySeverity,
        openAlerts: t.Array(
          typed('AnalyticsAlert', {
            subject: AlertSubject,
            severity: AlertSeverity,
            lastOccurredAt: timestamp('time of its newest event'),
          }),
          { description: 'open alerts, as in `alerts` of GET /sites/{siteId}' },
        ),
        moreAlerts: MoreAlerts,
      }),
      { description: 'site details' },
    ),
  ),
  severityBuckets: t.Optional(DayBuckets),
  securityScores: t.Optional(
    t.Array(
      typed('AnalyticsScore', {
        siteId,
        score: SecurityScore,
        factors: t.Array(
          typed('AnalyticsScoreFactor', {
            factor: SiteFactorName,
            points: score('points scored'),
            pointsMax: score('maximum points'),
          }),
          {
            description:
              'factors of the score; their points add up to it. GET /sites/{siteId} lists remedies',
          },
        ),
      }),
      { description: 'scores of the sites by factor' },
    ),
  ),
  aiVerdicts: t.Optional(
    closed({ malicious: analyses, suspicious: analyses, clean: analyses }, 'verdicts of POST /brain/analyze'),
  ),
});

/** An example with one section. */
export const EXAMPLE: Static<typeof Snapshot> = {
  generatedAt: '2026-11-22T09:30:00.000Z',
  crossTenantDataServed: false,
  counters: {
    sites: 1,
    sitesActive: 1,
    sitesStale: 0,
    sitesSilent: 0,
    alertsOpen: 1,
    events: 1,
    eventsBySeverity: EXAMPLE_COUNTS,
  },
  aiVerdicts: { malicious: 1, suspicious: 0, clean: 6 },
};

export const SITE_SECTION_NAMES = ['sites', 'siteDetails', 'securityScores'] as const;
/** A section with one entry per site. */
export type SiteSection = (typeof SITE_SECTION_NAMES)[number];

const entryOf: Readonly<Record<SiteSection, (site: JudgedSite) => object>> = {
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

const compiled = madeOnce((schema: TSchema) => TypeCompiler.Compile(schema));

/** Serializes the entries of some sites as JSON, without the brackets of the list. */
export function sectionText(name: SiteSection, sites: readonly JudgedSite[]): string {
  const entries = sites.map(entryOf[name]);
  if (!compiled(Snapshot.properties[name]).Check(entries)) throw new Error('a section is not of its schema');
  return JSON.stringify(entries).slice(1, -1);
}

/** Combines the parts of a snapshot, and the serialized sections, which `sectionText` has checked, into the answer. */
export function snapshotText(
  parts: Static<typeof Snapshot>,
  sections: ReadonlyMap<SiteSection, readonly string[]>,
): string {
  if (!compiled(Snapshot).Check(parts)) throw new Error('a snapshot is not of its schema');
  const lists = [...sections].map(([name, pieces]) => `,"${name}":[${pieces.join(',')}]`);
  return `{"success":true,"data":${JSON.stringify(parts).slice(0, -1)}${lists.join('')}}}`;
}

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
