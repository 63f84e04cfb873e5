import { Type as t } from '@sinclair/typebox';
import { GRADES } from '../domain/assessment/assessment.ts';
import { refuse } from '../domain/refusal.ts';
import { MONTH_PATTERN, monthNamed, monthOf } from '../domain/report/month.ts';
import { TRUST_STATES } from '../domain/trust/trust.ts';
import { closed, nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { count, oneOf, score } from '../http/fields.ts';
import { bearerRoute, created, queryOf } from '../http/route/index.ts';
import { TurnsByKey } from '../lib/turns.ts';
import { EXAMPLE_COUNTS, severityCounts } from './fields/event-counts.ts';
import {
  createMonthReport,
  REPORT_ALERTS_MAX,
  REPORT_SITES_MAX,
  type ReportParts,
} from './fields/month-report.ts';
import { AlertSeverity, AlertSubject, SecurityScore, SiteStatusName, SiteUrl } from './fields/site-fields.ts';
import { findSite, SiteId } from './fields/site-path.ts';

const ReportQuery = closed({
  month: t.Optional(
    t.String({
      pattern: MONTH_PATTERN,
      description: 'month in UTC, such as 2026-11; default: the current one',
    }),
  ),
  site: t.Optional(SiteId),
});

const Assessment = typed('ReportedAssessment', {
  at: timestamp('time of the assessment'),
  grade: oneOf(GRADES, 'grade', 'ReportedGrade'),
  score: score('score'),
  vulnerabilities_open: nullable(count('open vulnerabilities'), 'open vulnerabilities; null if not assessed'),
});

const Report = typed('MonthReport', {
  month: t.String({ pattern: MONTH_PATTERN, description: 'month in UTC' }),
  complete: t.Boolean({ description: 'whether the month has ended' }),
  generated_at: timestamp('time of the report'),
  days: t.Array(
    closed(
      { date: t.String({ format: 'date', description: 'UTC date' }), ...severityCounts },
      'events of a day',
      'ReportedDay',
    ),
    { minItems: 28, maxItems: 31, description: 'events by time of occurrence, oldest first' },
  ),
  events: count('events of the month that are stored'),
  events_month_before: count('stored events of the previous month'),
  sites: t.Array(
    typed('ReportedSite', {
      id: SiteId,
      url: SiteUrl,
      status: SiteStatusName,
      events: count('events of the month'),
      security_score: SecurityScore,
      alerts_open: count('alerts that are open now'),
      vulnerabilities_open: nullable(
        count('vulnerabilities that are open now'),
        'vulnerabilities that are open now; null without components or data',
      ),
      first_assessment: nullable(Assessment, 'first of several assessments of the month; null otherwise'),
      last_assessment: nullable(Assessment, 'last assessment of the month; null without one'),
      badge: oneOf(
        ['off', ...TRUST_STATES],
        'state of the trust badge now; `off`: it is not public',
        'ReportedBadge',
      ),
    }),
    { maxItems: REPORT_SITES_MAX, description: 'sites, lowest score first' },
  ),
  more_sites: count('sites beyond the listed ones'),
  alerts: t.Array(
    typed('ReportedAlert', {
      site_id: SiteId,
      url: SiteUrl,
      subject: AlertSubject,
      severity: AlertSeverity,
      last_occurred_at: timestamp('time of its newest event'),
      closed_at: nullable(timestamp('time at which it closed; null while it is open')),
    }),
    { maxItems: REPORT_ALERTS_MAX, description: 'alerts that were open within the month, newest first' },
  ),
  more_alerts: count('alerts beyond the listed ones'),
});

const ASSESSED = { at: '2026-11-22T09:30:00.000Z', grade: 'A', score: 96, vulnerabilities_open: 1 };
const EXAMPLE = {
  month: '2026-11',
  complete: false,
  generated_at: '2026-11-22T09:30:00.000Z',
  days: Array.from({ length: 30 }, (_, index) => ({
    date: `2026-11-${String(index + 1).padStart(2, '0')}`,
    ...EXAMPLE_COUNTS,
  })),
  events: 30,
  events_month_before: 0,
  sites: [
    {
      id: '3f2a9c0e7b1d4f5a8c6e0d21',
      url: 'https://shop.example',
      status: 'active',
      events: 30,
      security_score: 92,
      alerts_open: 0,
      vulnerabilities_open: 1,
      first_assessment: null,
      last_assessment: ASSESSED,
      badge: 'assessed',
    },
  ],
  more_sites: 0,
  alerts: [
    {
      site_id: '3f2a9c0e7b1d4f5a8c6e0d21',
      url: 'https://shop.example',
      subject: 'malware',
      severity: 'critical',
      last_occurred_at: '2026-11-20T09:30:00.000Z',
      closed_at: '2026-11-20T11:00:00.000Z',
    },
  ],
  more_alerts: 0,
};

/** GET /reports: the monthly report on the sites of a license. */
export const reports = bearerRoute({
  at: 'GET /reports',
  plan: 'starter',
  query: queryOf(ReportQuery),
  operationId: 'getMonthReport',
  summary: 'Get the report of a month',
  description:
    'Attacks, alerts and assessments of a month, with scores, vulnerabilities and badges as of now. Only stored events are counted. The time that an alert was open is counted from its newest event. Requires the plan starter or higher.',
  tag: TAGS.tenant,
  answer: show(Report, EXAMPLE, 'Returns the report of the month.'),
  codes: ['SITE_NOT_FOUND'],
  handle: created((parts: ReportParts) => {
    const write = createMonthReport(parts);
    /** Limits each license to one report at a time, because a report assesses all of its sites. */
    const turns = new TurnsByKey<number>();
    return async ({ caller, query, request }) => {
      const month = query.month === undefined ? monthOf(parts.clock.now()) : monthNamed(query.month);
      if (month === undefined) throw refuse('INVALID_QUERY', 'month: is not a month such as 2026-11');
      const { id: licenseId } = caller.license;
      const siteId = query.site;
      if (siteId !== undefined) await findSite(parts.tenantData, licenseId, siteId);
      return turns.take(licenseId, () => write({ licenseId, month, siteId, gone: request.signal }));
    };
  }),
});
