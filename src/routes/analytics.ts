import { Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import {
  ANALYTICS_SECTIONS,
  type AnalyticsSection,
  SECTIONS_MAX,
  sectionsAsked,
} from '../domain/analytics.ts';
import { isRefusal, refuse } from '../domain/refusal.ts';
import { BUCKET_DAYS, dailyBuckets, dayName, firstBucketDay, sumCounts, totalOf } from '../domain/rollups.ts';
import { judgeSites, type SiteStanding, siteUrl } from '../domain/site.ts';
import { SITE_FACTOR_IDS } from '../domain/site-score/factors.ts';
import { lastSeenOf, SITE_STATUSES } from '../domain/site-status.ts';
import { answers, BEARER_CODES, BODY_CODES, closed, nullable, success, timestamp } from '../http/answers.ts';
import { readJson } from '../http/body.ts';
import { type HookContext, KIB } from '../http/context.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract.ts';
import type { Parts } from '../parts.ts';
import type { Site } from '../storage/sites.ts';
import { iso, isoOrNull } from './timestamps.ts';

const Count = Type.Integer({ minimum: 0 });
const Score = Type.Integer({ minimum: 0, maximum: 100 });
const severityCounts = { info: Count, low: Count, medium: Count, high: Count, critical: Count };
const siteId = t.String({ description: 'opaque; as in GET /sites' });

const AnalyticsQuery: object = t.Object(
  {
    sections: t.Optional(
      t.Array(t.Union(ANALYTICS_SECTIONS.map((section) => t.Literal(section))), { maxItems: SECTIONS_MAX }),
    ),
  },
  { additionalProperties: false },
);
const EXAMPLES = {
  full: { summary: 'The full snapshot', value: {} },
  chosen: { summary: 'Two sections', value: { sections: ['severityBuckets', 'securityScores'] } },
  counters: { summary: 'Only the counters', value: { sections: [] } },
};

const Snapshot = closed({
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
        status: t.Union(SITE_STATUSES.map((status) => t.Literal(status))),
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
  severityBuckets: t.Optional(
    t.Array(closed({ date: t.String({ format: 'date' }), ...severityCounts }), {
      minItems: BUCKET_DAYS,
      maxItems: BUCKET_DAYS,
      description: 'the last 30 UTC days, oldest first, by the moment at which the events occurred',
    }),
  ),
  securityScores: t.Optional(
    t.Array(
      closed({
        siteId,
        score: Score,
        factors: t.Array(
          closed({
            factor: t.Union(SITE_FACTOR_IDS.map((id) => t.Literal(id))),
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

type JudgedSite = Site & SiteStanding;

const SITES_MAX = 2_000;

/** The parts of a snapshot that are made from the sites, which have all been read already. */
const SITE_SECTIONS = {
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

const countersOf = (sites: readonly JudgedSite[]) => {
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

/** A hook that refuses a query string: everything that this route can be asked stands in the body. */
const refuseQuery = ({ request }: HookContext): void => {
  if (request.url.includes('?')) {
    throw refuse('ANALYTICS_INVALID_QUERY', 'This route takes no query string.');
  }
};

export const analytics = ({ authenticate, tenantData, clock }: Parts) => {
  const judgedSites = (licenseId: number, nowMs: number): JudgedSite[] => {
    const lastSeen = lastSeenOf(undefined, nowMs);
    const sites = tenantData.sites.list({ licenseId, afterId: 0, lastSeen, limit: SITES_MAX });
    const alerts = tenantData.alerts.between(licenseId, 0, Number.MAX_SAFE_INTEGER);
    return judgeSites(sites, alerts, tenantData.sites.pluginVersions(licenseId), nowMs);
  };
  const buckets = (licenseId: number, nowMs: number) =>
    dailyBuckets(tenantData.rollups.ofLicense(licenseId, firstBucketDay(nowMs)), nowMs).map(
      ({ day, ...counts }) => ({ date: dayName(day), ...counts }),
    );

  const snapshot = (licenseId: number, asked: ReadonlySet<AnalyticsSection>) => {
    const nowMs = clock.now();
    const sites = judgedSites(licenseId, nowMs);
    return {
      generatedAt: iso(nowMs),
      crossTenantDataServed: false as const,
      counters: countersOf(sites),
      ...(asked.has('sites') ? { sites: sites.map(SITE_SECTIONS.sites) } : {}),
      ...(asked.has('siteDetails') ? { siteDetails: sites.map(SITE_SECTIONS.siteDetails) } : {}),
      ...(asked.has('severityBuckets') ? { severityBuckets: buckets(licenseId, nowMs) } : {}),
      ...(asked.has('securityScores') ? { securityScores: sites.map(SITE_SECTIONS.securityScores) } : {}),
      ...(asked.has('aiVerdicts') ? { aiVerdicts: tenantData.verdictTally(licenseId) } : {}),
    };
  };

  return new Elysia()
    .derive(authenticate)
    .onTransform(refuseQuery)
    .onTransform(
      readJson({ capBytes: 8 * KIB, refusedAs: 'ANALYTICS_INVALID_PAYLOAD', whenEmpty: () => ({}) }),
    )
    .post(
      '/analytics/metrics',
      ({ caller, body }) => {
        const asked = sectionsAsked(body);
        if (isRefusal(asked)) throw asked;
        return success(tenantData.atOnce(() => snapshot(caller.license.id, asked)));
      },
      {
        response: answers(
          Snapshot,
          ...BEARER_CODES,
          ...BODY_CODES.filter((code) => code !== 'INVALID_PAYLOAD'),
          'ANALYTICS_INVALID_PAYLOAD',
          'ANALYTICS_UNKNOWN_FIELD',
          'ANALYTICS_INVALID_QUERY',
          'ANALYTICS_UNKNOWN_SECTION',
          'ANALYTICS_QUERY_TOO_LARGE',
        ),
        detail: {
          summary: "The tenant's analytics",
          description:
            'The tenant is the license of the key; a body cannot name another. Without sections, or without a body, ' +
            'the full snapshot; with `sections: []` only the counters. All numbers are of the events that are kept, ' +
            'by the UTC day on which they occurred.',
          requestBody: {
            required: false,
            content: { 'application/json': { schema: AnalyticsQuery, examples: EXAMPLES } },
          },
          tags: [TAGS.tenant],
          security: BEARER_SECURITY,
        },
      },
    );
};
