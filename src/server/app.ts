import { Elysia } from 'elysia';
import { describeApi } from '../http/contract/openapi.ts';
import { PUBLIC_API } from '../http/contract/public-api.ts';
import { onFoundation } from '../http/foundation.ts';
import { signReplies } from '../http/signed-replies.ts';
import { portalFailures, portalPages } from '../portal/portal.ts';
import type { PortalParts } from '../portal/visit.ts';
import { analysis } from '../routes/analysis.ts';
import { analysisBatch } from '../routes/analysis-batch.ts';
import { analytics } from '../routes/analytics.ts';
import { auth } from '../routes/auth.ts';
import { CHECKOUT, checkout } from '../routes/checkout.ts';
import { checkoutPage, REFUSAL_PAGES } from '../routes/checkout-page.ts';
import { credentialIssue } from '../routes/credential-issue.ts';
import { credentialVerification } from '../routes/credential-verification.ts';
import { credentials } from '../routes/credentials.ts';
import { decoyTrip } from '../routes/decoy-trip.ts';
import { docs } from '../routes/docs.ts';
import { events } from '../routes/events.ts';
import { evidence } from '../routes/evidence.ts';
import { evidenceEntries } from '../routes/evidence-entries.ts';
import { evidenceExport } from '../routes/evidence-export.ts';
import { handbook } from '../routes/handbook.ts';
import { health } from '../routes/health.ts';
import { integrations } from '../routes/integrations.ts';
import { invalidLicense, LICENSE_VERIFY, license } from '../routes/license.ts';
import { me } from '../routes/me.ts';
import { metrics } from '../routes/metrics.ts';
import { openapi } from '../routes/openapi.ts';
import type { Parts } from '../routes/parts.ts';
import { redoubtKeys } from '../routes/published-keys.ts';
import { restore } from '../routes/restore.ts';
import { risk } from '../routes/risk.ts';
import { scan } from '../routes/scan.ts';
import { scanSchedule } from '../routes/scan-schedule.ts';
import { scanStart } from '../routes/scan-start.ts';
import { scans } from '../routes/scans.ts';
import { siteComponents } from '../routes/site-components.ts';
import { siteImportance } from '../routes/site-importance.ts';
import { siteTrust } from '../routes/site-trust.ts';
import { siteVerification } from '../routes/site-verification.ts';
import { siteVulnerabilities } from '../routes/site-vulnerabilities.ts';
import { sites } from '../routes/sites.ts';
import { status } from '../routes/status.ts';
import { statusLists } from '../routes/status-lists.ts';
import { telemetry } from '../routes/telemetry.ts';
import { threatFeed } from '../routes/threat-feed.ts';
import { threatReport } from '../routes/threat-report.ts';
import { TRIAL, trial } from '../routes/trial.ts';
import { trust } from '../routes/trust.ts';
import { trustPages } from '../routes/trust-page.ts';
import { vulnerability } from '../routes/vulnerability.ts';
import { vulnerabilityMatch } from '../routes/vulnerability-match.ts';
import { vulnerabilityMirror } from '../routes/vulnerability-mirror.ts';
import { webhook } from '../routes/webhook.ts';
import { securityText, wellKnown } from '../routes/well-known.ts';
import type { Served } from '../runtime/listener.ts';
import * as signals from '../signals/index.ts';
import { signalRoute } from '../signals/kit/route.ts';
import { awayRefusal } from './away-refusal.ts';

/** Where the interface begins. */
export const BASE = '/api/v1';
/** What load balancers and monitors ask, some of them by HTTP/1.0. */
export const CHECKS: ReadonlySet<string> = new Set(['/healthz', '/readyz', `${BASE}/status`]);

export interface App extends Served {
  /** The contract, as GET /openapi serves it; made when it is first asked for. */
  readonly document: () => Promise<object>;
}

export type AppParts = Parts & Omit<PortalParts, 'fetch'>;

/** The whole service as one function from request to response. */
export function createApp(parts: AppParts): App {
  let described: Promise<object> | undefined;
  const document = () => {
    described ??= describeApi(new Elysia().use([api, keys]), PUBLIC_API, parts.config.baseUrl ?? '/');
    return described;
  };

  const api = new Elysia({ prefix: BASE })
    .use(status(parts))
    .use(openapi(parts, document))
    .use(auth(parts))
    .use(me(parts))
    .use(license(parts))
    .use(trial(parts))
    .use(checkout(parts))
    .use(telemetry(parts))
    .use(Object.values(signals).map((signal) => signalRoute(signal, parts)))
    .use(restore(parts))
    .use(decoyTrip(parts))
    .use(scan(parts))
    .use(scanStart(parts))
    .use(scans(parts))
    .use(evidence(parts))
    .use(evidenceEntries(parts))
    .use(evidenceExport(parts))
    .use(analytics(parts))
    .use(sites(parts))
    .use(siteComponents(parts))
    .use(siteVulnerabilities(parts))
    .use(siteImportance(parts))
    .use(siteVerification(parts))
    .use(siteTrust(parts))
    .use(scanSchedule(parts))
    .use(credentialIssue(parts))
    .use(credentialVerification(parts))
    .use(credentials(parts))
    .use(trust(parts))
    .use(events(parts))
    .use(integrations(parts))
    .use(analysis(parts))
    .use(analysisBatch(parts))
    .use(threatReport(parts))
    .use(threatFeed(parts))
    .use(vulnerabilityMirror(parts))
    .use(vulnerabilityMatch(parts))
    .use(vulnerability(parts))
    .use(risk(parts));

  const keys = redoubtKeys(parts);
  const { config, limits } = parts;
  const portal = config.portal ? [portalPages({ ...parts, fetch: (request) => fetch(request) })] : [];
  const { fetch, paths } = onFoundation(
    {
      ...parts,
      overTls: config.tlsCert !== undefined,
      hstsSeconds: config.hstsSeconds,
      bodyTimeoutSeconds: config.bodyTimeoutSeconds,
      flatPaths: {
        [BASE + LICENSE_VERIFY]: invalidLicense(parts),
        [BASE + TRIAL]: {},
        [BASE + CHECKOUT]: {},
      },
      pageAt: (path) => REFUSAL_PAGES[path] ?? (config.portal ? portalFailures(path) : undefined),
      insideCallerOf: parts.inside.callerOf,
      countUnknownPath: limits.countUnknownPath,
      awayRefusal,
      showLimits: parts.peekLimits,
    },
    [
      health(parts),
      metrics(parts),
      docs(parts),
      handbook(parts),
      wellKnown(parts),
      keys,
      securityText(parts),
      statusLists(parts),
      trustPages(parts),
      checkoutPage(parts),
      webhook(parts),
      ...portal,
      api,
    ],
  );
  const signing = {
    path: BASE + LICENSE_VERIFY,
    baseUrl: config.baseUrl,
    signer: () => parts.signingKeys.signer('reply'),
    now: parts.clock.now,
  };
  return { fetch: signReplies(fetch, signing), paths, checks: CHECKS, document };
}
