import { Elysia, type Static, t } from 'elysia';
import { controlState } from '../domain/domain-control/control.ts';
import { judgePosture, type PostureSummary } from '../domain/posture/posture-findings.ts';
import { refuse } from '../domain/refusal.ts';
import { standingOf } from '../domain/site/alerts.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import { judgeSurface } from '../domain/surface/surface.ts';
import { surfaceTarget } from '../domain/surface/target.ts';
import { bodySchema, readJson } from '../http/body.ts';
import type { Caller } from '../http/caller.ts';
import { KIB } from '../http/context.ts';
import { answers, BEARER_CODES, BODY_CODES, show, success, typed } from '../http/contract/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract/contract.ts';
import { SeverityName, text } from '../http/fields.ts';
import { requirePlan } from '../http/plan-gate.ts';
import { checkBody } from '../http/schema-check.ts';
import { Seats } from '../lib/seats.ts';
import { BucketRoom, TokenBuckets } from '../lib/token-bucket.ts';
import { latestMeasures } from '../storage/latest-measures.ts';
import { judgeComponents, type KeptComponents, keptComponents, overdueIn } from '../storage/site-findings.ts';
import type { TenantReads } from '../storage/tenant-data.ts';
import { cutOff, scansDisabled } from './fields/outside-looks.ts';
import { siteExpectations } from './fields/site-expectations.ts';
import type { Parts } from './parts.ts';

/** Slow sites hold theirs for 25 seconds; a scan keeps less than half a megabyte. */
const SURFACE_SCANS_AT_A_TIME = 16;
/** Of one license, so that nobody makes this service a nuisance to a site. */
const SURFACE_SCANS_PER_MINUTE = 10;
const BUSY_RETRY_SECONDS = 5;

const ScanType = t.Union([t.Literal('posture'), t.Literal('surface')], {
  description: 'by what was sent, the default, or from outside',
});

const ScanRequest = bodySchema(
  'ScanRequest',
  {
    site_url: text({ minLength: 1, maxLength: 2_048, description: 'a domain or the URL of a site' }),
    scan_type: t.Optional(ScanType),
  },
  { site_url: 'https://shop.example', scan_type: 'posture' },
);

const ScanAnswer = typed('Scan', {
  scan_type: ScanType,
  findings: t.Array(
    typed('Finding', {
      id: t.String({ description: 'stable name of the rule' }),
      severity: SeverityName,
      title: t.String({ description: 'what is wrong' }),
      evidence: t.String({ description: 'what was seen; never content or user names' }),
      recommendation: t.String({ description: 'why it matters and what to do' }),
    }),
    { description: 'most severe first' },
  ),
});
const EXAMPLE = {
  scan_type: 'posture',
  findings: [
    {
      id: 'cloud_immunity_exposed_port_count',
      severity: 'high',
      title: 'Administrative or database ports are open to the internet',
      evidence: 'The latest signal of this license, measured 2 days ago, says exposedPortCount: 1.',
      recommendation: 'Attackers try them all day. Close them, and use a bastion or a private network.',
    },
  ],
};

type KeptPosture = Omit<PostureSummary, 'overdueVulnerabilities'> & {
  readonly components: KeptComponents | undefined;
};

const description =
  'Plan starter or greater. `posture`, the default, judges what the tenant has sent of a site ' +
  'and asks no network. `surface` looks at a site from outside as any visitor could: TLS, headers, cookies, exposed ' +
  'files, XML-RPC, listings of users. The license must have proven that it controls the domain (POST ' +
  "/sites/{siteId}/verification), so that nobody has another's site looked at. At most 25 GET requests and 25 seconds, 1 scan at a time and " +
  `${SURFACE_SCANS_PER_MINUTE} a minute per license, ${SURFACE_SCANS_AT_A_TIME} at a time in all. ` +
  'When nothing answers because this service itself has no network, there ' +
  'are no findings but 503. It sees only public addresses unless the operator allows private ones.';

