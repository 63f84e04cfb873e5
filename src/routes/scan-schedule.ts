import { Elysia, type Static, t } from 'elysia';
import { isRefusal } from '../domain/refusal.ts';
import { nextDueAt, SCHEDULE_HOURS } from '../domain/scan/schedule.ts';
import { bodySchema, readJson } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import {
  answers,
  BEARER_CODES,
  BODY_CODES,
  nullable,
  show,
  success,
  timestamp,
  typed,
} from '../http/contract/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract/contract.ts';
import { requirePlan } from '../http/plan-gate.ts';
import { checkBody } from '../http/schema-check.ts';
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

const Schedule = typed('ScanSchedule', {
  interval_hours: Hours,
  scan_type: nullable(ScanTypeName, 'scan type; null if there is no schedule'),
  next_at: nullable(timestamp('time of the next scan; null if there is no schedule')),
});
const EXAMPLE = { interval_hours: 24, scan_type: 'surface', next_at: '2026-11-23T03:17:42.000Z' };

const SHOWN_SCHEDULE = show(Schedule, EXAMPLE, 'Returns the schedule.');

const SHOWN = { tags: [TAGS.tenant], security: BEARER_SECURITY, parameters: [SITE_ID] };

const answerOf = (schedule: ScanSchedule | null | undefined) =>
  success({
    interval_hours: schedule?.intervalHours ?? (0 as const),
    scan_type: schedule?.type ?? null,
    next_at: schedule ? iso(schedule.nextAt) : null,
  });

/** How often a site is scanned without being asked. */
export const scanSchedule = (parts: Parts) => {
  const { authenticate, tenantData, writer, clock } = parts;
  const set = async (licenseId: number, publicId: string, wanted: Static<typeof WantedSchedule>) => {
    const { interval_hours: intervalHours, scan_type: type } = wanted;
    const { id: siteId, domain } = await findSite(tenantData, licenseId, publicId);
    const now = clock.now();
    const isOn = intervalHours !== 0;
    if (isOn) await requireControl(parts, licenseId, domain);
    const schedule = isOn ? { intervalHours, type, nextAt: nextDueAt(publicId, intervalHours, now) } : null;
    const refusal = await writer.write('setScanSchedule', { licenseId, siteId, schedule });
    if (isRefusal(refusal)) throw refusal;
    return answerOf(schedule);
  };

  const reading = new Elysia()
    .derive(authenticate)
    .onTransform(requirePlan('starter'))
    .get(
      '/sites/:siteId/scan-schedule',
      async ({ caller: { license }, params: { siteId } }) => {
        const { id } = await findSite(tenantData, license.id, siteId);
        return answerOf(await tenantData.scanSchedules.ofSite(license.id, id));
      },
      {
        response: answers(SHOWN_SCHEDULE, ...BEARER_CODES, 'PLAN_REQUIRED', 'SITE_NOT_FOUND'),
        detail: {
          ...SHOWN,
          operationId: 'getScanSchedule',
          summary: 'Get the scan schedule of a site',
          description: 'Requires the plan starter or higher.',
        },
      },
    );

  return reading.use(
    new Elysia()
      .derive(authenticate)
      .derive(requirePlan('starter'))
      .onTransform(readJson({ capBytes: KIB }))
      .onTransform(checkBody(WantedSchedule))
      .post(
        '/sites/:siteId/scan-schedule',
        async ({ caller, params: { siteId }, body }) =>
          set(caller.license.id, siteId, body as Static<typeof WantedSchedule>),
        {
          body: WantedSchedule,
          response: answers(
            SHOWN_SCHEDULE,
            ...BEARER_CODES,
            ...BODY_CODES,
            'PLAN_REQUIRED',
            'SITE_NOT_FOUND',
            'DOMAIN_NOT_VERIFIED',
            'STORE_UNAVAILABLE',
          ),
          detail: {
            ...SHOWN,
            operationId: 'setScanSchedule',
            summary: 'Schedule scans of a site',
            description:
              'Replaces the previous schedule. Requires proof of control of the domain; scans pause while it has lapsed. Each site has its own start time. Missed scans are made up by a single one. Requires the plan starter or higher.',
          },
        },
      ),
  );
};
