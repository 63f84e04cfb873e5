import { type Static, Type as t } from '@sinclair/typebox';
import { firstBucketDay, totalOf } from '../domain/event/rollups.ts';
import { SCORED_KINDS, scoreOf } from '../domain/posture/measures.ts';
import { refuse } from '../domain/refusal.ts';
import { LAST_WORDS } from '../domain/site/alerts.ts';
import { judgeInTurns, judgeSite, siteUrl } from '../domain/site/site.ts';
import { lastSeenOf } from '../domain/site/site-status.ts';
import { closed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { bearerRoute, queryOf, shared } from '../http/route/index.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import { latestMeasures } from '../storage/sites/latest-measures.ts';
import { siteExpectations } from '../storage/sites/site-expectations.ts';
import type { Site } from '../storage/sites/sites.ts';
import type { TenantReads } from '../storage/tenant-data.ts';
import {
  countByDecision,
  judgeComponents,
  keptComponents,
  openFindings,
  overdueIn,
} from '../storage/vulnerabilities/site-findings.ts';
import { dayBuckets } from './fields/event-counts.ts';
import { PAGE, PAGE_DEFAULT } from './fields/page-query.ts';
import {
  type JudgedSite,
  SiteDetails,
  SiteList,
  SiteStatusName,
  scoreFactors,
} from './fields/site-fields.ts';
import { SITE_ID } from './fields/site-path.ts';
import type { Parts } from './parts.ts';

const LIST = 'sites';
const words = (meaning: keyof typeof LAST_WORDS) =>
  LAST_WORDS[meaning].map((word) => `\`_${word}\``).join(', ');

const SiteQuery = closed({
  status: t.Optional(SiteStatusName),
  ...PAGE('sites'),
});

const summary = (site: JudgedSite) => ({
  id: site.publicId,
  url: siteUrl(site.domain),
  status: site.status,
  alerts_open: site.openAlerts.length,
  security_score: site.score.score,
  last_seen_at: iso(site.lastSeenAt),
  plugin_version: site.pluginVersion,
});

type SitesParts = Parts<'clock' | 'config' | 'countVulnerabilities' | 'identities' | 'mirror' | 'tenantData'>;

const sitesOf = shared((parts: SitesParts) => {
  const { tenantData, identities, mirror, clock, config, countVulnerabilities } = parts;
  const page = async (licenseId: number, query: Static<typeof SiteQuery>, gone: AbortSignal) => {
    const { status, limit = PAGE_DEFAULT, cursor } = query;
    const nowMs = clock.now();
    const cursorKey = identities.cursorKey(licenseId, LIST);
    const afterId = cursor === undefined ? 0 : decodeCursor(cursorKey, cursor);
    const { found, expected } = await tenantData.atOnce(async (data) => {
      const expected = await siteExpectations(data, config, licenseId);
      const lastSeen = lastSeenOf(status, nowMs, expected.heartbeatSeconds);
      return { expected, found: await data.sites.list({ licenseId, afterId, lastSeen, limit: limit + 1 }) };
    });
    const knownOf = async (site: Site) => ({
      alerts: await tenantData.alerts.ofSite(licenseId, site.id),
      vulnerabilities: await countVulnerabilities(licenseId, site),
    });
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const judged = await Array.fromAsync(judgeInTurns(shown, knownOf, expected, nowMs, gone));
    return {
      sites: judged.flat().map(summary),
      next_cursor: last && found.length > limit ? encodeCursor(cursorKey, last.id) : null,
    };
  };

  const postureScores = async (data: TenantReads, licenseId: number, publicId: string) => {
    const measures = await latestMeasures(data, identities, licenseId, publicId, SCORED_KINDS);
    return measures.flatMap((measure) => {
      const scored = scoreOf(measure);
      return scored
        ? [
            {
              signal: scored.kind,
              score: scored.score,
              meaning: scored.meaning,
              updated_at: iso(measure.at),
            },
          ]
        : [];
    });
  };

  const read = async (data: TenantReads, licenseId: number, publicId: string) => {
    const nowMs = clock.now();
    const found = await data.sites.find(licenseId, publicId);
    if (found === undefined) throw refuse('NOT_FOUND', 'There is no such site.');
    const expected = await siteExpectations(data, config, licenseId);
    return {
      found,
      expected,
      nowMs,
      alerts: await data.alerts.ofSite(licenseId, found.id),
      days: await data.rollups.ofSite(licenseId, found.id, firstBucketDay(nowMs)),
      components: await keptComponents(data, identities, licenseId, found),
      postureScores: await postureScores(data, licenseId, found.publicId),
    };
  };

  const detail = async (licenseId: number, publicId: string) => {
    const facts = await tenantData.atOnce((data) => read(data, licenseId, publicId));
    const { found, expected, nowMs, alerts, days, components } = facts;
    const judged = components && (await mirror.ask((current) => judgeComponents(components, current, nowMs)));
    const vulnerabilities = judged ? countByDecision(judged) : null;
    const site = judgeSite(found, { alerts, vulnerabilities }, expected, nowMs);
    return {
      ...summary(site),
      site_uuid: site.siteUuid,
      first_seen_at: iso(site.firstSeenAt),
      last_event_at: isoOrNull(site.lastEventAt),
      events: { total: totalOf(site.events), ...site.events },
      severity_buckets: dayBuckets(days, nowMs),
      alerts: site.openAlerts.map(({ subject, severity, lastOccurredAt }) => ({
        subject,
        severity,
        last_occurred_at: iso(lastOccurredAt),
      })),
      more_alerts: site.moreAlerts,
      score_factors: scoreFactors(site.score),
      posture_scores: facts.postureScores,
      stats: site.stats,
      vulnerabilities: judged
        ? {
            inventory_at: iso(judged.inventoryAt),
            findings: openFindings(judged).length,
            overdue: overdueIn(judged).length,
            highest_risk: Math.max(0, ...openFindings(judged).map(({ finding }) => finding.risk.score)),
          }
        : null,
    };
  };

  return { page, detail };
});

export const sites = [
  bearerRoute({
    at: 'GET /sites',
    plan: 'starter',
    query: queryOf(SiteQuery),
    operationId: 'listSites',
    summary: 'List sites',
    description:
      'A site is listed once it has sent telemetry, in the order of first appearance. Requires the plan starter or higher.',
    tag: TAGS.tenant,
    answer: SiteList,
    handle: sitesOf(({ page }, { licenseId, request, query }) => page(licenseId, query, request.signal)),
  }),
  bearerRoute({
    at: 'GET /sites/:siteId',
    plan: 'starter',
    operationId: 'getSite',
    summary: 'Get a site and its score factors',
    description:
      'Sites of other tenants return 404. Counts cover stored events (SERVICE_RETENTION_DAYS). The subject of an ' +
      'alert is the event type without its outcome suffix. Events of severity high or critical open an alert, ' +
      `unless their type ends in ${words('handled')}. It closes with a later event that ends in ` +
      `${words('resolves')}, or seven days after its last event. The suffixes ${words('found')} have no effect.`,
    parameters: [SITE_ID],
    tag: TAGS.tenant,
    answer: SiteDetails,
    codes: ['NOT_FOUND'],
    handle: sitesOf(({ detail }, { licenseId, params: { siteId } }) => detail(licenseId, siteId)),
  }),
];
