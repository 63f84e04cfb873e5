import { Elysia, t } from 'elysia';
import {
  ANALYTICS_SECTIONS,
  type AnalyticsSection,
  SECTIONS_MAX,
  sectionsAsked,
} from '../domain/analytics.ts';
import { isRefusal, refuse } from '../domain/refusal.ts';
import { firstBucketDay } from '../domain/rollups.ts';
import { judgeSites } from '../domain/site.ts';
import { answers, BEARER_CODES, bodyCodes, success } from '../http/answers.ts';
import { readJson } from '../http/body.ts';
import { type HookContext, KIB } from '../http/context.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract.ts';
import { oneOf } from '../http/fields.ts';
import { iso } from '../lib/clock.ts';
import type { Parts } from '../parts.ts';
import { countersOf, SITE_SECTIONS, Snapshot } from './analytics-snapshot.ts';
import { dayBuckets } from './event-counts.ts';
import type { JudgedSite } from './site-fields.ts';

const AnalyticsQuery: object = t.Object(
  {
    sections: t.Optional(
      t.Array(oneOf(ANALYTICS_SECTIONS), {
        maxItems: SECTIONS_MAX,
        description: 'parts of the snapshot that are wanted; the counters always come',
      }),
    ),
  },
  { additionalProperties: false },
);
const EXAMPLES = {
  full: { summary: 'The full snapshot', value: {} },
  chosen: { summary: 'Two sections', value: { sections: ['severityBuckets', 'securityScores'] } },
  counters: { summary: 'Only the counters', value: { sections: [] } },
};

/** A hook that refuses a query string: everything that this route can be asked stands in the body. */
const refuseQuery = ({ request }: HookContext): void => {
  if (request.url.includes('?')) {
    throw refuse('ANALYTICS_INVALID_QUERY', 'This route takes no query string.');
  }
};

export const analytics = ({ authenticate, tenantData, clock }: Parts) => {
  const judgedSites = (licenseId: number, nowMs: number): JudgedSite[] => {
    const sites = tenantData.sites.all(licenseId);
    const alerts = tenantData.alerts.between(licenseId, 0, Number.MAX_SAFE_INTEGER);
    return judgeSites(sites, alerts, tenantData.sites.pluginVersions(licenseId), nowMs);
  };
  const buckets = (licenseId: number, nowMs: number) =>
    dayBuckets(tenantData.rollups.ofLicense(licenseId, firstBucketDay(nowMs)), nowMs);

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
          ...bodyCodes('ANALYTICS_INVALID_PAYLOAD'),
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
