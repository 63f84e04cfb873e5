import { Type as t } from '@sinclair/typebox';
import { refuse } from '../domain/refusal.ts';
import { DIRECT_SCAN_TYPES } from '../domain/scan/scan.ts';
import { judgeSurface } from '../domain/surface/surface.ts';
import { bodySchema } from '../http/body.ts';
import { type Caller, KIB } from '../http/context.ts';
import { show, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { siteText } from '../http/fields.ts';
import { bearerRoute, jsonBody, shared } from '../http/route/index.ts';
import { Seats } from '../lib/seats.ts';
import { BucketRoom, TokenBuckets } from '../lib/token-bucket.ts';
import type { SurveySite } from '../outside/site-survey.ts';
import { judgeSitePosture } from '../storage/scans/site-posture.ts';
import { cutOff } from './fields/outside-looks.ts';
import { EXAMPLE_POSTURE_FINDING, FindingFields } from './fields/scan-fields.ts';
import { ownSiteDomain, ownSurfaceTarget } from './fields/scan-target.ts';
import type { Parts } from './parts.ts';

/** Concurrent scans. Each takes up to 25 seconds and less than half a megabyte of memory. */
const CONCURRENT_SURFACE_SCANS_MAX = 16;
/** Limit per license, so that scans do not overload a site. */
const SURFACE_SCANS_PER_MINUTE = 10;
const BUSY_RETRY_SECONDS = 5;

const ScanType = t.Union(
  DIRECT_SCAN_TYPES.map((type) => t.Literal(type)),
  { description: '`posture` (default): based on telemetry. `surface`: from outside' },
);

const ScanRequest = bodySchema(
  'ScanRequest',
  {
    site_url: siteText('domain or URL of the site'),
    scan_type: t.Optional(ScanType),
  },
  { site_url: 'https://shop.example', scan_type: 'posture' },
);

const ScanAnswer = typed('Scan', {
  scan_type: ScanType,
  findings: t.Array(FindingFields, { description: 'findings, most severe first' }),
});
const EXAMPLE = { scan_type: 'posture', findings: [EXAMPLE_POSTURE_FINDING] };

const description =
  'Requires the plan starter or higher. `posture` (default) evaluates the data that the tenant has sent; it makes no ' +
  'network requests. `surface` checks the site from outside, as any visitor could: TLS, headers, cookies, exposed ' +
  'files, XML-RPC, user enumeration. It requires proof that the license controls the domain (POST ' +
  '/sites/{siteId}/verification). Limits: 25 GET requests and 25 seconds per scan, 1 scan at a time and ' +
  `${SURFACE_SCANS_PER_MINUTE} per minute for each license, ${CONCURRENT_SURFACE_SCANS_MAX} at a time in total. ` +
  'If the service itself has no network, the response is 503 without findings. Private addresses are not scanned ' +
  'unless the operator allows them.';

interface ScanParts extends Parts<'clock' | 'config' | 'identities' | 'mirror' | 'tenantData' | 'uses'> {
  readonly surveySite: SurveySite;
}

/** Shared by both names of the route. */
const scanning = shared((parts: ScanParts) => {
  const { clock, surveySite, uses } = parts;
  const seats = new Seats<number>(CONCURRENT_SURFACE_SCANS_MAX);
  const starts = new TokenBuckets(SURFACE_SCANS_PER_MINUTE, new BucketRoom(clock.monotonic));

  const scanPosture = async ({ license }: Caller, siteUrl: string) => {
    const domain = await ownSiteDomain(parts, license, siteUrl);
    return (await judgeSitePosture(parts, license.id, domain, clock.now())).findings;
  };

  const scanSurface = async ({ license }: Caller, siteUrl: string) => {
    const target = await ownSurfaceTarget(parts, license, siteUrl);
    const release = seats.take(license.id);
    if (release === undefined) throw busy(BUSY_RETRY_SECONDS);
    try {
      const { allowed, retryAfterSeconds } = starts.take(String(license.id));
      if (!allowed) throw busy(retryAfterSeconds);
      const observation = await surveySite(target);
      if (observation === 'cut_off') {
        uses.note('surface-scan-cut-off');
        throw cutOff('scan');
      }
      uses.forget('surface-scan-cut-off');
      uses.note('surface-scan', license.id);
      return judgeSurface(observation);
    } finally {
      release();
    }
  };

  return { scanPosture, scanSurface };
});

const scanRoute = (path: '/scan' | '/scanner', operationId: string, summary: string) =>
  bearerRoute({
    at: `POST ${path}`,
    plan: 'starter',
    body: jsonBody({ schema: ScanRequest, capBytes: 8 * KIB }),
    operationId,
    summary,
    description,
    tag: TAGS.tenant,
    answer: show(ScanAnswer, EXAMPLE, 'Returns the result of the scan.'),
    codes: ['SURFACE_SCAN_DISABLED', 'DOMAIN_NOT_VERIFIED', 'SITE_NOT_FOUND', 'SCAN_UNAVAILABLE'],
    handle: scanning(
      async ({ scanPosture, scanSurface }, { caller, body: { site_url, scan_type = 'posture' } }) => {
        const findings = await (scan_type === 'surface'
          ? scanSurface(caller, site_url)
          : scanPosture(caller, site_url));
        return { scan_type, findings };
      },
    ),
  });

export const scan = [
  scanRoute('/scan', 'scanSite', 'Scan a site'),
  scanRoute('/scanner', 'scanSiteByOtherName', 'Scan a site (alias)'),
];

const busy = (retryAfterSeconds: number) =>
  refuse(
    'RATE_LIMITED',
    'Too many surface scans are running or were requested. Try again later.',
    retryAfterSeconds,
  );