export const scan = ({
  authenticate,
  clock,
  config,
  tenantData,
  identities,
  mirror,
  surveySite,
  uses,
}: Parts) => {
  const seats = new Seats<number>(SURFACE_SCANS_AT_A_TIME);
  const starts = new TokenBuckets(SURFACE_SCANS_PER_MINUTE, new BucketRoom(clock.monotonic));

  const postureOf = async (data: TenantReads, { license }: Caller, domain: string): Promise<KeptPosture> => {
    const now = clock.now();
    const site = await data.sites.findByDomain(license.id, domain);
    return {
      now,
      lastSeenAt: site?.lastSeenAt ?? null,
      pluginVersion: site?.pluginVersion ?? null,
      ...(await siteExpectations(data, config, license.id)),
      openAlerts: site ? standingOf(await data.alerts.ofSite(license.id, site.id), now).openAlerts : [],
      measures: await latestMeasures(data, identities, license.id, site?.publicId),
      components: site && (await keptComponents(data, identities, license.id, site)),
    };
  };

  const scanPosture = async (caller: Caller, siteUrl: string) => {
    const domain = normalizeSiteDomain(siteUrl)?.name;
    if (domain === undefined) throw notASite();
    const { components, ...posture } = await tenantData.atOnce((data) => postureOf(data, caller, domain));
    if (posture.lastSeenAt === null && !caller.license.domains.includes(domain)) throw siteNotFound();
    const current = components && (await mirror.current());
    const overdueVulnerabilities = current
      ? overdueIn(await judgeComponents(components, current, posture.now))
      : [];
    return judgePosture({ ...posture, overdueVulnerabilities });
  };

  const scanSurface = async ({ license }: Caller, siteUrl: string) => {
    if (!config.surfaceScans) throw scansDisabled();
    const target = surfaceTarget(siteUrl, config.scanAllowPrivate);
    if (target === undefined) throw notASite();
    const { domain } = target;
    if (!license.domains.includes(domain)) throw siteNotFound();
    const control = await tenantData.domainControls.find(license.id, domain);
    if (controlState(control, clock.now()) !== 'verified') throw notVerified();
    const leave = seats.take(license.id);
    if (leave === undefined) throw busy(BUSY_RETRY_SECONDS);
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
      leave();
    }
  };

  const handle = async ({ caller, body }: { caller: Caller; body: Static<typeof ScanRequest> }) => {
    const { site_url, scan_type = 'posture' } = body;
    const findings = await (scan_type === 'surface'
      ? scanSurface(caller, site_url)
      : scanPosture(caller, site_url));
    return success({ scan_type, findings });
  };

  const hook = (operationId: string, summary: string) => ({
    body: ScanRequest,
    response: answers(
      show(ScanAnswer, EXAMPLE, 'The scan is done, and found this.'),
      ...BEARER_CODES,
      ...BODY_CODES,
      'PLAN_REQUIRED',
      'SURFACE_SCAN_DISABLED',
      'DOMAIN_NOT_VERIFIED',
      'SITE_NOT_FOUND',
      'SCAN_UNAVAILABLE',
    ),
    detail: { operationId, summary, description, tags: [TAGS.tenant], security: BEARER_SECURITY },
  });

  return new Elysia()
    .derive(authenticate)
    .derive(requirePlan('starter'))
    .onTransform(readJson({ capBytes: 8 * KIB }))
    .onTransform(checkBody(ScanRequest))
    .post('/scan', handle, hook('scanSite', 'Scan a site'))
    .post('/scanner', handle, hook('scanSiteByOtherName', 'Scan a site, by the other name of the route'));
};

const notASite = () =>
  refuse('INVALID_PAYLOAD', 'site_url is not a domain or the URL of a site on its default port.');
const siteNotFound = () => refuse('SITE_NOT_FOUND', 'This license has no such site.');
const notVerified = () =>
  refuse(
    'DOMAIN_NOT_VERIFIED',
    'Nothing proves that this license controls the domain: see POST /sites/{siteId}/verification, or ask the operator of this service to vouch for it.',
  );
const busy = (retryAfterSeconds: number) =>
  refuse(
    'RATE_LIMITED',
    'Too many surface scans are running or were asked for; try again later.',
    retryAfterSeconds,
  );
