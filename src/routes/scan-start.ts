import { hash } from 'node:crypto';
import type { Static } from '@sinclair/typebox';
import { notRefused, refuse } from '../domain/refusal.ts';
import { bodySchema } from '../http/body.ts';
import { type Caller, HEADER, KIB } from '../http/context.ts';
import { QUEUED, show, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { siteText } from '../http/fields.ts';
import { bearerRoute, created, jsonBody } from '../http/route/index.ts';
import { newOpaqueId } from '../lib/opaque-id.ts';
import { BucketRoom, TokenBuckets } from '../lib/token-bucket.ts';
import { TurnsByKey } from '../lib/turns.ts';
import type { Scan } from '../storage/scans/scans.ts';
import { EXAMPLE_SCAN, RETRY_SECONDS, ScanTypeName, scanFields, scanOf } from './fields/scan-fields.ts';
import { ownSiteDomain, ownSurfaceTarget, requireControl } from './fields/scan-target.ts';
import type { Parts } from './parts.ts';

/** Limit per license, the same as that of POST /scan. */
const STARTS_PER_MINUTE = 10;
const IDEMPOTENCY_KEY = 'idempotency-key';
const KEY_FORM = /^[A-Za-z0-9_-]{1,64}$/;

const WantedScan = bodySchema(
  'WantedScan',
  {
    site_url: siteText('domain or URL of the site'),
    scan_type: ScanTypeName,
  },
  { site_url: 'https://shop.example', scan_type: 'posture' },
);

const QueuedScan = typed('QueuedScan', scanFields);

const IDEMPOTENCY = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description:
    'unique key of the request: repeating it within 24 hours starts no second scan. The same key with a different body is refused',
  schema: { type: 'string' as const, pattern: KEY_FORM.source },
};

/** POST /scans: queues a scan in the background. */
export const scanStart = bearerRoute({
  at: 'POST /scans',
  plan: 'starter',
  body: jsonBody({ schema: WantedScan, capBytes: 8 * KIB }),
  tag: TAGS.tenant,
  operationId: 'startScan',
  summary: 'Queue a scan of a site',
  description:
    'Like POST /scan, but asynchronous. If the same scan of the site is already queued or running, it is returned ' +
    `instead. Limits per license: one running and four queued scans, ${STARTS_PER_MINUTE} starts per minute, and a daily limit ` +
    '(UTC) set by the operator. An `assessment` combines both other types with the vulnerabilities of the ' +
    'components and grades the site. Assessments and surface scans require proof of control of the domain, at ' +
    'the request and at the start. Requires the plan starter or higher.',
  parameters: [IDEMPOTENCY],
  answer: show(
    QueuedScan,
    EXAMPLE_SCAN,
    'Returns the queued scan, new or existing. Poll the URL in Location.',
  ),
  answers: QUEUED,
  codes: [
    'SITE_NOT_FOUND',
    'SURFACE_SCAN_DISABLED',
    'DOMAIN_NOT_VERIFIED',
    'IDEMPOTENCY_KEY_REUSED',
    'DAILY_CAP_EXCEEDED',
    'SCAN_QUEUE_FULL',
    'STORE_UNAVAILABLE',
  ],
  handle: created((parts: Parts<'clock' | 'config' | 'scanDesk' | 'tenantData' | 'writer'>) => {
    const { tenantData, scanDesk, writer, clock, config } = parts;
    const starts = new TokenBuckets(STARTS_PER_MINUTE, new BucketRoom(clock.monotonic));
    /** Serializes requests per license, so that of concurrent equal requests, only the first queues a scan. */
    const turns = new TurnsByKey<number>();

    /** Returns domain and URL of the scan; refuses sites that the license may not scan. */
    const targetOf = async ({ license }: Caller, { site_url, scan_type }: Static<typeof WantedScan>) => {
      if (scan_type === 'surface' || (scan_type === 'assessment' && config.surfaceScans)) {
        const { domain, httpsOrigin, httpOrigin, basePath } = await ownSurfaceTarget(
          parts,
          license,
          site_url,
        );
        // A grade covers the whole site, so the path is ignored.
        const path = scan_type === 'assessment' ? '/' : basePath;
        return { domain, siteUrl: `${httpsOrigin ?? httpOrigin}${path}` };
      }
      const domain = await ownSiteDomain(parts, license, site_url);
      if (scan_type === 'assessment') await requireControl(parts, license.id, domain);
      return { domain, siteUrl: `https://${domain}/` };
    };

    const begin = async (
      caller: Caller,
      body: Static<typeof WantedScan>,
      key: string | null,
    ): Promise<Scan> => {
      const request = requestOf(key, body);
      const now = clock.now();
      const licenseId = caller.license.id;
      const repeated = notRefused(await tenantData.scans.repeated({ licenseId, request, now }));
      if (repeated !== undefined) return repeated;
      const target = await targetOf(caller, body);
      const type = body.scan_type;
      if ((await tenantData.scans.unfinished({ ...target, licenseId, type })) === undefined) {
        const { allowed, retryAfterSeconds } = starts.take(String(licenseId));
        if (!allowed) throw tooMany(retryAfterSeconds);
      }
      const scan = notRefused(
        await writer.write('queueScan', {
          ...target,
          publicId: newOpaqueId(),
          licenseId,
          type,
          trigger: 'api',
          request,
          dailyCap: config.scanDailyCap,
          now,
          by: caller.author,
        }),
      );
      if (scan.startedAt === null && scan.finishedAt === null) scanDesk.add(scan);
      return scan;
    };

    return async ({ caller, request, set, body }) => {
      const key = request.headers.get(IDEMPOTENCY_KEY);
      const scan = await turns.take(caller.license.id, () => begin(caller, body, key));
      set.status = 202;
      set.headers.location = `/api/v1/scans/${scan.publicId}`;
      set.headers[HEADER.retryAfter] = String(RETRY_SECONDS);
      return scanOf(scan);
    };
  }),
});

function requestOf(key: string | null, { site_url, scan_type }: Static<typeof WantedScan>) {
  if (key === null) return null;
  if (!KEY_FORM.test(key))
    throw refuse('INVALID_PAYLOAD', 'The header Idempotency-Key takes 1 to 64 letters, digits, - and _.');
  return { key, bodyHash: hash('sha256', JSON.stringify([site_url, scan_type]), 'base64url') };
}

const tooMany = (retryAfterSeconds: number) =>
  refuse('RATE_LIMITED', 'Too many scans were requested. Try again later.', retryAfterSeconds);
