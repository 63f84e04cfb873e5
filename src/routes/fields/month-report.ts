import { totalOf } from '../../domain/event/rollups.ts';
import { alertSpan, daysOf, type Month, monthBefore } from '../../domain/report/month.ts';
import { judgeInTurns, siteUrl } from '../../domain/site/site.ts';
import { DAY_MS, iso, isoOrNull, utcDay, utcDayNumber } from '../../lib/clock.ts';
import type { KeptAssessment } from '../../storage/scans/assessments.ts';
import { siteExpectations } from '../../storage/sites/site-expectations.ts';
import type { Site } from '../../storage/sites/sites.ts';
import type { Parts } from '../parts.ts';
import type { JudgedSite } from './site-fields.ts';

/** Maximum number of listed sites. The totals include the events of all sites. */
export const REPORT_SITES_MAX = 200;
export const REPORT_ALERTS_MAX = 200;

export interface ReportParts extends Parts<'clock' | 'config' | 'countVulnerabilities' | 'tenantData'> {
  readonly trustDesk: Pick<Parts<'trustDesk'>['trustDesk'], 'published'>;
}

/** License, month and sites of a report. */
export interface ReportSubject {
  readonly licenseId: number;
  readonly month: Month;
  /** Public id of the only site; undefined = all sites. */
  readonly siteId: string | undefined;
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal;
}

const assessmentOf = (assessment: KeptAssessment | undefined) =>
  assessment === undefined
    ? null
    : {
        at: iso(assessment.madeAt),
        grade: assessment.grade,
        score: assessment.score,
        vulnerabilities_open: assessment.parts.vulnerabilities?.open ?? null,
      };

/** Returns a function that creates the report of a month in the format of the contract. */
export const createMonthReport = (parts: ReportParts) => {
  const { clock, config, countVulnerabilities, tenantData, trustDesk } = parts;

  const badgeOf = async (licenseId: number, domain: string) => {
    const trust = await tenantData.trustSites.find(licenseId, domain);
    if (!trust?.enabled) return 'off' as const;
    return (await trustDesk.published(trust.trustId))?.state ?? ('not_current' as const);
  };

  const siteReport = async (licenseId: number, site: JudgedSite, month: Month, events: number) => {
    const made = (await tenantData.assessments.since(licenseId, site.domain, month.from)).filter(
      ({ madeAt }) => madeAt < month.until,
    );
    const counts = await countVulnerabilities(licenseId, site);
    return {
      id: site.publicId,
      url: siteUrl(site.domain),
      status: site.status,
      events,
      security_score: site.score.score,
      alerts_open: site.openAlerts.length,
      vulnerabilities_open: counts && counts.act + counts.attend + counts.other,
      first_assessment: assessmentOf(made.length > 1 ? made.at(-1) : undefined),
      last_assessment: assessmentOf(made[0]),
      badge: await badgeOf(licenseId, site.domain),
    };
  };

  const alertsOf = async (licenseId: number, sites: readonly Site[], month: Month, now: number) => {
    const spans = [];
    for (const { id, publicId, domain } of sites)
      for (const facts of await tenantData.alerts.ofSite(licenseId, id)) {
        const span = alertSpan(facts, month, now);
        if (span) spans.push({ site_id: publicId, url: siteUrl(domain), ...span });
      }
    return spans.sort((one, other) => other.openedAt - one.openedAt);
  };

  return async ({ licenseId, month, siteId, gone }: ReportSubject) => {
    const now = clock.now();
    const found = siteId === undefined ? undefined : await tenantData.sites.find(licenseId, siteId);
    const sites = found ? [found] : await tenantData.sites.all(licenseId);
    const expectations = await siteExpectations(tenantData, config, licenseId);
    const judged: JudgedSite[] = [];
    const knownOf = async (site: Site) => ({
      alerts: await tenantData.alerts.ofSite(licenseId, site.id),
      vulnerabilities: await countVulnerabilities(licenseId, site),
    });
    for await (const some of judgeInTurns(sites, knownOf, expectations, now, gone)) judged.push(...some);
    const { rollups } = tenantData;
    const [from, until] = [utcDayNumber(month.from), utcDayNumber(month.until)];
    const span = { licenseId, siteId: found?.id, from, until };
    const byDay = new Map((await rollups.byDay(span)).map((counts) => [counts.day, counts]));
    const bySite = new Map((await rollups.bySite(span)).map(({ siteId, events }) => [siteId, events]));
    const before = monthBefore(month);
    const earlier = await rollups.byDay({ ...span, from: utcDayNumber(before.from), until: from });
    const worst = judged.toSorted((one, other) => one.score.score - other.score.score);
    const alerts = await alertsOf(licenseId, sites, month, now);
    return {
      month: month.name,
      complete: month.until <= now,
      generated_at: iso(now),
      days: daysOf(month).map((day) => {
        const { info = 0, low = 0, medium = 0, high = 0, critical = 0 } = byDay.get(day) ?? {};
        return { date: utcDay(day * DAY_MS), info, low, medium, high, critical };
      }),
      events: [...byDay.values()].reduce((sum, counts) => sum + totalOf(counts), 0),
      events_month_before: earlier.reduce((sum, counts) => sum + totalOf(counts), 0),
      sites: await Promise.all(
        worst
          .slice(0, REPORT_SITES_MAX)
          .map((site) => siteReport(licenseId, site, month, bySite.get(site.id) ?? 0)),
      ),
      more_sites: Math.max(0, worst.length - REPORT_SITES_MAX),
      alerts: alerts.slice(0, REPORT_ALERTS_MAX).map(({ openedAt, closedAt, ...alert }) => ({
        ...alert,
        last_occurred_at: iso(openedAt),
        closed_at: isoOrNull(closedAt),
      })),
      more_alerts: Math.max(0, alerts.length - REPORT_ALERTS_MAX),
    };
  };
};

export type MonthReport = Awaited<ReturnType<ReturnType<typeof createMonthReport>>>;
