import { Type as t } from '@sinclair/typebox';
import { notRefused } from '../domain/refusal.ts';
import { nextDueAt, SCHEDULE_HOURS } from '../domain/scan/schedule.ts';
import { bodySchema } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import { nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { bearerRoute, jsonBody } from '../http/route/index.ts';
import { iso } from '../lib/clock.ts';
import type { ScanSchedule } from '../storage/scans/scan-schedules.ts';
import { ScanTypeName } from './fields/scan-fields.ts';
import { requireControl } from './fields/scan-target.ts';
import { findSite, SITE_ID } from './fields/site-path.ts';
import type { Parts } from './parts.ts';

const Hours = t.Union([t.Literal(0), ...SCHEDULE_HOURS.map((hours) => t.Literal(hours))], {
  description: 'interval: daily, weekly or every 30 days; 0: no schedule',
});

const WantedSchedule = bodySchema(
  'WantedScanSchedule',
  { interval_hours: Hours, scan_type: ScanTypeName },
  { interval_hours: 24, scan_type: 'surface' },
);

export const Schedule = typed('ScanSchedule', {
  interval_hours: Hours,
  scan_type: nullable(ScanTypeName, 'scan type; null if there is no schedule'),
  next_at: nullable(timestamp('time of the next scan; null if there is no schedule')),
});
const EXAMPLE = { interval_hours: 24, scan_type: 'surface', next_at: '2026-11-23T03:17:42.000Z' };

const SHOWN_SCHEDULE = show(Schedule, EXAMPLE, 'Returns the schedule.');

const SHOWN = { tag: TAGS.tenant, parameters: [SITE_ID] };

const answerOf = (schedule: ScanSchedule | null | undefined) => ({
  interval_hours: schedule?.intervalHours ?? (0 as const),
  scan_type: schedule?.type ?? null,
  next_at: schedule ? iso(schedule.nextAt) : null,
});

type ScanScheduleParts = Parts<'clock' | 'tenantData' | 'writer'>;

/** Operations on the schedule of a site's automatic scans. */
export const scanSchedule = [
  bearerRoute({
    at: 'GET /sites/:siteId/scan-schedule',
    plan: 'starter',
    ...SHOWN,
    operationId: 'getScanSchedule',
    summary: 'Get the scan schedule of a site',
    description: 'Requires the plan starter or higher.',
    answer: SHOWN_SCHEDULE,
    codes: ['SITE_NOT_FOUND'],
    handle: async ({ licenseId, params: { siteId } }, { tenantData }: ScanScheduleParts) => {
      const { id } = await findSite(tenantData, licenseId, siteId);
      return answerOf(await tenantData.scanSchedules.ofSite(licenseId, id));
    },
  }),
  bearerRoute({
    at: 'POST /sites/:siteId/scan-schedule',
    plan: 'starter',
    body: jsonBody({ schema: WantedSchedule, capBytes: KIB }),
    ...SHOWN,
    operationId: 'setScanSchedule',
    summary: 'Schedule scans of a site',
    description:
      'Replaces the previous schedule. Requires proof of control of the domain; scans pause while it has lapsed. Each site has its own start time. Missed scans are made up by a single one. Requires the plan starter or higher.',
    answer: SHOWN_SCHEDULE,
    codes: ['SITE_NOT_FOUND', 'DOMAIN_NOT_VERIFIED', 'STORE_UNAVAILABLE'],
    handle: async ({ licenseId, params: { siteId: publicId }, body: wanted }, parts: ScanScheduleParts) => {
      const { tenantData, writer, clock } = parts;

      const { interval_hours: intervalHours, scan_type: type } = wanted;
      const { id: siteId, domain } = await findSite(tenantData, licenseId, publicId);
      const now = clock.now();
      const isOn = intervalHours !== 0;
      if (isOn) await requireControl(parts, licenseId, domain);
      const schedule = isOn ? { intervalHours, type, nextAt: nextDueAt(publicId, intervalHours, now) } : null;
      notRefused(await writer.write('setScanSchedule', { licenseId, siteId, schedule }));
      return answerOf(schedule);
    },
  }),
];
