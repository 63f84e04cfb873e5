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
  description: 'how often: once a day, a week or 30 days; 0 = not at all',
});

const WantedSchedule = bodySchema(
  'WantedScanSchedule',
  { interval_hours: Hours, scan_type: ScanTypeName },
  { interval_hours: 24, scan_type: 'surface' },
);

const Schedule = typed('ScanSchedule', {
  interval_hours: Hours,
  scan_type: nullable(ScanTypeName, 'null while there is no schedule'),
  next_at: nullable(timestamp('when the next scan is due; null while there is none')),
});
const EXAMPLE = { interval_hours: 24, scan_type: 'surface', next_at: '2026-11-23T03:17:42.000Z' };

const SHOWN_SCHEDULE = show(Schedule, EXAMPLE, 'How often the site is scanned, and when next.');

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
          summary: 'How often a site is scanned by itself',
          description: 'Needs the plan starter or a higher one.',
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
            summary: 'Have a site scanned again and again',
            description:
              'What was set before is replaced. Needs proof of control of the domain; while that has lapsed, nothing is scanned. Each site has a moment of its own. ' +
              'What was missed is made up by one scan. Needs the plan starter or a higher one.',
          },
        },
      ),
  );
};
