import { type Static, Type as t } from '@sinclair/typebox';
import { notRefused, refuse } from '../domain/refusal.ts';
import { HEADER } from '../http/context.ts';
import { closed, conditional, ENVELOPED, nullable, show, success, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { answerFrom, represent } from '../http/representations.ts';
import { bearerRoute, pathParameter, queryOf, shared } from '../http/route/index.ts';
import type { Scan } from '../storage/scans/scans.ts';
import { AssessmentFields, assessmentOf } from './fields/assessment-fields.ts';
import { PAGE, PAGE_DEFAULT } from './fields/page-query.ts';
import { Moment, readMoment } from './fields/query-moment.ts';
import {
  EXAMPLE_POSTURE_FINDING,
  EXAMPLE_SCAN,
  FindingFields,
  RETRY_SECONDS,
  ScanStatusName,
  ScanTypeName,
  scanFields,
  scanOf,
} from './fields/scan-fields.ts';
import { SiteId } from './fields/site-path.ts';
import type { Parts } from './parts.ts';

const LIST = 'scans';
/** A scan without its findings. */
export const ScanState = typed('ScanState', scanFields);
const CanceledScan = typed('CanceledScan', scanFields);
/** A scan with its progress and findings. */
export const ScanResult = typed('ScanResult', {
  ...scanFields,
  progress: t.Integer({ minimum: 0, maximum: 100, description: 'progress in percent; 100 when ended' }),
  findings: t.Array(FindingFields, { description: 'findings, most severe first; empty until done' }),
  assessment: nullable(AssessmentFields, 'assessment result; null until done, and for other scan types'),
});
const EXAMPLE_RESULT = {
  ...EXAMPLE_SCAN,
  status: 'done',
  started_at: '2026-11-22T09:30:00.100Z',
  finished_at: '2026-11-22T09:30:04.000Z',
  progress: 100,
  findings: [EXAMPLE_POSTURE_FINDING],
  assessment: null,
};

const ScanQuery = closed({
  site: t.Optional(SiteId),
  status: t.Optional(ScanStatusName),
  scan_type: t.Optional(ScanTypeName),
  since: t.Optional(Moment('only scans requested at or after this time; ISO 8601 with an offset')),
  ...PAGE('scans'),
});
export const ScanList = typed('ScanList', {
  scans: t.Array(ScanState, { description: 'scans of this page, newest first' }),
  next_cursor: nullable(t.String({ description: 'cursor of the next page; null on the last page' })),
});

const SCAN_ID = pathParameter('scanId', '`scan_id` of the scan');

const scansOf = shared(
  ({
    tenantData,
    identities,
    scanDesk,
    writer,
    clock,
  }: Parts<'clock' | 'identities' | 'scanDesk' | 'tenantData' | 'writer'>) => {
    const find = async (licenseId: number, publicId: string): Promise<Scan> => {
      const scan = await tenantData.scans.find(licenseId, publicId);
      if (scan === undefined) throw refuse('SCAN_NOT_FOUND', 'This license has no such scan.');
      return scan;
    };

    const resultOf = async (scan: Scan) => {
      const assessment =
        scan.type === 'assessment' ? await tenantData.assessments.ofScan(scan.id) : undefined;
      return {
        ...scanOf(scan),
        progress: scan.finishedAt === null ? scanDesk.progressOf(scan) : 100,
        findings: scan.canceledAt === null ? [...(scan.findings ?? [])] : [],
        assessment: assessment ? assessmentOf(assessment) : null,
      };
    };

    const page = async (licenseId: number, query: Static<typeof ScanQuery>) => {
      const { site, status = null, scan_type: type = null, since, limit = PAGE_DEFAULT, cursor } = query;
      const cursorKey = identities.cursorKey(licenseId, LIST);
      const beforeId = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeCursor(cursorKey, cursor);
      const wanted = {
        licenseId,
        status,
        type,
        beforeId,
        limit: limit + 1,
        since: since === undefined ? Number.MIN_SAFE_INTEGER : readMoment('since', since),
      };
      const found = await tenantData.atOnce(async ({ sites, scans }) => {
        if (site === undefined) return scans.page({ ...wanted, domain: null });
        const known = await sites.find(licenseId, site);
        return known === undefined ? [] : scans.page({ ...wanted, domain: known.domain });
      });
      const last = found.length > limit ? found[limit - 1] : undefined;
      return {
        scans: found.slice(0, limit).map(scanOf),
        next_cursor: last === undefined ? null : encodeCursor(cursorKey, last.id),
      };
    };

    const cancel = async (licenseId: number, publicId: string) => {
      const { id } = await find(licenseId, publicId);
      notRefused(await writer.write('cancelScan', { id, now: clock.now() }));
      scanDesk.cancel(id);
      return scanOf(await find(licenseId, publicId));
    };

    return { find, resultOf, page, cancel };
  },
);

/** Operations that list, get and cancel background scans. */
export const scans = [
  bearerRoute({
    at: 'GET /scans',
    plan: 'starter',
    query: queryOf(ScanQuery),
    tag: TAGS.tenant,
    operationId: 'listScans',
    summary: 'List scans',
    description:
      'Newest first. The last 50 ended scans of each site are stored, no longer than events. Returns no scans for sites of other tenants. Requires the plan starter or higher.',
    answer: show(
      ScanList,
      { scans: [EXAMPLE_SCAN], next_cursor: null },
      'Returns a page of scans, without findings.',
    ),
    handle: scansOf(({ page }, { licenseId, query }) => page(licenseId, query)),
  }),
  bearerRoute({
    at: 'GET /scans/:scanId',
    plan: 'starter',
    tag: TAGS.tenant,
    operationId: 'getScan',
    summary: 'Get a scan',
    description:
      'Until the scan has ended, poll it after Retry-After. Ended scans have an ETag and do not change. Requires the plan starter or higher.',
    parameters: [SCAN_ID],
    answer: show(ScanResult, EXAMPLE_RESULT, 'Returns the scan, with findings once it is done.'),
    answers: conditional(ENVELOPED),
    codes: ['SCAN_NOT_FOUND'],
    handle: scansOf(async ({ find, resultOf }, { licenseId, request, set, params: { scanId } }) => {
      const scan = await find(licenseId, scanId);
      const result = await resultOf(scan);
      if (scan.finishedAt === null) {
        set.headers[HEADER.retryAfter] = String(RETRY_SECONDS);
        return result;
      }
      return answerFrom({ request, set }, await represent(JSON.stringify(success(result)), FINISHED_HEADERS));
    }),
  }),
  bearerRoute({
    at: 'POST /scans/:scanId/cancel',
    plan: 'starter',
    tag: TAGS.tenant,
    operationId: 'cancelScan',
    summary: 'Cancel a scan',
    description:
      'Queued scans end immediately, running ones before their next request; ended scans do not change. The body is ignored. Requires the plan starter or higher.',
    parameters: [SCAN_ID],
    answer: show(CanceledScan, { ...EXAMPLE_SCAN, status: 'canceled' }, 'Returns the updated scan.'),
    codes: ['SCAN_NOT_FOUND', 'STORE_UNAVAILABLE'],
    handle: scansOf(({ cancel }, { licenseId, params: { scanId } }) => cancel(licenseId, scanId)),
  }),
];

const FINISHED_HEADERS = { 'content-type': 'application/json', 'cache-control': 'private, no-cache' };
