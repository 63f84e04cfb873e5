import { type TSchema, Type as t } from '@sinclair/typebox';
import {
  ANALYTICS_SECTIONS,
  type AnalyticsSection,
  SECTIONS_MAX,
  sectionsAsked,
} from '../domain/event/analytics.ts';
import { firstBucketDay } from '../domain/event/rollups.ts';
import { notRefused, refuse } from '../domain/refusal.ts';
import { judgeInTurns } from '../domain/site/site.ts';
import { complete, type HookContext, KIB } from '../http/context.ts';
import { show } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { oneOf } from '../http/fields.ts';
import { bearerRoute, created, uncheckedBody } from '../http/route/index.ts';
import { iso } from '../lib/clock.ts';
import { TurnsByKey } from '../lib/turns.ts';
import { siteExpectations } from '../storage/sites/site-expectations.ts';
import type { TenantReads } from '../storage/tenant-data.ts';
import {
  countersOf,
  EXAMPLE,
  SITE_SECTION_NAMES,
  type SiteSection,
  Snapshot,
  sectionText,
  snapshotText,
} from './fields/analytics-snapshot.ts';
import { dayBuckets } from './fields/event-counts.ts';
import type { JudgedSite } from './fields/site-fields.ts';
import type { Parts } from './parts.ts';

const AnalyticsQuery: TSchema = t.Object(
  {
    sections: t.Optional(
      t.Array(oneOf(ANALYTICS_SECTIONS), {
        maxItems: SECTIONS_MAX,
        description: 'sections to include; counters are always included',
      }),
    ),
  },
  { title: 'AnalyticsRequest', additionalProperties: false },
);

const EXAMPLES = {
  full: { summary: 'Full snapshot', value: {} },
  chosen: { summary: 'Two sections', value: { sections: ['severityBuckets', 'securityScores'] } },
  counters: { summary: 'Counters only', value: { sections: [] } },
};

/** Refuses a query string: all parameters of this route are in the body. */
const refuseQuery = ({ request }: HookContext): void => {
  if (request.url.includes('?')) {
    throw refuse('ANALYTICS_INVALID_QUERY', 'This route has no query parameters.');
  }
};

export const analytics = bearerRoute({
  at: 'POST /analytics/metrics',
  before: () => refuseQuery,
  body: uncheckedBody({
    capBytes: 8 * KIB,
    named: AnalyticsQuery,
    refusedAs: 'ANALYTICS_INVALID_PAYLOAD',
    whenEmpty: () => ({}),
  }),
  operationId: 'getAnalytics',
  summary: 'Get analytics',
  description:
    'Analytics of the license of the key; no other can be named. Without sections or without a body, returns the full snapshot; with `sections: []`, only the counters. Numbers cover stored events by the UTC day of their occurrence.',
  requestBody: {
    required: false,
    content: { 'application/json': { schema: AnalyticsQuery, examples: EXAMPLES } },
  },
  tag: TAGS.tenant,
  answer: show(Snapshot, EXAMPLE, 'Returns the counters and the requested sections.'),
  codes: [
    'ANALYTICS_UNKNOWN_FIELD',
    'ANALYTICS_INVALID_QUERY',
    'ANALYTICS_UNKNOWN_SECTION',
    'ANALYTICS_QUERY_TOO_LARGE',
  ],
  handle: created((parts: Parts<'clock' | 'config' | 'countVulnerabilities' | 'tenantData'>) => {
    const { tenantData, clock, config, countVulnerabilities } = parts;
    const bucketsOf = async ({ rollups }: TenantReads, licenseId: number, nowMs: number) =>
      dayBuckets(await rollups.ofLicense(licenseId, firstBucketDay(nowMs)), nowMs);

    /** Limits each license to one snapshot at a time, because a large one occupies memory while it is built piece by piece. */
    const turns = new TurnsByKey<number>();

    /** Reads the data of a snapshot, except alerts, in a consistent state. */
    const read = async (
      data: TenantReads,
      licenseId: number,
      asked: ReadonlySet<AnalyticsSection>,
      nowMs: number,
    ) => ({
      sites: await data.sites.all(licenseId),
      expectations: await siteExpectations(data, config, licenseId),
      sections: {
        ...(asked.has('severityBuckets') ? { severityBuckets: await bucketsOf(data, licenseId, nowMs) } : {}),
        ...(asked.has('aiVerdicts') ? { aiVerdicts: await data.verdictTally(licenseId) } : {}),
      },
    });

    const snapshot = async (
      licenseId: number,
      asked: ReadonlySet<AnalyticsSection>,
      gone: AbortSignal,
    ): Promise<string> => {
      const nowMs = clock.now();
      const facts = await tenantData.atOnce((data) => read(data, licenseId, asked, nowMs));
      const pieces = new Map<SiteSection, string[]>(
        SITE_SECTION_NAMES.filter((name) => asked.has(name)).map((name) => [name, []]),
      );
      const judged: JudgedSite[] = [];
      const inTurns = judgeInTurns(
        facts.sites,
        async (site) => ({
          alerts: await tenantData.alerts.ofSite(licenseId, site.id),
          vulnerabilities: await countVulnerabilities(licenseId, site),
        }),
        facts.expectations,
        nowMs,
        gone,
      );
      for await (const standing of inTurns) {
        for (const [name, texts] of pieces) texts.push(sectionText(name, standing));
        judged.push(...standing);
      }
      const counters = countersOf(judged);
      return snapshotText(
        { generatedAt: iso(nowMs), crossTenantDataServed: false, counters, ...facts.sections },
        pieces,
      );
    };

    return async ({ caller, body, request, set }) => {
      const asked = notRefused(sectionsAsked(body));
      set.headers['content-type'] = 'application/json;charset=utf-8';
      const { id } = caller.license;
      const { signal: gone } = request;
      const text = await turns.take(id, async () => (gone.aborted ? '' : snapshot(id, asked, gone)));
      return complete(set, 200, text);
    };
  }),
});
