import type { Offer } from '../domain/payment/price-list.ts';
import { below } from '../http/route/route.ts';
import type { PaymentProcessor } from '../outside/payment-processor.ts';
import { analysis } from '../routes/analysis.ts';
import { analysisBatch } from '../routes/analysis-batch.ts';
import { analytics } from '../routes/analytics.ts';
import { auth } from '../routes/auth.ts';
import { checkout } from '../routes/checkout.ts';
import { checkoutPage } from '../routes/checkout-page.ts';
import { confirmMailPages } from '../routes/confirm-mail.ts';
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
import { license } from '../routes/license.ts';
import { me } from '../routes/me.ts';
import { metrics } from '../routes/metrics.ts';
import { notifications } from '../routes/notifications.ts';
import { openapi } from '../routes/openapi.ts';
import { redoubtKeys } from '../routes/published-keys.ts';
import { reports } from '../routes/reports.ts';
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
import { taxii } from '../routes/taxii/index.ts';
import { telemetry } from '../routes/telemetry.ts';
import { threatFeed } from '../routes/threat-feed.ts';
import { threatReport } from '../routes/threat-report.ts';
import { trial } from '../routes/trial.ts';
import { trust } from '../routes/trust.ts';
import { trustPages } from '../routes/trust-page.ts';
import { unsubscribePages } from '../routes/unsubscribe.ts';
import { vulnerability } from '../routes/vulnerability.ts';
import { vulnerabilityMatch } from '../routes/vulnerability-match.ts';
import { vulnerabilityMirror } from '../routes/vulnerability-mirror.ts';
import { webhook } from '../routes/webhook.ts';
import { securityText, wellKnown } from '../routes/well-known.ts';
import type { Config } from '../settings/config.ts';
import * as signals from '../signals/index.ts';
import { signalRoute } from '../signals/kit/route.ts';
import { isIssuer } from '../tasks/credential-keys.ts';

/** Path prefix of the public API. */
export const BASE = '/api/v1';

/** The routes of the contract, in reading order. */
export const contractRoutes = (offer: Offer) => [
  ...below(BASE, [
    status,
    openapi,
    auth,
    me,
    license,
    trial,
    checkout(offer),
    telemetry,
    ...Object.values(signals).map(signalRoute),
    restore,
    decoyTrip,
    ...scan,
    scanStart,
    ...scans,
    ...evidence,
    ...evidenceEntries,
    evidenceExport,
    analytics,
    reports,
    ...sites,
    ...siteComponents,
    siteVulnerabilities,
    siteImportance,
    ...siteVerification,
    ...siteTrust,
    ...scanSchedule,
    credentialIssue,
    credentialVerification,
    ...credentials,
    ...trust,
    events,
    ...notifications,
    integrations,
    analysis,
    analysisBatch,
    threatReport,
    threatFeed,
    vulnerabilityMirror,
    vulnerabilityMatch,
    vulnerability,
    risk,
  ]),
  redoubtKeys,
];

interface Configured {
  readonly config: Config;
  /** The operator's security.txt at a time in milliseconds since the Unix epoch; undefined if there is none. */
  readonly securityTxt: ((now: number) => string) | undefined;
  readonly processor: PaymentProcessor | undefined;
}

/** Routes outside the contract. Some depend on the settings. */
export const otherRoutes = ({ config, securityTxt, processor }: Configured) => [
  ...health,
  metrics,
  ...docs,
  ...handbook,
  ...(isIssuer(config.baseUrl) ? wellKnown(config.baseUrl) : []),
  ...(securityTxt === undefined ? [] : [securityText(securityTxt)]),
  statusLists,
  trustPages,
  ...confirmMailPages,
  ...unsubscribePages,
  ...(config.threatFeedEnabled ? taxii : []),
  ...checkoutPage,
  ...(processor === undefined || config.stripeWebhookSecret === undefined ? [] : [webhook(processor)]),
];
